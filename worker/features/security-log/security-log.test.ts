import { afterEach, describe, expect, it, vi } from 'vitest'
import { administrator, plain } from '../../testing/admins.ts'
import { type Device, TestApp } from '../../testing/harness.ts'
import { installReceivers, WebhookReceiver, webhookSecret } from '../../testing/outside/webhook-receiver.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { storedRows } from '../../testing/rows.ts'
import { idOf } from '../../testing/states.ts'
import { passTime, stopClock } from '../../testing/two-factor.ts'

const newApp = (more: object = {}) => new TestApp({ rateLimit: { enabled: false }, ...more })

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const rows = async (type: string) => (await storedRows('security_events')).filter((event) => event.type === type)

const wrong = (device: Device, more: object = {}) =>
  device.post('/sign-in/email', { ...alice, password: 'wrong-password', ...more })

describe('GET /security-events', () => {
  it('200: what happened, with place and device, and what this session did', async () => {
    const app = newApp()
    const other = await signUp(app, alice)
    const device = await signIn(app, alice)
    const { status, body, io } = await device.get('/security-events')
    expect({ status, d1: io.d1![0], next: body.next }).toEqual({ status: 200, d1: 1, next: null })
    expect(body.events).toHaveLength(2)
    expect(body.events[0]).toEqual({
      id: expect.any(String),
      type: 'sign-in',
      outcome: 'success',
      method: 'email',
      details: { risk: 'notice', reasons: 'new-device' },
      ipAddress: device.ip,
      userAgent: 'harness/1.0',
      device: null,
      city: null,
      country: null,
      createdAt: expect.any(String),
      current: true,
    })
    expect(body.events[1]).toMatchObject({ method: 'sign-up', ipAddress: other.ip, current: false })
  })

  it('names the browser and the system of an event', async () => {
    const app = newApp()
    await signUp(app, alice)
    const device = app.device()
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0' }
    await device.post('/sign-in/email', alice, { headers })
    const { body } = await device.get('/security-events')
    expect(body.events[0].device).toEqual({ browser: 'Firefox 131', os: 'Linux' })
  })

  it('shows no events of other users', async () => {
    const app = newApp()
    await signUp(app, alice)
    const { body } = await (await signUp(app, bob)).get('/security-events')
    expect(body.events).toHaveLength(1)
  })

  it('filters by type and by period', async () => {
    const app = newApp()
    const device = await signUp(app, alice)
    await signIn(app, alice)
    const typesOf = async (query: Record<string, string>) => {
      const { status, body } = await device.get('/security-events', { query })
      return status === 200 ? body.events.map(({ type }: { type: string }) => type) : status
    }
    const all = await typesOf({})
    expect(all.length).toBeGreaterThan(1)
    expect(await typesOf({ type: 'sign-in' })).toEqual(all.filter((type: string) => type === 'sign-in'))
    expect(await typesOf({ type: 'password-changed' })).toEqual([])
    expect(await typesOf({ since: '2099-01-01T00:00:00Z' })).toEqual([])
    expect(await typesOf({ until: '2000-01-01T00:00:00Z' })).toEqual([])
    for (const query of [{ type: 'x' }, { since: 'yesterday' }] as Record<string, string>[])
      expect(await typesOf(query)).toBe(400)
  })

  it('pages by a cursor: each event once, newest first, at most 100', async () => {
    const app = newApp()
    const device = await signUp(app, alice)
    for (let time = 0; time < 4; time++) await signIn(app, alice)
    const ids: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: any } = await device.get('/security-events', {
        query: { limit: '2', ...(cursor ? { cursor } : {}) },
      })
      expect(body.events.length).toBeLessThanOrEqual(2)
      ids.push(...body.events.map(({ id }: { id: string }) => id))
      cursor = body.next
    }
    const { body } = await device.get('/security-events', { query: { limit: '100' } })
    expect(ids).toEqual(body.events.map(({ id }: { id: string }) => id))
    expect(new Set(ids).size).toBe(5)
    for (const query of [{ limit: '101' }, { limit: '0' }, { cursor: 'x' }] as Record<string, string>[]) {
      expect((await device.get('/security-events', { query })).status).toBe(400)
    }
  })

  it('401 for a visitor, 403 for an API key and under impersonation', async () => {
    const app = newApp()
    expect((await app.device().get('/security-events')).status).toBe(401)
    const device = await signUp(app, alice)
    const { body } = await device.post('/api-key/create', { name: 'key' })
    const client = app.device()
    client.headers = { 'x-api-key': body.key }
    expect((await client.get('/security-events')).status).toBe(403)
    const { device: admin } = await administrator(app)
    await admin.post('/admin/impersonate-user', { userId: await idOf(alice.email) })
    expect((await admin.get('/security-events')).body.code).toBe('OWN_SESSION_REQUIRED')
  })
})

describe('GET /admin/security-events and listSecurityEvents', () => {
  it('200: the same with the administrator who acted and the request; 403 for others', async () => {
    const app = newApp()
    const { device: admin, id: actorId } = await administrator(app)
    const { id: userId, device } = await plain(app, alice)
    await admin.post('/admin/set-user-password', { userId, newPassword: 'another-password' })
    const { status, body, io } = await admin.get('/admin/security-events', { query: { userId } })
    expect({ status, d1: io.d1![0] }).toEqual({ status: 200, d1: 1 })
    expect(body.events).toMatchObject([{ type: 'password-reset', actorId, requestId: expect.any(String) }])
    expect((await device.get('/admin/security-events', { query: { userId } })).status).toBe(401)
    const stranger = await signUp(app, bob)
    expect((await stranger.get('/admin/security-events', { query: { userId } })).body.code).toBe('FORBIDDEN')
    expect(body.events).toMatchObject([{ userId, userName: alice.name, userEmail: alice.email }])
    const filtered = async (query: Record<string, string>) =>
      (await admin.get('/admin/security-events', { query })).body.events.map(({ type }: { type: string }) => type)
    expect(await filtered({})).toEqual(['access-refused', 'sign-in', 'password-reset'])
    expect(await filtered({ type: 'password-reset' })).toEqual(['password-reset'])
    expect(await filtered({ userId: bob.email, type: 'sign-in' })).toEqual(['sign-in'])
    expect(await filtered({ userId: bob.email, type: 'password-reset' })).toEqual([])
    expect(await filtered({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([])
    expect(await filtered({ until: new Date(Date.now() + 60_000).toISOString() })).toHaveLength(3)
    const told = await app.serverApi().listSecurityEvents({ userId, limit: 1 })
    expect(told).toMatchObject({ ok: true, result: { events: [{ type: 'password-reset', actorId }], next: null } })
    expect(await app.serverApi().listSecurityEvents({ userId, cursor: 'x' })).toMatchObject({ code: 'INVALID_CURSOR' })
  })
})

describe('what the log costs, and what bounds it', () => {
  it('a sign-in stays one D1 round trip to read and one to write', async () => {
    const app = newApp()
    await signUp(app, alice)
    expect((await app.device().post('/sign-in/email', alice)).io.d1![0]).toBe(2)
  })

  it('keeps the newest events of a user', async () => {
    const app = newApp({ securityLog: { maxPerUser: 3 } })
    const device = await signUp(app, alice)
    for (let time = 0; time < 4; time++) await signIn(app, alice)
    const { body } = await device.get('/security-events')
    expect(body.events.map(({ method }: { method: string }) => method)).toEqual(['email', 'email', 'email'])
  })

  it('the cron trigger deletes events that are older than the retention, and no others', async () => {
    stopClock()
    const app = newApp()
    await signUp(app, alice)
    passTime(60 * 86_400)
    await signIn(app, alice)
    passTime(30 * 86_400)
    await app.runScheduled()
    expect((await rows('sign-in')).map(({ method }) => method)).toEqual(['email'])
  })

  it('goes with the user', async () => {
    const app = newApp({ user: { deleteUser: { enabled: true } } })
    const device = await signUp(app, alice)
    await device.post('/delete-user', { password: alice.password })
    expect(await rows('sign-in')).toEqual([])
  })
})

describe('failures', () => {
  it('a wrong password for an unknown user is not recorded', async () => {
    await wrong(newApp().device())
    expect(await rows('sign-in-failed')).toEqual([])
  })

  it('only guesses that were admitted are recorded, and a lock-out once in a window', async () => {
    stopClock()
    const app = newApp({ passwordGuesses: { max: 3, window: 900 } })
    await signUp(app, alice)
    const statuses: number[] = []
    for (let time = 0; time < 6; time++) statuses.push((await wrong(app.device())).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429])
    expect({
      failedSignIns: (await rows('sign-in-failed')).length,
      lockOuts: (await rows('locked-out')).length,
    }).toEqual({ failedSignIns: 3, lockOuts: 1 })
    passTime(901)
    for (let time = 0; time < 4; time++) await wrong(app.device())
    expect({
      failedSignIns: (await rows('sign-in-failed')).length,
      lockOuts: (await rows('locked-out')).length,
    }).toEqual({ failedSignIns: 6, lockOuts: 2 })
  })

  it('a loop of refused requests is not a loop of writes, and names the path of the contract', async () => {
    stopClock()
    const app = newApp()
    const device = await signUp(app, alice)
    const ask = () => device.get('/admin/get-user', { query: { id: 'x' } })
    for (let time = 0; time < 15; time++) expect((await ask()).status).toBe(403)
    const refused = await rows('access-refused')
    expect(refused).toHaveLength(10)
    expect(refused[0]).toMatchObject({ outcome: 'failure' })
    expect(JSON.parse(refused[0]!.details as string)).toEqual({
      path: '/admin/get-user',
      code: 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS',
    })
    passTime(3601)
    await ask()
    expect(await rows('access-refused')).toHaveLength(11)
  })

  it('a session that was authenticated long ago is a refusal as well', async () => {
    stopClock()
    const device = await signUp(newApp(), alice)
    passTime(2 * 86_400)
    expect((await device.get('/passkey/generate-register-options')).status).toBe(403)
    expect(JSON.parse((await rows('access-refused'))[0]!.details as string)).toMatchObject({
      code: 'SESSION_IS_NOT_FRESH',
    })
  })

  it('a change that is refused is not recorded', async () => {
    const app = newApp()
    const device = await signUp(app, alice)
    const change = { currentPassword: 'wrong-password', newPassword: 'another-password' }
    expect((await device.post('/change-password', change)).status).toBe(400)
    expect(await rows('password-changed')).toEqual([])
    expect(await app.notices()).toEqual([])
  })
})

describe('webhooks and the log of the Worker', () => {
  it('receivers of security.* get the event with its user, and no secret', async () => {
    const receiver = new WebhookReceiver()
    installReceivers(receiver)
    const endpoints = [{ url: receiver.url, events: ['security.*'], secrets: ['WEBHOOK_SECRET_ACME'] }]
    const app = new TestApp({ rateLimit: { enabled: false }, webhooks: { endpoints: endpoints as never } }, {
      WEBHOOK_SECRET_ACME: webhookSecret('a'),
    } as object)
    const device = await signUp(app, alice)
    await wrong(device)
    expect(receiver.types).toEqual(['security.event', 'security.event'])
    const [signedIn, failed] = receiver.taken.map(({ data }) => data as Record<string, any>)
    expect(signedIn!.event).toMatchObject({ type: 'sign-in', outcome: 'success', details: {}, ipAddress: device.ip })
    expect(failed!.event).toMatchObject({ type: 'sign-in-failed', outcome: 'failure', method: 'password' })
    expect(failed!.user.email).toBe(alice.email)
    const token = device.cookie('session_token')!.split('.')[0]!
    expect(JSON.stringify(receiver.requests.map(({ body }) => body))).not.toContain(token)
  })

  it('no line names an address, a number, a name, a device or an IP address', async () => {
    const lines: string[] = []
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, level).mockImplementation((...given) => void lines.push(given.map(String).join(' ')))
    }
    const person = { name: 'Ada Lovelace', email: 'ada.lovelace@example.com', password: 'password1234' }
    const failing = () => Promise.reject(new Error(`550 ${person.email} at +15550001111 refused`))
    // The development server waits for the retries of a failed mail.
    const app = new TestApp(
      {
        rateLimit: { enabled: false },
        mail: { transport: failing },
        text: { transport: failing },
        passwordGuesses: { max: 2, window: 900 },
        messages: { mailsPerRecipient: { max: 1 } },
      },
      {},
      false,
    )
    const device = await signUp(app, person)
    device.headers = { 'user-agent': 'Netscape/4.79 (Secret Device)' }
    await device.post('/phone-number/send-otp', { phoneNumber: '+15550001111' })
    for (let time = 0; time < 3; time++) await wrong(device, { email: person.email })
    for (let time = 0; time < 2; time++) await device.post('/request-password-reset', { email: person.email })
    await device.post('/change-password', { currentPassword: person.password, newPassword: 'another-password' })
    await device.get('/admin/get-user', { query: { id: person.email } })
    await device.post('/sign-in/social', { provider: person.email, callbackURL: '/x' })
    await app.runScheduled()
    expect(lines.length).toBeGreaterThan(0)
    const personal = [person.email, 'lovelace', '5550001111', 'Netscape', device.ip, person.password]
    expect(lines.filter((line) => personal.some((text) => line.toLowerCase().includes(text.toLowerCase())))).toEqual([])
  })
})
