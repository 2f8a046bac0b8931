import { env as bindings } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { alter, serverKey, verify } from '../testing/api-keys.ts'
import { declaredEndpoints } from '../testing/cases.ts'
import { FaultInjector } from '../testing/faults.ts'
import { type Device, env, TestApp } from '../testing/harness.ts'
import { someone } from '../testing/organizations.ts'
import { count } from '../testing/rows.ts'

/**
 * A replica that lags: a database of its own, which has the rows of the primary as they were at the last `catchUp`. A read
 * with a bookmark reads the primary, because D1 waits for the write.
 */
const replica = (bindings as unknown as { REPLICA: D1Database }).REPLICA
const tables = ['users', 'sessions', 'api_keys', 'organizations', 'members']

async function catchUp(): Promise<void> {
  for (const table of tables) {
    const { results } = await env.DB.prepare(`select name from pragma_table_info('${table}')`).all<{ name: string }>()
    const names = results.map(({ name }) => `"${name}"`).join()
    const rows = await env.DB.prepare(`select * from ${table}`).raw()
    const places = results.map(() => '?').join()
    await replica.batch([
      replica.prepare(`drop table if exists ${table}`),
      replica.prepare(`create table ${table} (${names})`),
      ...rows.map((row) => replica.prepare(`insert into ${table} (${names}) values (${places})`).bind(...row)),
    ])
  }
}

/** The reads of sessions, and batches, at the replica. */
let nearby = 0

/** A statement at both databases: D1 sends writes, and a batch with a write, to the primary. */
class Statement {
  constructor(
    readonly query: string,
    readonly near: D1PreparedStatement,
    readonly primary: D1PreparedStatement,
  ) {}
  get isWrite() {
    return !/^\s*select/i.test(this.query)
  }
  bind(...values: unknown[]) {
    return new Statement(this.query, this.near.bind(...values), this.primary.bind(...values))
  }
  get #chosen() {
    if (this.isWrite) return this.primary
    if (this.query.includes('"sessions"')) nearby++
    return this.near
  }
  run = () => this.#chosen.run()
  all = () => this.#chosen.all()
  raw = () => this.#chosen.raw()
}

function unconstrained(primary: D1DatabaseSession, near: D1DatabaseSession) {
  return {
    prepare: (query: string) => new Statement(query, near.prepare(query), primary.prepare(query)),
    batch(statements: Statement[]) {
      if (statements.some(({ isWrite }) => isWrite)) return primary.batch(statements.map((one) => one.primary))
      nearby++
      return near.batch(statements.map((one) => one.near))
    },
    getBookmark: () => primary.getBookmark(),
  }
}

const DB = new Proxy(env.DB, {
  get(target, name) {
    if (name !== 'withSession') return Reflect.get(target, name)
    return (start: string) => {
      const primary = target.withSession('first-primary')
      return start === 'first-unconstrained' ? unconstrained(primary, replica.withSession('first-primary')) : primary
    }
  },
})

let started = Date.now()
beforeEach(() => {
  nearby = 0
  // Answers of the feed that an earlier test left in the cache are too old.
  started += 18_000_000
  vi.useFakeTimers({ toFake: ['Date'], now: started })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

const config = {
  rateLimit: { enabled: false },
  database: { readReplication: true },
  session: { cookieCache: { enabled: false } },
}

async function scene() {
  const app = new TestApp(config, { DB })
  const { id, device } = await someone(app, 'Alice')
  await catchUp()
  return { app, id, device }
}

const nameOf = async (device: Device) => (await device.get('/get-session')).body?.user.name ?? null

/** The same session as a bearer token. */
function asBearer(device: Device, app: TestApp): Device {
  const bearer = app.device()
  bearer.headers = { authorization: `Bearer ${device.jar.get('gatehouse.session_token')}` }
  return bearer
}

describe('with a replica that lags', () => {
  it('a reader without writes gets the state of the replica, which catches up', async () => {
    const { app, device } = await scene()
    const other = app.device()
    other.jar.set('gatehouse.session_token', device.jar.get('gatehouse.session_token')!)
    await device.post('/update-user', { name: 'Alicia' })
    expect({ name: await nameOf(other), nearby }).toEqual({ name: 'Alice', nearby: 1 })
    pass(10)
    await catchUp()
    expect(await nameOf(other)).toBe('Alicia')
  })

  it('no browser misses its own write, by its cookie', async () => {
    const { device } = await scene()
    for (const name of ['one', 'two', 'three']) {
      expect((await device.post('/update-user', { name })).status).toBe(200)
      pass(3)
      expect(await nameOf(device)).toBe(name)
    }
    expect(nearby).toBe(0)
  })

  it('no bearer caller who sends the header of the write misses it; a forged one is ignored', async () => {
    const { app, device } = await scene()
    const bearer = asBearer(device, app)
    const { headers } = await bearer.post('/update-user', { name: 'Alicia' }, { keep: false })
    const bookmark = headers.get('x-gatehouse-bookmark')!
    expect(bookmark).toMatch(/^[^;\s]+$/)
    expect(await nameOf(bearer)).toBe('Alice')
    bearer.headers['x-gatehouse-bookmark'] = bookmark
    expect(await nameOf(bearer)).toBe('Alicia')
    for (const forged of ['x', '%', `${bookmark.slice(0, 8)}${bookmark.slice(9)}`, 'first-primary']) {
      bearer.headers['x-gatehouse-bookmark'] = forged
      expect({ forged, name: await nameOf(bearer) }).toEqual({ forged, name: 'Alice' })
    }
  })

  it('no caller over a service binding misses it, with the headers of the request', async () => {
    const { app, device } = await scene()
    const bearer = asBearer(device, app)
    const { headers } = await bearer.post('/update-user', { name: 'Alicia' }, { keep: false })
    const api = app.serverApi()
    const read = async (more: Record<string, string>) =>
      (await api.getSession({ ...bearer.headers, ...more } as Record<string, string>))?.user.name
    expect(await read({})).toBe('Alice')
    expect(await read({ 'x-gatehouse-bookmark': headers.get('x-gatehouse-bookmark')! })).toBe('Alicia')
    await device.post('/update-user', { name: 'Alys' })
    const cookie = [...device.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    expect((await api.getSession(new Headers({ cookie })))?.user.name).toBe('Alys')
  })

  it('a revoked session never writes, and reads for 5 seconds at most', async () => {
    const { app, device } = await scene()
    const bearer = asBearer(device, app)
    await device.post('/sign-out', {}, { keep: false })
    const elsewhere = new TestApp(config, { DB })
    const other = asBearer(device, elsewhere)
    expect((await other.post('/update-user', { name: 'Mallory' })).status).toBe(401)
    expect(await nameOf(bearer)).toBeNull()
    pass(5)
    expect(await nameOf(other)).toBeNull()
    expect(nearby).toBeGreaterThan(0)
    expect(await count('users', { name: 'Mallory' })).toBe(0)
  })

  it('a session is read from the primary if the feed does not answer', async () => {
    const { device } = await scene()
    const faults = new FaultInjector()
    const elsewhere = new TestApp(config, { ...faults.bindings(), DB })
    const other = asBearer(device, elsewhere)
    faults.outage('ENDED_SESSIONS')
    expect(await nameOf(other)).toBe('Alice')
    await device.post('/sign-out', {}, { keep: false })
    expect(await nameOf(other)).toBeNull()
  })

  it('a key that was disabled is refused after 5 seconds', async () => {
    const { app, id, device } = await scene()
    const made = await serverKey(app, { userId: id }, { rateLimitEnabled: false })
    await catchUp()
    const elsewhere = new TestApp(config, { DB })
    const there = elsewhere.device()
    there.headers['x-api-key'] = made.key
    const read = async () => (await there.get('/get-session')).status
    await device.post('/api-key/update', { keyId: made.id, enabled: false })
    pass(5)
    expect(await read()).toBe(401)
    expect((await verify(elsewhere, made.key)).code).toBe('KEY_DISABLED')
    await alter(made.id, { enabled: true })
    expect((await verify(elsewhere, made.key)).code).toBe('valid')
  })

  describe('a list of the caller’s own', () => {
    const namesOf = async (device: Device) =>
      ((await device.get('/organization/list')).body as { name: string }[]).map(({ name }) => name)
    const create = (device: Device, name: string) =>
      device.post('/organization/create', { name, slug: name.toLowerCase() })

    it('is read from the replica, in which its owner sees their own write', async () => {
      const { app, device } = await scene()
      const other = asBearer(device, app)
      expect((await create(device, 'Acme')).status).toBe(200)
      expect({ other: await namesOf(other), nearby }).toEqual({ other: [], nearby: 1 })
      expect({ own: await namesOf(device), nearby }).toEqual({ own: ['Acme'], nearby: 1 })
      await catchUp()
      pass(10)
      expect({ other: await namesOf(other), nearby }).toEqual({ other: ['Acme'], nearby: 2 })
      expect((await other.get('/list-sessions')).body).toHaveLength(1)
      expect(nearby).toBe(3)
    })

    it('is read from the primary by a page with the live channel, which loads what another device has changed', async () => {
      const { app, device } = await scene()
      const page = asBearer(device, app)
      page.headers['gatehouse-tab'] = 'tab'
      await create(device, 'Acme')
      expect({ names: await namesOf(page), nearby }).toEqual({ names: ['Acme'], nearby: 0 })
    })

    it('is refused 5 seconds after the end of the session, and comes from the primary while the feed is unknown', async () => {
      const { device } = await scene()
      const faults = new FaultInjector()
      const there = asBearer(device, new TestApp(config, { ...faults.bindings(), DB }))
      const elsewhere = asBearer(device, new TestApp(config, { DB }))
      await create(device, 'Acme')
      faults.outage('ENDED_SESSIONS')
      expect(await namesOf(there)).toEqual(['Acme'])
      expect(await namesOf(elsewhere)).toEqual([])
      await device.post('/sign-out', {}, { keep: false })
      pass(5)
      expect((await elsewhere.get('/organization/list')).status).toBe(401)
      expect((await there.get('/organization/list')).status).toBe(401)
    })
  })

  it('only reads of the signed-in caller are declared so', () => {
    const declared = declaredEndpoints.filter(({ reads }) => reads?.replica)
    expect(declared.length).toBeGreaterThan(5)
    const unfit = declared.filter(
      ({ method, changes, access }) =>
        method !== 'GET' || changes.length > 0 || !['session', 'own-session', 'visitor'].includes(access as string),
    )
    expect(unfit.map(({ path }) => path)).toEqual([])
  })
})
