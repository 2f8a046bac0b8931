import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { maxTabs } from '../../platform/durable/live-channel.ts'
import { administrator } from '../../testing/admins.ts'
import { type Device, env, outcome, TestApp } from '../../testing/harness.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'

const sockets: WebSocket[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const socket of sockets.splice(0)) socket.close()
})

/** An open tab: what it has received, and how its connection ended. */
class Tab {
  readonly received: string[] = []
  closed: number | null = null
  #notice: (() => void) | undefined

  constructor(readonly socket: WebSocket) {
    sockets.push(socket)
    socket.accept()
    socket.addEventListener('message', ({ data }) => {
      this.received.push(...(data === 'pong' ? ['pong'] : (JSON.parse(String(data)) as { changed: string[] }).changed))
      this.#notice?.()
    })
    socket.addEventListener('close', ({ code }) => {
      this.closed = code
      this.#notice?.()
    })
  }

  /** Waits until `holds`. */
  async until(holds: (tab: this) => boolean): Promise<void> {
    while (!holds(this)) {
      await new Promise<void>((resolve) => {
        this.#notice = resolve
      })
    }
  }

  receives = (change: string) => this.until(({ received }) => received.includes(change))
}

const upgrade = { upgrade: 'websocket', origin: 'http://localhost:8787' }

async function connect(
  app: TestApp,
  device: Device,
  headers: Record<string, string> = {},
  query = '',
): Promise<Response> {
  const cookie = [...device.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  return app.respond(
    new Request(`http://localhost:8787/api/auth/live${query}`, {
      headers: { ...upgrade, ...(cookie && { cookie }), ...headers },
    }),
  )
}

async function open(app: TestApp, device: Device, query = ''): Promise<Tab> {
  const { status, webSocket } = await connect(app, device, {}, query)
  expect(status).toBe(101)
  return new Tab(webSocket!)
}

describe('GET /live', () => {
  it('notifies every tab of a user of a change, and no tab of another user', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const [one, two, other] = [
      await open(app, device),
      await open(app, await signIn(app, alice)),
      await open(app, await signUp(app, bob)),
    ]
    await one.receives('sessions')
    await device.post('/update-user', { name: 'Alice Liddell' })
    await Promise.all([one.receives('user'), two.receives('user')])
    expect(other.received).toEqual([])
  })

  it('sends no message to the tab that makes the change', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const [one, two] = [await open(app, device, '?tab=one'), await open(app, device, '?tab=two')]
    await device.post('/update-user', { name: 'Alice Liddell' }, { headers: { 'gatehouse-tab': 'one' } })
    await two.receives('user')
    one.socket.send('ping')
    await one.receives('pong')
    expect(one.received).toEqual(['pong'])
  })

  it('begins with the messages of the last ten seconds, if the tab asks, and without those of its own', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const seen = await open(app, device)
    await device.post('/update-user', { name: 'Alice Liddell' }, { headers: { 'gatehouse-tab': 'one' } })
    await seen.receives('user')
    const begins = async (query: string) => {
      const tab = await open(app, device, query)
      tab.socket.send('ping')
      await tab.receives('pong')
      return tab.received
    }
    expect(await begins('?tab=two')).toEqual(['pong'])
    expect(await begins('?tab=one&recent=true')).not.toContain('user')
    expect(await begins('?tab=two&recent=true')).toEqual(expect.arrayContaining(['sessions', 'user']))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
    expect(await begins('?tab=two&recent=true')).toEqual(['pong'])
  })

  it('closes the tabs of an ended session, and notifies the others', async () => {
    const app = new TestApp()
    const here = await signUp(app, alice)
    const there = await signIn(app, alice)
    const [mine, theirs] = [await open(app, here), await open(app, there)]
    await here.post('/revoke-other-sessions')
    await theirs.until(({ closed }) => closed !== null)
    expect(theirs.closed).toBe(4401)
    await mine.receives('sessions')
    expect(mine.closed).toBeNull()
  })

  it.each([
    ['a ban', '/admin/ban-user', {}],
    ['the end of all sessions', '/admin/revoke-user-sessions', {}],
    ['a deletion', '/admin/remove-user', {}],
  ])('closes the tabs of a user after %s', async (_what, path, input) => {
    const app = new TestApp()
    const { device: admin } = await administrator(app)
    const device = await signUp(app, alice)
    const tab = await open(app, device)
    const { id } = (await device.get('/get-session')).body.user
    expect((await admin.post(path, { userId: id, ...input })).status).toBe(200)
    await tab.until(({ closed }) => closed !== null)
    expect(tab.closed).toBe(4401)
  })

  it('names roles, memberships and credentials', async () => {
    const app = new TestApp()
    const { device: admin } = await administrator(app)
    const device = await signUp(app, alice)
    const tab = await open(app, device)
    const { id } = (await device.get('/get-session')).body.user
    await admin.post('/admin/set-role', { userId: id, role: 'admin' })
    await tab.receives('user')
    await device.post('/organization/create', { name: 'Acme', slug: 'acme' })
    await tab.receives('organizations')
    await device.post('/change-password', {
      currentPassword: alice.password,
      newPassword: 'an entirely different password',
    })
    await tab.receives('credentials')
  })

  it('sleeps between messages: an evicted object still answers, and reaches its tabs', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const tab = await open(app, device)
    const { id } = (await device.get('/get-session')).body.user
    await evictDurableObject(env.LIVE.getByName(id))
    tab.socket.send('ping')
    await tab.receives('pong')
    await device.post('/update-user', { name: 'Alice Liddell' })
    await tab.receives('user')
    await evictDurableObject(env.LIVE.getByName(id))
    await device.post('/sign-out')
    await tab.until(({ closed }) => closed !== null)
    expect(tab.closed).toBe(4401)
  })

  it('stays asleep while its sockets are idle: the runtime answers each ping, and only the alarm is set', async () => {
    // The constructor of the object makes one pair.
    const pairs = vi.spyOn(
      globalThis as unknown as { WebSocketRequestResponsePair: () => unknown },
      'WebSocketRequestResponsePair',
    )
    const timers = (['setTimeout', 'setInterval'] as const).map((name) => vi.spyOn(globalThis, name))
    const app = new TestApp({ rateLimit: { enabled: false } })
    const device = await signUp(app, alice)
    const tabs = await Promise.all(Array.from({ length: maxTabs }, () => open(app, device)))
    const { user, session } = (await device.get('/get-session')).body
    const stub = env.LIVE.getByName(user.id)
    await evictDurableObject(stub)
    const wakeUps = pairs.mock.calls.length
    expect(wakeUps).toBeGreaterThan(0)
    for (const timer of timers) timer.mockClear()
    for (let minute = 0; minute < 3; minute++) {
      for (const tab of tabs) tab.socket.send('ping')
      await Promise.all(tabs.map((tab) => tab.until(({ received }) => received.length > minute)))
    }
    expect(tabs.map(({ received }) => received)).toEqual(tabs.map(() => ['pong', 'pong', 'pong']))
    expect(pairs.mock.calls.length).toBe(wakeUps)
    for (const timer of timers) expect(timer).not.toHaveBeenCalled()
    const { alarm, answered } = await runInDurableObject(stub, async (_, state) => ({
      alarm: await state.storage.getAlarm(),
      answered: state.getWebSockets().filter((socket) => state.getWebSocketAutoResponseTimestamp(socket) !== null),
    }))
    expect(pairs.mock.calls.length).toBe(wakeUps + 1)
    expect(answered).toHaveLength(maxTabs)
    expect(alarm).toBe(Date.parse(session.expiresAt))
    vi.restoreAllMocks()
  })

  it('closes a connection when its session expires', async () => {
    const app = new TestApp({ session: { expiresIn: 60, cookieCache: { maxAge: 30 } } })
    const device = await signUp(app, alice)
    const tab = await open(app, device)
    const stub = env.LIVE.getByName((await device.get('/get-session')).body.user.id)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59_000 })
    await runDurableObjectAlarm(stub)
    tab.socket.send('ping')
    await tab.receives('pong')
    expect(tab.closed).toBeNull()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2000 })
    expect(await runDurableObjectAlarm(stub)).toBe(true)
    await tab.until(({ closed }) => closed !== null)
    expect(tab.closed).toBe(4401)
  })

  it('closes a tab that sends anything but ping', async () => {
    const app = new TestApp()
    const tab = await open(app, await signUp(app, alice))
    tab.socket.send('{"changed":["user"]}')
    await tab.until(({ closed }) => closed !== null)
    expect(tab.closed).toBe(1008)
  })

  it('refuses too many tabs of one user', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    const device = await signUp(app, alice)
    const tabs = await Promise.all(Array.from({ length: maxTabs }, () => open(app, device)))
    expect((await connect(app, device)).status).toBe(429)
    tabs[0]!.socket.close()
    await tabs[0]!.until(({ closed }) => closed !== null)
    expect((await connect(app, await signUp(app, bob))).status).toBe(101)
  })

  it('refuses a page of another site, a visitor, and a request for no WebSocket', async () => {
    const app = new TestApp({ trustedOrigins: ['https://app.example.com'] })
    const device = await signUp(app, alice)
    const status = async (headers: Record<string, string>) => {
      const { status, webSocket } = await connect(app, device, headers)
      webSocket?.accept()
      webSocket?.close()
      return status
    }
    expect(await status({ origin: 'https://evil.example.com' })).toBe(403)
    expect(await status({ origin: 'null' })).toBe(403)
    expect(await status({ origin: 'https://app.example.com' })).toBe(101)
    expect(outcome(await device.get('/live', { headers: { origin: '' } }))).toEqual({
      status: 403,
      code: 'INVALID_ORIGIN',
    })
    expect(outcome(await device.get('/live'))).toEqual({
      status: 426,
      code: 'UPGRADE_REQUIRED',
    })
    expect((await connect(app, app.device())).status).toBe(401)
  })

  it('does not exist while it is off, and then nothing is sent', async () => {
    const app = new TestApp({ live: { enabled: false } })
    const device = await signUp(app, alice)
    expect((await connect(app, device)).status).toBe(404)
    expect((await device.get('/config')).body.features.live).toBeUndefined()
  })

  it('an unreachable channel delays no response', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const unreachable = {
      getByName: () => ({
        notify: () => Promise.reject(new Error('unreachable')),
        fetch: () => Promise.reject(new Error('unreachable')),
      }),
    }
    const app = new TestApp({}, { LIVE: unreachable as never })
    const device = await signUp(app, alice)
    expect((await device.post('/update-user', { name: 'Alice Liddell' })).status).toBe(200)
    expect((await connect(app, device)).status).toBe(503)
    expect(log.mock.calls.join()).toContain('afterwards-failed')
    vi.restoreAllMocks()
  })
})
