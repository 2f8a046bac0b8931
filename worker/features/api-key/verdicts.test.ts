import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { maxOutage } from '../../platform/circuit.ts'
import { administrator } from '../../testing/admins.ts'
import { alter, rowOf, serverKey, verify } from '../../testing/api-keys.ts'
import { FaultInjector } from '../../testing/faults.ts'
import { type Device, TestApp } from '../../testing/harness.ts'
import { company, someone } from '../../testing/organizations.ts'
import { count } from '../../testing/rows.ts'
import { backEnd } from '../../testing/server-keys.ts'

// Each TestApp is an isolate of its own. The isolates of a test share the bindings and the cache.
let started = Date.now()

beforeEach(() => {
  // Answers of the feed that an earlier test left in the cache are too old.
  started += 10_800_000
  vi.useFakeTimers({ toFake: ['Date'], now: started })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const unlimited: Config = { rateLimit: { enabled: false } }
const plain = { rateLimitEnabled: false }
const cacheAge = 300

/** A user with a key, and another isolate, whose calls are counted. */
async function scene(config: Config = {}, properties: object = {}) {
  const app = new TestApp({ ...unlimited, ...config })
  const faults = new FaultInjector()
  const other = new TestApp({ ...unlimited, ...config }, faults.bindings(), false)
  const { id: userId, device } = await someone(app, 'Alice')
  const made = await serverKey(app, { userId }, { ...plain, access: 'full', ...properties })
  const caller = other.device()
  caller.headers['x-api-key'] = made.key
  const checkThere = async (permissions?: Record<string, string[]>) => (await verify(other, made.key, permissions)).code
  await checkThere()
  faults.watch()
  return { app, other, faults, userId, device, caller, ...made, checkThere }
}

const idOf = async (device: Device) => (await device.get('/get-session')).body?.user.id

describe.each<[string, Config]>([
  ['the standard profile', {}],
  ['the strict profile', { profile: 'strict' } as Config],
])('with %s, a key without quota and limit', (_, profile) => {
  it('is verified, and opens its session, without a call of D1 and of the counters', async () => {
    const { faults, checkThere, caller, userId } = await scene(profile)
    // The first answer of an isolate also reads the keys of JWTs.
    await idOf(caller)
    faults.watch()
    for (let second = 0; second < 60; second++) {
      pass(1)
      expect({ code: await checkThere(), owner: await idOf(caller) }).toEqual({ code: 'valid', owner: userId })
    }
    const reads = faults.calls.filter((call) => call === 'ENDED_SESSIONS since')
    expect(faults.calls).toEqual(reads)
    expect(reads.length).toBeLessThanOrEqual(30)
  })

  it.each<[string, string, (set: Awaited<ReturnType<typeof scene>>) => Promise<unknown>]>([
    ['deleted', 'INVALID_API_KEY', ({ device, id }) => device.post('/api-key/delete', { keyId: id })],
    ['deleted by a server', 'INVALID_API_KEY', ({ app, id }) => app.serverApi().revokeApiKey({ keyId: id })],
    ['disabled', 'KEY_DISABLED', ({ device, id }) => device.post('/api-key/update', { keyId: id, enabled: false })],
    [
      'given other permissions',
      'KEY_NOT_FOUND',
      ({ app, id }) => app.serverApi().updateApiKey({ keyId: id, permissions: { files: ['list'] } }),
    ],
    [
      'whose owner is banned',
      'USER_IS_BANNED',
      async ({ app, userId }) => (await administrator(app)).device.post('/admin/ban-user', { userId }),
    ],
    [
      'whose owner is removed',
      'INVALID_API_KEY',
      async ({ app, userId }) => (await administrator(app)).device.post('/admin/remove-user', { userId }),
    ],
  ])('that is %s at another isolate is refused there after 5 seconds', async (_what, code, change) => {
    const set = await scene(profile, { permissions: { files: ['read'] } })
    const { checkThere } = set
    expect(await checkThere({ files: ['read'] })).toBe('valid')
    await change(set)
    // Deferred work of the server API.
    await vi.waitFor(async () => expect(await count('jobs')).toBe(0), { timeout: 30_000 })
    pass(5)
    expect(await checkThere({ files: ['read'] })).toBe(code)
  })
})

describe('a remembered key', () => {
  it('of an organization that is deleted is refused after 5 seconds', async () => {
    const app = new TestApp(unlimited)
    const acme = await company(app, 'acme')
    const { key } = await serverKey(app, { organizationId: acme.id }, plain)
    const other = new TestApp(unlimited)
    for (const d1 of [1, 0]) expect(await verify(other, key)).toMatchObject({ code: 'valid', d1 })
    const { status } = await acme.owner.device.post('/organization/delete', { organizationId: acme.id })
    expect(status).toBe(200)
    pass(5)
    expect((await verify(other, key)).code).toBe('INVALID_API_KEY')
  })

  it('that receives a quota is counted after 5 seconds', async () => {
    const { app, id, checkThere } = await scene()
    expect(await app.serverApi().updateApiKey({ keyId: id, remaining: 1 })).toMatchObject({ ok: true })
    await vi.waitFor(async () => expect(await count('jobs')).toBe(0), { timeout: 30_000 })
    pass(5)
    expect([await checkThere(), await checkThere()]).toEqual(['valid', 'USAGE_EXCEEDED'])
  })

  it('shows a change of its owner in the session after 5 seconds', async () => {
    const { device, caller } = await scene()
    const name = async () => (await caller.get('/get-session')).body.user.name
    await name()
    await device.post('/update-user', { name: 'Alicia' })
    pass(5)
    expect(await name()).toBe('Alicia')
  })

  it('is refused at once by the isolate that changes it', async () => {
    const { app, key, id, device } = await scene()
    for (const d1 of [1, 0]) expect(await verify(app, key)).toMatchObject({ code: 'valid', d1 })
    await device.post('/api-key/update', { keyId: id, enabled: false })
    expect((await verify(app, key)).code).toBe('KEY_DISABLED')
    await device.post('/api-key/update', { keyId: id, enabled: true })
    expect((await verify(app, key)).code).toBe('valid')
  })

  it('is read for each use for some minutes after a change, and then remembered again', async () => {
    const { other, key, id, device } = await scene()
    await device.post('/api-key/update', { keyId: id, name: 'new' })
    pass(5)
    for (let use = 0; use < 3; use++) {
      expect(await verify(other, key)).toMatchObject({ code: 'valid', d1: 1, key: { name: 'new' } })
      pass(100)
    }
    pass(100)
    expect(await verify(other, key)).toMatchObject({ code: 'valid', d1: 1 })
    pass(10)
    expect(await verify(other, key)).toMatchObject({ code: 'valid', d1: 0 })
  })

  it('is read again after apiKey.cache.maxAge, and its last use is written then', async () => {
    const { other, key, id } = await scene()
    const lastUse = async () => Number((await rowOf(id))!.last_request)
    const first = await lastUse()
    pass(cacheAge - 1)
    expect(await verify(other, key)).toMatchObject({ d1: 0 })
    expect(await lastUse()).toBe(first)
    pass(2)
    expect(await verify(other, key)).toMatchObject({ d1: 1 })
    expect(await lastUse()).toBe(Date.now())
  })

  it('expires at its own time', async () => {
    const { checkThere, id, other, key } = await scene()
    await alter(id, { expiresAt: new Date(Date.now() + 60_000) })
    pass(cacheAge + 1)
    expect(await checkThere()).toBe('KEY_EXPIRED')
    const { id: next, key: shown } = await serverKey(other, { userId: (await someone(other, 'Bob')).id }, plain)
    await alter(next, { expiresAt: new Date(Date.now() + 60_000) })
    expect((await verify(other, shown)).code).toBe('valid')
    pass(61)
    expect((await verify(other, shown)).code).toBe('KEY_EXPIRED')
    expect((await verify(other, key)).code).toBe('INVALID_API_KEY')
  })

  it.each([
    ['a quota', { remaining: 100 }],
    ['a rate limit', { rateLimitEnabled: true, rateLimitMax: 100, rateLimitTimeWindow: 60_000 }],
  ])('has no %s: each use is counted in D1', async (_, properties) => {
    const { other, key } = await scene({}, properties)
    for (let use = 0; use < 3; use++) expect(await verify(other, key)).toMatchObject({ code: 'valid', d1: 1 })
  })

  it('is read for each use if apiKey.cache is off, and a change writes no job', async () => {
    const { app, other, key, id, device } = await scene({ apiKey: { cache: { enabled: false } } })
    expect(await verify(other, key)).toMatchObject({ d1: 1 })
    const faults = new FaultInjector()
    const third = new TestApp({ ...unlimited, apiKey: { cache: { enabled: false } } }, faults.bindings())
    const copy = third.device()
    for (const [name, value] of device.jar) copy.jar.set(name, value)
    faults.watch()
    await copy.post('/api-key/update', { keyId: id, enabled: false })
    expect(faults.calls.filter((call) => call.startsWith('ENDED_SESSIONS add'))).toEqual([])
    expect((await verify(app, key)).code).toBe('KEY_DISABLED')
  })

  it('is read by other endpoints, and by get-session with disableCookieCache', async () => {
    const { faults, caller, userId } = await scene()
    await idOf(caller)
    faults.watch()
    expect((await caller.get('/get-session', { query: { disableCookieCache: 'true' } })).body.user.id).toBe(userId)
    expect(faults.calls.filter((call) => call.startsWith('D1'))).toHaveLength(1)
    expect((await caller.get('/organization/list')).status).toBe(200)
    expect(faults.calls.filter((call) => call.startsWith('D1'))).toHaveLength(2)
  })
})

describe('if the feed does not answer', () => {
  it('a key is accepted for 30 seconds, then the database is asked', async () => {
    const { faults, other, key, id } = await scene()
    faults.outage('ENDED_SESSIONS since')
    pass(29)
    expect(await verify(other, key)).toMatchObject({ code: 'valid', d1: 0 })
    await alter(id, { enabled: false })
    pass(2)
    expect(await verify(other, key)).toMatchObject({ code: 'KEY_DISABLED', d1: 1 })
  })

  it('a job names the changed key when it answers again', async () => {
    const { userId } = await scene()
    const faults = new FaultInjector()
    const app = new TestApp(unlimited, faults.bindings())
    const { id, key } = await serverKey(app, { userId }, plain)
    const other = new TestApp(unlimited)
    for (const d1 of [1, 0]) expect(await verify(other, key)).toMatchObject({ code: 'valid', d1 })
    const owner = app.device()
    owner.headers.authorization = `Bearer ${(await backEnd(app, ['api-keys:write'])).key}`
    faults.outage('ENDED_SESSIONS add')
    expect((await owner.post('/api/server/update-api-key', { keyId: id, enabled: false })).status).toBe(200)
    expect(await count('jobs')).toBe(1)
    faults.watch()
    pass(1)
    await app.runScheduled()
    pass(5)
    expect((await verify(other, key)).code).toBe('KEY_DISABLED')
  })
})

describe('while the database does not answer, a key that was verified', () => {
  it('is accepted for ten minutes longer, and so is its session', async () => {
    const { faults, checkThere, caller, userId, other } = await scene()
    await idOf(caller)
    faults.outage('D1')
    pass(cacheAge + maxOutage - 2)
    expect({ code: await checkThere(), owner: await idOf(caller) }).toEqual({ code: 'valid', owner: userId })
    pass(4)
    await expect(checkThere()).rejects.toThrow()
    expect((await caller.get('/get-session')).status).toBe(503)
    faults.watch()
    expect(await checkThere()).toBe('valid')
    expect(other).toBeTruthy()
  })

  it('is refused if it was changed before the outage', async () => {
    const { faults, checkThere, device, id } = await scene()
    pass(cacheAge - 10)
    await device.post('/api-key/update', { keyId: id, enabled: false })
    pass(5)
    faults.outage('D1')
    await expect(checkThere()).rejects.toThrow()
    pass(maxOutage - 60)
    await expect(checkThere()).rejects.toThrow()
  })

  it('is not accepted with a quota, because its use cannot be counted', async () => {
    const { faults, checkThere } = await scene({}, { remaining: 100 })
    faults.outage('D1')
    await expect(checkThere()).rejects.toThrow()
  })
})
