import { beforeEach, describe, expect, it, vi } from 'vitest'
import { purposeOf } from '../http/edge/require-room.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { users } from '../identity/model/users.table.ts'
import { unitOfWork } from '../identity/unit-of-work.ts'
import { mergeOptions } from '../kit/options.ts'
import { AlmostFull, sizeLevels } from '../platform/database-size.ts'
import { declaredEndpoints, operationOf } from '../testing/cases.ts'
import { call, faultCases } from '../testing/fault-cases.ts'
import { FullDatabase } from '../testing/full-database.ts'
import { type Answer, type Device, env, TestApp } from '../testing/harness.ts'
import { alice, signIn, signUp } from '../testing/people.ts'
import { count, rowCounts } from '../testing/rows.ts'
import { sample } from '../testing/sample.ts'
import { patchOf, scimClient, scimDirectory } from '../testing/scim.ts'
import { newPerson } from '../testing/set-ups.ts'
import { idOf } from '../testing/states.ts'

/**
 * The cases of the fault tests on a nearly full and on a full database: what each endpoint of the contract may still write. A
 * new endpoint that writes has a fault case, and so this test.
 */

const unlimited = { rateLimit: { enabled: false } }

beforeEach(() => {
  for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})

const endpointOf = (operation: string): Endpoint => declaredEndpoints.find((one) => operationOf(one) === operation)!

const sizeNow = async () => (await env.DB.prepare('select 1').run()).meta.size_after

/** A maximum of which the database has used so much. */
const maximumAt = async (part: number) => ({ database: { maximumBytes: Math.ceil((await sizeNow()) / part) } })

/** The device in another isolate, whose maximum is another one. @param knows whether the isolate has seen the size */
async function elsewhere(device: Device, config: object, part: number, knows = true): Promise<Device> {
  const app = knows
    ? await appAt(part, config)
    : new TestApp(mergeOptions(mergeOptions(config, unlimited), await maximumAt(part)), {}, false)
  const other = app.device(device.ip)
  for (const [name, value] of device.jar) other.jar.set(name, value)
  Object.assign(other.headers, device.headers)
  return other
}

/** The code of an answer, or of the redirect to a page. */
const codeOf = ({ body, headers }: Answer): string | null =>
  headers
    .get('location')
    ?.match(/[?&]error=([^&]*)/)?.[1]
    ?.toUpperCase() ??
  body?.code ??
  body?.error ??
  null

const isRefused = (answer: Answer): boolean =>
  codeOf(answer) === 'DATABASE_ALMOST_FULL' || JSON.stringify(answer.body).includes('The database is almost full')

/** Rows that a refused call may add: its refusal in the logs, and keys of the deployment. */
const logs = ['security_events', 'audit_budgets', 'jwks', 'stored_secrets', 'rate_limits']

const grown = (before: Record<string, number>, after: Record<string, number>) =>
  Object.keys(after).filter((name) => after[name]! > before[name]! && !logs.includes(name))

/** Cases of strangers who create something: refused from 85 % on, also where the endpoint signs in. */
const ofStrangers: readonly string[] = [
  'an address after a provider that returns none',
  'guest',
  'magic link',
  'sign-in by code',
  'sign-up',
  'sign-up through Cloudflare Access',
  'sign-up with a number',
  'sign-up with a passkey',
]

const writing = faultCases.filter(([, { endpoint }]) => endpointOf(endpoint).changes.length > 0)
const cases = writing.map(([name, one]) => {
  const isLeft = purposeOf(endpointOf(one.endpoint)) !== null
  return [name, { ...one, name, isLeft }] as const
})

/** The outcome of a case in an isolate that knows a database of this size. */
async function outcomeAt(part: number, [name, one]: (typeof cases)[number]) {
  const { config = {} } = one
  const person = newPerson()
  const { device, given } = await one.before(new TestApp(mergeOptions(config, unlimited), {}, false), person)
  const other = await elsewhere(device, config, part)
  const start = await rowCounts()
  const answer = await call(one, other, person, given)
  if (!isRefused(answer)) {
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(400)
    return { name, isRefused: false }
  }
  expect({ name, created: grown(start, await rowCounts()) }).toEqual({ name, created: [] })
  // The browser keeps its session.
  expect(answer.cookies.filter((line) => line.includes('session_token=;'))).toEqual([])
  if (answer.status !== 302 && answer.status !== 200)
    expect({ status: answer.status, retryAfter: answer.headers.get('retry-after') }).toEqual({
      status: 503,
      retryAfter: '300',
    })
  return { name, isRefused: true }
}

describe('at 95 % of the maximum size, only calls with a purpose write', () => {
  it.each(sample(cases, 15))('%s', async (name, one) => {
    const isRefused = !one.isLeft || ofStrangers.includes(name)
    expect(await outcomeAt(sizeLevels.reserved + 0.02, [name, one])).toEqual({ name, isRefused })
  })
})

describe('at 85 %, strangers create nothing', () => {
  it.each(sample(cases, 15))('%s', async (name, one) => {
    const isRefused = ofStrangers.includes(name)
    expect(await outcomeAt(sizeLevels.shortened + 0.02, [name, one])).toEqual({ name, isRefused })
  })
})

/** An isolate that knows a database of which this part is used. */
async function appAt(part: number, config: object): Promise<TestApp> {
  const app = new TestApp(mergeOptions(mergeOptions(config, unlimited), await maximumAt(part)), {}, false)
  const { scope, settle } = app.openScope()
  await scope.db.run('select 1')
  await settle()
  return app
}

describe('a directory', () => {
  it('adds no user and no group from 85 % on, and ends access at each level', async () => {
    const config = { enterprise: { enabled: true } }
    const { scim, connectionId, token } = await scimDirectory(
      new TestApp(mergeOptions(config, unlimited)),
      'acme',
      'a.example',
    )
    const { id } = (await scim('POST', '/Users', { userName: 'u1' })).body
    for (const part of [0.87, 0.97]) {
      const full = scimClient(await appAt(part, config), connectionId, token)
      const refused = [
        await full('POST', '/Users', { userName: 'u2' }),
        await full('POST', '/Groups', { displayName: 'g' }),
      ]
      expect(refused.map(({ status, headers, body }) => [status, headers.get('retry-after'), body.detail])).toEqual(
        Array(2).fill([503, '300', 'The database is almost full. Please try again later.']),
      )
      const operations = [
        { method: 'POST', path: '/Users', bulkId: 'x', data: { userName: 'u3' } },
        { method: 'PATCH', path: `/Users/${id}`, data: patchOf({ op: 'replace', path: 'active', value: false }) },
      ]
      const { body } = await full('POST', '/Bulk', { Operations: operations })
      expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual(['503', '200'])
      expect((await full('GET', '/Users')).body.totalResults).toBe(1)
    }
    const full = scimClient(await appAt(0.97, config), connectionId, token)
    expect((await full('DELETE', `/Users/${id}`)).status).toBe(204)
  })
})

describe('a client without a user', () => {
  it('registers below 85 % only', async () => {
    const config = { mcp: { enabled: true } }
    const client = { redirect_uris: ['https://app.example.com/callback'] }
    const register = async (app: TestApp) => app.device().post('/mcp/register', client)
    expect((await register(await appAt(0.5, config))).status).toBe(201)
    const answer = await register(await appAt(0.87, config))
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 503, code: 'DATABASE_ALMOST_FULL' })
  })
})

describe('an operation of a service binding', () => {
  it('is refused at 95 %, unless it has a purpose', async () => {
    await signUp(new TestApp(unlimited), alice)
    const api = (await appAt(0.97, {})).serverApi()
    const userId = await idOf(alice.email)
    expect(await api.updateUser({ userId, data: { name: 'Other' } } as never)).toMatchObject({
      ok: false,
      code: 'DATABASE_ALMOST_FULL',
    })
    expect(await api.banUser({ userId })).toMatchObject({ ok: true })
  })
})

describe('an isolate that has seen no size', () => {
  const create = (device: Device) => device.post('/organization/create', { name: 'Acme', slug: 'acme' })

  it('learns it from the read of the caller, before the use case', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    const other = await elsewhere(device, {}, 0.97, false)
    expect(isRefused(await create(other))).toBe(true)
    expect(await count('organizations')).toBe(0)
  })

  it('is refused by the unit of work if a read of the use case was the first', async () => {
    const app = new TestApp(mergeOptions(unlimited, await maximumAt(0.97)), {}, false)
    const { scope, settle } = app.openScope(endpointOf('POST /organization/create'))
    const work = unitOfWork(scope)
    work.run(scope.db.delete(users))
    expect(scope.shared.size.bytes).toBeNull()
    await scope.db.run('select 1')
    await expect(work.commit()).rejects.toThrow(AlmostFull)
    await settle()
  })

  it('takes the first write without any read, and refuses the next', async () => {
    const config = { mcp: { enabled: true } }
    const app = new TestApp(mergeOptions(mergeOptions(config, unlimited), await maximumAt(0.97)), {}, false)
    const register = () => app.device().post('/mcp/register', { redirect_uris: ['https://app.example.com/callback'] })
    expect((await register()).status).toBe(201)
    expect(isRefused(await register())).toBe(true)
  })
})

describe('a full database', () => {
  /** Which device has a session: in another isolate with a database that has room. */
  const hasSession = async (device: Device) => {
    const app = new TestApp(unlimited)
    const other = app.device(device.ip)
    for (const [name, value] of device.jar) other.jar.set(name, value)
    return (await other.get('/get-session', { query: { disableCookieCache: 'true' } })).body !== null
  }

  it.each(sample(cases, 15))('that has some history to delete, %s', async (name, one) => {
    const { config = {}, isLeft } = one
    const database = new FullDatabase()
    const app = new TestApp(mergeOptions(config, unlimited), { DB: database.binding }, false)
    const person = newPerson()
    const { device, given } = await one.before(app, person)
    database.fill('until-deleted')
    const answer = await call(one, device, person, given)
    const { refused } = database
    database.fill('never')
    // What an isolate learns by the refusal also applies to strangers who sign up.
    if (isLeft && !isRefused(answer)) expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(400)
    else if (isLeft) expect(ofStrangers).toContain(name)
    else if (refused > 0 && answer.status >= 400) expect(codeOf(answer)).toBe('DATABASE_ALMOST_FULL')
  })

  it.each(sample(cases, 15))('that stays full, ends no session: %s', async (name, one) => {
    const { config = {} } = one
    const database = new FullDatabase()
    const app = new TestApp(mergeOptions(config, unlimited), { DB: database.binding }, false)
    const person = newPerson()
    const { device, given } = await one.before(app, person)
    const wasSignedIn = device.cookie('session_token') !== undefined && (await hasSession(device))
    database.fill('always')
    const answer = await call(one, device, person, given)
    const { refused } = database
    database.fill('never')
    if (answer.status >= 400 && answer.status !== 401)
      expect({ name, code: codeOf(answer) }).toEqual({ name, code: 'DATABASE_ALMOST_FULL' })
    if (refused > 0 && answer.status >= 400) {
      expect(answer.cookies.filter((line) => line.includes('session_token='))).toEqual([])
      expect({ name, isSignedIn: await hasSession(device) }).toEqual({ name, isSignedIn: wasSignedIn })
    }
  })

  it('keeps a session whose extension it cannot write', async () => {
    const database = new FullDatabase()
    const app = new TestApp(unlimited, { DB: database.binding }, false)
    const device = await signUp(app, alice)
    await env.DB.prepare('update sessions set updated_at = updated_at - 172800000').run()
    database.fill('always')
    const read = () => device.get('/get-session', { query: { disableCookieCache: 'true' } })
    for (let n = 0; n < 3; n++) expect((await read()).body.user.email).toBe(alice.email)
    expect(database.refused).toBeGreaterThan(0)
    database.fill('never')
    expect((await read()).body.user.email).toBe(alice.email)
  })

  it('takes a sign-in after it has deleted the oldest entries of the sign-in log, and no newer ones', async () => {
    const database = new FullDatabase()
    const app = new TestApp(unlimited, { DB: database.binding }, false)
    await signUp(app, alice)
    for (let n = 0; n < 3; n++) await signIn(app, alice)
    database.fill('until-deleted')
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
    expect(database.refused).toBe(1)
    expect(await count('security_events')).toBe(1)
  })
})
