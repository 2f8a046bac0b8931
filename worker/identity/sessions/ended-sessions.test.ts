import { runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { maxOutage } from '../../platform/circuit.ts'
import { FaultInjector } from '../../testing/faults.ts'
import { type Device, env, TestApp } from '../../testing/harness.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { count } from '../../testing/rows.ts'
import { updateUsers } from '../../testing/states.ts'

// Each TestApp is an isolate of its own. The isolates of a test share the bindings and the cache.
let started = Date.now()

beforeEach(() => {
  // Answers of the feed that an earlier test left in the cache are too old.
  started += 3_600_000
  vi.useFakeTimers({ toFake: ['Date'], now: started })
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const used = ({ io }: { io: Record<string, [number, number]> }) => Object.values(io).map(([one]) => one)

async function administrator(app: TestApp): Promise<Device> {
  await signUp(app, bob)
  await updateUsers({ role: 'admin' }, { email: bob.email })
  return signIn(app, bob)
}

/** The same browser, whose requests arrive at another isolate. */
async function elsewhere(device: Device, app = new TestApp()): Promise<Device> {
  const other = app.device(device.ip)
  for (const [name, value] of device.jar) other.jar.set(name, value)
  return other
}

describe('a session that ends at another isolate', () => {
  it('is in the feed before the batch of a sign-out, which then writes no job', async () => {
    const faults = new FaultInjector()
    const app = new TestApp({}, faults.bindings())
    const device = await signUp(app, alice)
    faults.watch()
    await device.post('/sign-out', {}, { keep: false })
    const calls = faults.calls.filter((call) => /^(?:D1|ENDED_SESSIONS add)/.test(call))
    expect(calls.slice(0, 2)).toEqual(['ENDED_SESSIONS add', 'D1 batch'])
    expect(calls.filter((call) => call.startsWith('ENDED_SESSIONS'))).toHaveLength(1)
    const again = new TestApp()
    const other = await signIn(again, alice)
    expect((await other.post('/sign-out')).rows.written).toBeLessThanOrEqual(10)
    expect(await count('jobs')).toBe(0)
  })

  it('is in the feed by a job, if no data cookie says which session the token belongs to', async () => {
    const faults = new FaultInjector()
    const app = new TestApp({}, faults.bindings())
    const device = await signUp(app, alice)
    const other = await elsewhere(device)
    // The cookie of another session does not count.
    const { jar } = await signIn(app, alice)
    device.jar.set('gatehouse.session_data', jar.get('gatehouse.session_data')!)
    faults.watch()
    await device.post('/sign-out', {}, { keep: false })
    expect(faults.calls.indexOf('ENDED_SESSIONS add')).toBeGreaterThan(faults.calls.indexOf('D1 batch'))
    pass(5)
    expect((await other.get('/get-session')).body).toBeNull()
  })

  it('is believed without I/O while it lives, and refused 5 seconds after its end', async () => {
    const device = await signUp(new TestApp(), alice)
    const other = await elsewhere(device)
    expect((await other.get('/get-session')).body.user.email).toBe(alice.email)
    for (let second = 0; second < 60; second++) {
      pass(1)
      const answer = await other.get('/get-session')
      expect({ email: answer.body.user.email, io: used(answer) }).toEqual({ email: alice.email, io: [0, 0, 0, 0, 0] })
    }
    await device.post('/sign-out', {}, { keep: false })
    pass(5)
    expect((await other.get('/get-session')).body).toBeNull()
    expect(other.jar.has('gatehouse.session_data')).toBe(false)
  })

  it('is refused by an isolate that has just started, and by one that was idle', async () => {
    const device = await signUp(new TestApp(), alice)
    const idle = await elsewhere(device)
    await idle.get('/get-session')
    pass(60)
    await device.post('/sign-out', {}, { keep: false })
    pass(5)
    expect((await idle.get('/get-session')).body).toBeNull()
    expect((await (await elsewhere(device)).get('/get-session')).body).toBeNull()
  })

  it.each<[string, (app: TestApp, device: Device) => Promise<unknown>]>([
    ['revoked from another device', async (app) => (await signIn(app, alice)).post('/revoke-other-sessions')],
    [
      'ended by a change of the password',
      async (app) =>
        (await signIn(app, alice)).post('/change-password', {
          currentPassword: alice.password,
          newPassword: 'another-password-1',
          revokeOtherSessions: true,
        }),
    ],
    [
      'of a user whom an administrator bans',
      async (app, device) => {
        const { id } = (await device.get('/get-session')).body.user
        return (await administrator(app)).post('/admin/ban-user', { userId: id })
      },
    ],
    [
      'of a user whom an administrator removes',
      async (app, device) => {
        const { id } = (await device.get('/get-session')).body.user
        return (await administrator(app)).post('/admin/remove-user', { userId: id })
      },
    ],
  ])('%s', async (_, end) => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const other = await elsewhere(device)
    expect((await other.get('/get-session')).body.user.email).toBe(alice.email)
    expect(await end(app, device)).toMatchObject({ status: 200 })
    pass(5)
    const answer = await other.get('/get-session')
    expect(answer.body).toBeNull()
  })

  it('does not end the sessions of others', async () => {
    const app = new TestApp()
    const [device, second] = [await signUp(app, alice), await signUp(app, bob)]
    const others = new TestApp()
    const [mine, theirs] = [await elsewhere(device, others), await elsewhere(second, others)]
    await device.post('/sign-out', {}, { keep: false })
    pass(5)
    expect((await mine.get('/get-session')).body).toBeNull()
    // The first answer of an isolate also reads the keys of JWTs.
    await theirs.get('/get-session')
    const answer = await theirs.get('/get-session')
    expect({ email: answer.body.user.email, io: used(answer) }).toEqual({ email: bob.email, io: [0, 0, 0, 0, 0] })
  })

  const disabled = (...features: string[]) => Object.fromEntries(features.map((name) => [name, { enabled: false }]))

  it('adds nothing where nothing outlives a session', async () => {
    const faults = new FaultInjector()
    const off = { session: { cookieCache: { enabled: false } }, ...disabled('jwt', 'apiKey', 'serverKeys') }
    const app = new TestApp(off, faults.bindings())
    const device = await signUp(app, alice)
    faults.watch()
    await device.post('/sign-out')
    expect(faults.calls.filter((call) => call.startsWith('ENDED_SESSIONS'))).toEqual([])
  })
})

describe('a feed that does not answer', () => {
  it('cookies are believed for 30 seconds, then the database is asked, until it answers again', async () => {
    const faults = new FaultInjector()
    const device = await signUp(new TestApp(), alice)
    const other = await elsewhere(device, new TestApp({}, faults.bindings()))
    await other.get('/get-session')
    faults.outage('ENDED_SESSIONS since')
    pass(29)
    expect(used(await other.get('/get-session'))).toEqual([0, 0, 0, 0, 0])
    pass(2)
    const asked = await other.get('/get-session')
    expect({ email: asked.body.user.email, io: used(asked) }).toEqual({ email: alice.email, io: [1, 0, 0, 0, 0] })
    await device.post('/sign-out', {}, { keep: false })
    expect((await other.get('/get-session', {})).body).toBeNull()
    faults.watch()
    const returning = await signIn(new TestApp(), alice)
    const next = await elsewhere(returning, new TestApp({}, faults.bindings()))
    await next.get('/get-session')
    pass(2)
    expect(used(await next.get('/get-session'))).toEqual([0, 0, 0, 0, 0])
  })

  it('asks once a second at most', async () => {
    const faults = new FaultInjector()
    const device = await signUp(new TestApp(), alice)
    const other = await elsewhere(device, new TestApp({}, faults.bindings()))
    await other.get('/get-session')
    faults.outage('ENDED_SESSIONS since')
    pass(10)
    for (let request = 0; request < 20; request++) await other.get('/get-session')
    expect(faults.calls.filter((call) => call.startsWith('ENDED_SESSIONS'))).toHaveLength(1)
  })

  it('a job adds the session when it answers again', async () => {
    const faults = new FaultInjector()
    const app = new TestApp({}, faults.bindings())
    const device = await signUp(app, alice)
    const other = await elsewhere(device)
    faults.outage('ENDED_SESSIONS add')
    await device.post('/sign-out', {}, { keep: false })
    // Before the batch, and three times in its job.
    expect(faults.calls.filter((call) => call === 'ENDED_SESSIONS add')).toHaveLength(4)
    expect(await count('jobs')).toBe(1)
    faults.watch()
    pass(1)
    await app.runScheduled()
    expect(await count('jobs')).toBe(0)
    pass(5)
    expect((await other.get('/get-session')).body).toBeNull()
  })

  it('a feed that was emptied is read from its beginning', async () => {
    const app = new TestApp()
    const first = await signUp(app, alice)
    const second = await signUp(app, bob)
    const others = new TestApp()
    await first.post('/sign-out', {}, { keep: false })
    pass(5)
    expect((await (await elsewhere(first, others)).get('/get-session')).body).toBeNull()
    await runInDurableObject(env.ENDED_SESSIONS.getByName('all'), (_, { storage }) => {
      storage.sql.exec('delete from ended')
      storage.sql.exec('delete from sqlite_sequence')
    })
    await second.post('/sign-out', {}, { keep: false })
    pass(5)
    expect((await (await elsewhere(second, others)).get('/get-session')).body).toBeNull()
  })
})

describe('the feed', () => {
  const feed = () => env.ENDED_SESSIONS.getByName('all')
  const stored = () =>
    runInDurableObject(feed(), (_, { storage }) =>
      storage.sql.exec<{ id: string }>('select id from ended order by place').toArray(),
    )

  it('keeps each session once, in order, and returns those after a place', async () => {
    await feed().add(['a', 'b'], 60_000)
    await feed().add(['b', 'c'], 60_000)
    const { last, ids } = await feed().since(0)
    expect(ids).toEqual(['a', 'b', 'c'])
    await feed().add(['d'], 60_000)
    expect((await feed().since(last)).ids).toEqual(['d'])
    expect((await feed().since(1_000_000)).ids).toEqual(['a', 'b', 'c', 'd'])
  })

  it('deletes what no cookie can outlive, an outage of ten minutes included, and from when it has all entries', async () => {
    await feed().add(['a'], 60_000)
    const until = Date.now() + 60_000
    pass(30)
    await feed().add(['b'], 60_000)
    pass(maxOutage)
    await runInDurableObject(feed(), (object) => object.alarm())
    expect(await feed().since(0)).toMatchObject({ ids: ['a', 'b'], completeFrom: 0 })
    pass(31)
    await runInDurableObject(feed(), (object) => object.alarm())
    expect(await stored()).toEqual([{ id: 'b' }])
    expect(await feed().since(0)).toMatchObject({ completeFrom: until })
    pass(60)
    await runInDurableObject(feed(), (object) => object.alarm())
    expect(await stored()).toEqual([])
  })
})
