import { createLocalJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { administrator } from '../../testing/admins.ts'
import { env, outcome, TestApp } from '../../testing/harness.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { jobsOf } from '../../testing/states.ts'

const issuer = 'http://localhost:8787'
const caep = 'https://schemas.openid.net/secevent/caep/event-type'
const risc = 'https://schemas.openid.net/secevent/risc/event-type'
const url = 'https://signals.acme.example.com/events'
const audience = 'https://acme.example.com'

/** A receiver (RFC 8935), which reads tokens with jose. */
let requests: { headers: Headers; body: string; url: string }[]
let answers: () => Response
beforeEach(() => {
  requests = []
  answers = () => new Response(null, { status: 202 })
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    requests.push({
      headers: request.headers,
      body: new TextDecoder().decode(await request.arrayBuffer()),
      url: request.url,
    })
    return answers()
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const app = (receiver: object = {}, more: object[] = []) =>
  new TestApp(
    {
      rateLimit: { enabled: false },
      sharedSignals: { receivers: [{ name: 'acme', url, audience, ...receiver }, ...more] },
    } as never,
    { SIGNALS_ACME: 'Bearer a-secret' } as object,
  )

/** Signals that wait or were given up. */
const signals = async () => (await jobsOf('signal')).filter(({ state }) => state !== 'resting')

type Received = JWTPayload & { sub_id: Record<string, any>; events: Record<string, Record<string, any>> }

async function received(from: TestApp, at = 0): Promise<Received[]> {
  const { body } = await from.device().get('/jwks')
  const keys = createLocalJWKSet(body)
  return Promise.all(
    requests.slice(at).map(async (request) => {
      const { payload } = await jwtVerify(request.body, keys, { issuer, audience, typ: 'secevent+jwt' })
      return payload as Received
    }),
  )
}

const idOf = async (device: { get(path: string): Promise<{ body: any }> }) =>
  (await device.get('/get-session')).body as { user: { id: string }; session: { id: string } }

describe('GET /.well-known/ssf-configuration', () => {
  it('describes the transmitter, at the origin and below the base path, for any site', async () => {
    const device = app().device()
    const { status, body, headers } = await device.get(`${issuer}/.well-known/ssf-configuration`)
    expect({ status, body, allowOrigin: headers.get('access-control-allow-origin') }).toEqual({
      status: 200,
      body: {
        spec_version: '1_0',
        issuer,
        jwks_uri: `${issuer}/api/auth/jwks`,
        delivery_methods_supported: ['urn:ietf:rfc:8935'],
        default_subjects: 'ALL',
      },
      allowOrigin: '*',
    })
    expect((await device.get('/.well-known/ssf-configuration')).body).toEqual(body)
  })

  it('404 without a receiver, and nothing is written', async () => {
    const without = new TestApp()
    const device = await signUp(without, alice)
    expect((await device.get('/.well-known/ssf-configuration')).status).toBe(404)
    await device.post('/sign-out')
    expect(await signals()).toEqual([])
  })
})

describe('a receiver', () => {
  it('gets session-revoked for the session that has ended, once, as a signed token without an expiry', async () => {
    const server = app({ authorization: 'SIGNALS_ACME' })
    const device = await signUp(server, alice)
    const { user, session } = await idOf(device)
    await device.post('/sign-out')
    const [token, ...rest] = await received(server)
    expect(rest).toEqual([])
    expect(decodeProtectedHeader(requests[0]!.body)).toMatchObject({ typ: 'secevent+jwt', kid: expect.any(String) })
    const at = expect.any(Number)
    expect(token).toEqual({
      ...{ iss: issuer, aud: audience, iat: at, jti: expect.any(String), toe: at },
      sub_id: {
        format: 'complex',
        user: { format: 'iss_sub', iss: issuer, sub: user.id },
        session: { format: 'opaque', id: session.id },
      },
      events: { [`${caep}/session-revoked`]: { event_timestamp: at } },
    })
    const { headers } = requests[0]!
    expect(['content-type', 'accept', 'authorization'].map((name) => headers.get(name))).toEqual([
      'application/secevent+jwt',
      'application/json',
      'Bearer a-secret',
    ])
    expect(requests[0]!.body).not.toContain(alice.email)
    expect(await signals()).toEqual([])
  })

  it('gets credential-change with the kind of credential, and nothing for other events of the log', async () => {
    const server = app({ events: ['credential-change'] })
    const device = await signUp(server, alice)
    await signIn(server, alice)
    const { user } = await idOf(device)
    expect(requests).toEqual([])
    const newPassword = 'an entirely different password'
    await device.post('/change-password', { currentPassword: alice.password, newPassword, revokeOtherSessions: true })
    const tokens = await received(server)
    expect(tokens.map(({ sub_id, events }) => ({ sub_id, events }))).toEqual([
      {
        sub_id: { format: 'iss_sub', iss: issuer, sub: user.id },
        events: {
          [`${caep}/credential-change`]: {
            ...{ event_timestamp: expect.any(Number), credential_type: 'password', change_type: 'update' },
          },
        },
      },
    ])
  })

  it('gets account-disabled after a ban, and nothing after another change of a user', async () => {
    const server = app({ events: ['account-disabled'] })
    const { device: admin } = await administrator(server)
    const device = await signUp(server, alice)
    const { user } = await idOf(device)
    await device.post('/update-user', { name: 'Alice Liddell' })
    expect(requests).toEqual([])
    await admin.post('/admin/ban-user', { userId: user.id })
    const tokens = await received(server)
    expect(tokens.map(({ sub_id, events }) => ({ sub_id, events }))).toEqual([
      {
        sub_id: { format: 'iss_sub', iss: issuer, sub: user.id },
        events: { [`${risc}/account-disabled`]: {} },
      },
    ])
  })

  it('gets only its own events, with its own audience', async () => {
    const other = { name: 'other', url: 'https://other.example.com/events', audience: 'other' }
    const server = app({ events: ['account-disabled'] }, [{ ...other, events: ['session-revoked'] }])
    await (await signUp(server, bob)).post('/sign-out')
    expect(requests.map((request) => request.url)).toEqual([other.url])
    await expect(received(server)).rejects.toMatchObject({ claim: 'aud' })
  })

  it('that does not accept an event gets it again with the same jti', async () => {
    const server = app({ events: ['session-revoked'] })
    answers = () => new Response(null, { status: 503 })
    await (await signUp(server, alice)).post('/sign-out')
    expect(await signals()).toMatchObject([{ state: 'pending', lastError: 'the receiver answered 503' }])
    answers = () => new Response(null, { status: 202 })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 })
    await server.runScheduled()
    const [first, second, ...rest] = await received(server)
    expect(rest).toEqual([])
    expect(second!.jti).toBe(first!.jti)
    expect(second!.toe).toBe(first!.toe)
    expect(await signals()).toEqual([])
  })

  it.each([
    ['invalid_audience', 'failed'],
    ['invalid_key', 'pending'],
    ['a code that is not one', 'pending'],
  ])('that refuses an event with %s: the event is %s (RFC 8935, section 2.3)', async (err, state) => {
    const server = app({ events: ['session-revoked'] })
    answers = () => Response.json({ err, description: 'no' }, { status: 400 })
    await (await signUp(server, alice)).post('/sign-out')
    expect(await signals()).toMatchObject([{ state }])
  })
})

describe('a configuration', () => {
  const start =
    (receiver: object, environment: object = {}, more: object[] = []) =>
    () =>
      new TestApp(
        { sharedSignals: { receivers: [{ name: 'acme', url, audience, ...receiver }, ...more] } } as never,
        environment,
      )
  const production = { ENVIRONMENT: 'production', BASE_URL: 'https://accounts.example.com' }

  it.each<[string, object, object, RegExp]>([
    ['an unknown event', { events: ['session-started'] }, {}, /sharedSignals\.receivers\.0\.events\.0/],
    ['no events', { events: [] }, {}, /sharedSignals\.receivers\.0\.events/],
    ['a name that cannot be part of a kind', { name: 'a/b' }, {}, /sharedSignals\.receivers\.0\.name/],
    ['an address that is not http', { url: 'mailto:a@example.com' }, {}, /sharedSignals\.receivers\.0\.url/],
    ['http in production', { url: 'http://a.example.com/' }, production, /sharedSignals\.receivers\.0\.url/],
    ['an internal address in production', { url: 'https://10.0.0.1/' }, production, /sharedSignals\.receivers\.0\.url/],
    [
      'a missing secret',
      { authorization: 'NOWHERE' },
      {},
      /NOWHERE[\s\S]*wrangler secret put NOWHERE`, on a development machine in \.dev\.vars/,
    ],
  ])('is refused with %s', (_what, receiver, environment, reason) => {
    expect(start(receiver, environment)).toThrow(reason)
  })

  it('is refused with two receivers of one name', () => {
    expect(start({}, {}, [{ name: 'acme', url, audience }])).toThrow(/sharedSignals\.receivers\.1\.name/)
    expect(start({ url: 'http://localhost:3000/events' })).not.toThrow()
  })
})

describe('a registered receiver', () => {
  /** An administrator, and a receiver with its own device. */
  async function scene(receiver: object = {}, config: object = {}) {
    const server = new TestApp({
      rateLimit: { enabled: false },
      sharedSignals: { registration: true, ...config },
    } as never)
    const { device: admin } = await administrator(server)
    const made = await admin.post('/admin/create-signal-receiver', { name: 'Acme', audience, ...receiver })
    expect(made.status).toBe(200)
    const acme = server.device()
    acme.headers.authorization = `Bearer ${made.body.token}`
    const poll = async (input: object = {}) => (await acme.post('/ssf/poll', input)).body
    return { server, admin, acme, poll, id: made.body.id as string, token: made.body.token as string }
  }

  async function claimsOf(server: TestApp, sets: Record<string, string>): Promise<Received[]> {
    const keys = createLocalJWKSet((await server.device().get('/jwks')).body)
    const tokens = Object.values(sets)
    const options = { issuer, audience, typ: 'secevent+jwt' }
    return Promise.all(tokens.map(async (token) => (await jwtVerify(token, keys, options)).payload as Received))
  }

  it('polls its events in order until it acknowledges them, and no event of another receiver', async () => {
    const { server, admin, poll } = await scene()
    const other = await admin.post('/admin/create-signal-receiver', {
      ...{ name: 'Other', audience: 'other', events: ['account-disabled'] },
    })
    const device = await signUp(server, alice)
    const { user, session } = await idOf(device)
    await device.post('/sign-out')
    const again = await signIn(server, alice)
    await again.post('/sign-out')
    const first = await poll({ maxEvents: 1 })
    expect(first).toEqual({ sets: expect.any(Object), moreAvailable: true })
    const [claims] = await claimsOf(server, first.sets)
    expect(Object.keys(first.sets)).toEqual([claims!.jti])
    expect(claims!.sub_id).toMatchObject({ user: { sub: user.id }, session: { id: session.id } })
    expect(Object.keys(claims!.events)).toEqual([`${caep}/session-revoked`])
    // Not acknowledged: the same event again.
    const both = await poll()
    expect(Object.keys(both.sets)).toHaveLength(2)
    expect(Object.keys(both.sets)[0]).toBe(claims!.jti)
    const [kept, refused] = Object.keys(both.sets)
    const rest = await poll({ ack: [kept], setErrs: { [refused!]: { err: 'invalid_request' } } })
    expect(rest).toEqual({ sets: {} })
    const stranger = server.device()
    stranger.headers.authorization = `Bearer ${other.body.token}`
    expect((await stranger.post('/ssf/poll', {})).body).toEqual({ sets: {} })
    expect(requests).toEqual([])
  })

  it('cannot acknowledge events of another receiver', async () => {
    const { server, admin, poll } = await scene()
    const other = await admin.post('/admin/create-signal-receiver', { name: 'Other', audience: 'other' })
    await (await signUp(server, alice)).post('/sign-out')
    const { sets } = await poll()
    const stranger = server.device()
    stranger.headers.authorization = `Bearer ${other.body.token}`
    await stranger.post('/ssf/poll', { ack: Object.keys(sets) })
    expect(await poll()).toMatchObject({ sets: { [Object.keys(sets)[0]!]: expect.any(String) } })
  })

  it('gets pushes with its own authorization, which is sealed and never shown', async () => {
    const { server, admin } = await scene({ url, authorization: 'Bearer a-secret' })
    await (await signUp(server, alice)).post('/sign-out')
    const [token] = await received(server)
    expect(Object.keys(token!.events)).toEqual([`${caep}/session-revoked`])
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer a-secret')
    const stored = await env.DB.prepare('select * from signal_receivers').first()
    expect(JSON.stringify(stored)).not.toContain('a-secret')
    const { body } = await admin.get('/admin/signal-receivers')
    expect(body.receivers).toEqual([
      {
        ...{ id: expect.any(String), name: 'Acme', audience, url, status: 'enabled', reason: null, waiting: 0 },
        events: ['session-revoked', 'credential-change', 'account-disabled'],
        createdAt: expect.any(String),
      },
    ])
  })

  it('reads its stream, pauses it, and gets what was held', async () => {
    const { server, acme, poll, id } = await scene({ events: ['session-revoked'] })
    const stream = {
      ...{ stream_id: id, iss: issuer, aud: audience, min_verification_interval: 60 },
      events_supported: [`${caep}/session-revoked`, `${caep}/credential-change`, `${risc}/account-disabled`],
      events_requested: [`${caep}/session-revoked`],
      events_delivered: [`${caep}/session-revoked`],
      delivery: { method: 'urn:ietf:rfc:8936', endpoint_url: `${issuer}/api/auth/ssf/poll` },
    }
    expect((await acme.get('/ssf/stream')).body).toEqual([stream])
    expect((await acme.get('/ssf/stream', { query: { stream_id: id } })).body).toEqual(stream)
    expect(outcome(await acme.get('/ssf/stream', { query: { stream_id: 'other' } }))).toEqual({
      ...{ status: 404, code: 'SIGNAL_STREAM_NOT_FOUND' },
    })
    const paused = { stream_id: id, status: 'paused', reason: 'maintenance' }
    expect((await acme.post('/ssf/status', paused)).body).toEqual(paused)
    await (await signUp(server, alice)).post('/sign-out')
    expect(await poll()).toEqual({ sets: {} })
    await acme.post('/ssf/status', { stream_id: id, status: 'enabled' })
    expect((await acme.get('/ssf/status', { query: { stream_id: id } })).body).toEqual({
      ...{ stream_id: id, status: 'enabled' },
    })
    expect(Object.keys((await poll()).sets)).toHaveLength(1)
    await acme.post('/ssf/status', { stream_id: id, status: 'disabled' })
    await (await signIn(server, alice)).post('/sign-out')
    await acme.post('/ssf/status', { stream_id: id, status: 'enabled' })
    expect(await poll()).toEqual({ sets: {} })
  })

  it.each([
    ['poll', {}],
    ['push', { url }],
  ])('verifies its stream by %s once a minute', async (how, receiver) => {
    const { server, acme, poll, id } = await scene(receiver)
    expect((await acme.post('/ssf/verify', { stream_id: id, state: 'abc' })).status).toBe(204)
    expect(outcome(await acme.post('/ssf/verify', { stream_id: id }))).toEqual({
      ...{ status: 429, code: 'TOO_MANY_VERIFICATIONS' },
    })
    const [token] = how === 'poll' ? await claimsOf(server, (await poll()).sets) : await received(server)
    expect(token).toMatchObject({
      sub_id: { format: 'opaque', id },
      events: { 'https://schemas.openid.net/secevent/ssf/event-type/verification': { state: 'abc' } },
    })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect((await acme.post('/ssf/verify', { stream_id: id })).status).toBe(204)
  })

  it('is refused without its token, and after an administrator has deleted it', async () => {
    const { server, admin, acme, id } = await scene()
    const refused = { status: 401, code: 'INVALID_SIGNAL_TOKEN' }
    expect(outcome(await server.device().post('/ssf/poll', {}))).toEqual(refused)
    await (await signUp(server, alice)).post('/sign-out')
    expect((await admin.post('/admin/delete-signal-receiver', { id })).status).toBe(200)
    expect(outcome(await acme.post('/ssf/poll', {}))).toEqual(refused)
    expect(outcome(await admin.post('/admin/delete-signal-receiver', { id }))).toEqual({
      ...{ status: 404, code: 'SIGNAL_RECEIVER_NOT_FOUND' },
    })
    expect(await env.DB.prepare('select count(*) as n from signal_events').first('n')).toBe(0)
    const actions = (await admin.get('/admin/audit')).body.entries.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['create-signal-receiver', 'delete-signal-receiver']))
  })

  it('keeps at most the newest events, for three days', async () => {
    const { server, poll, id } = await scene({}, { maxWaiting: 2 })
    const now = Date.now()
    await env.DB.batch(
      [4, 3, 2, 1].map((days) =>
        env.DB.prepare('insert into signal_events values (?, ?, ?, ?)').bind(
          ...[
            `e${days}`,
            id,
            JSON.stringify({ type: 'session-revoked', userId: 'u' }),
            now - days * 86_400_000 + 600_000,
          ],
        ),
      ),
    )
    await server.runScheduled()
    expect(Object.keys((await poll()).sets)).toEqual(['e2', 'e1'])
  })

  it('is paused, verified and enabled by an administrator, and a disabled one drops what waits', async () => {
    const { server, admin, poll, id } = await scene()
    const set = async (status: string) =>
      (await admin.post('/admin/set-signal-receiver-status', { id, status })).body.success
    expect(await set('paused')).toBe(true)
    expect(outcome(await admin.post('/admin/verify-signal-receiver', { id }))).toEqual({ status: 200, code: null })
    expect(outcome(await admin.post('/admin/verify-signal-receiver', { id }))).toEqual({
      ...{ status: 429, code: 'TOO_MANY_VERIFICATIONS' },
    })
    expect((await poll()).sets).toEqual({})
    expect((await admin.get('/admin/signal-receivers')).body.receivers[0]).toMatchObject({
      status: 'paused',
      waiting: 1,
    })
    expect(await set('enabled')).toBe(true)
    const [event] = await claimsOf(server, (await poll()).sets)
    expect(Object.keys(event!.events)[0]).toMatch(/verification$/)
    expect(await set('disabled')).toBe(true)
    const { receivers } = (await admin.get('/admin/signal-receivers')).body
    expect(receivers).toMatchObject([{ id, status: 'disabled', waiting: 0 }])
    const missing = { status: 404, code: 'SIGNAL_RECEIVER_NOT_FOUND' }
    const other = { id: 'other', status: 'paused' }
    expect(outcome(await admin.post('/admin/set-signal-receiver-status', other))).toEqual(missing)
    expect(outcome(await admin.post('/admin/verify-signal-receiver', { id: 'other' }))).toEqual(missing)
    const device = await signUp(server, alice)
    const refused = { status: 403, code: 'YOU_ARE_NOT_ALLOWED_TO_MANAGE_SIGNAL_RECEIVERS' }
    expect(outcome(await device.post('/admin/set-signal-receiver-status', { id, status: 'paused' }))).toEqual(refused)
    expect(outcome(await device.post('/admin/verify-signal-receiver', { id }))).toEqual(refused)
  })

  it('is for administrators with the permission, and there is a maximum', async () => {
    const { server, admin } = await scene({}, { maxReceivers: 2 })
    const device = await signUp(server, alice)
    const input = { name: 'Mine', audience }
    expect(outcome(await device.post('/admin/create-signal-receiver', input))).toEqual({
      ...{ status: 403, code: 'YOU_ARE_NOT_ALLOWED_TO_MANAGE_SIGNAL_RECEIVERS' },
    })
    expect(outcome(await admin.post('/admin/create-signal-receiver', { ...input, url: 'mailto:a@b.c' }))).toEqual({
      ...{ status: 400, code: 'INVALID_SIGNAL_ADDRESS' },
    })
    expect((await admin.post('/admin/create-signal-receiver', input)).status).toBe(200)
    expect(outcome(await admin.post('/admin/create-signal-receiver', input))).toEqual({
      ...{ status: 403, code: 'MAXIMUM_NUMBER_OF_SIGNAL_RECEIVERS_REACHED' },
    })
  })

  it('does not exist unless it is on', async () => {
    const server = app()
    const { device: admin } = await administrator(server)
    expect((await admin.get('/admin/signal-receivers')).status).toBe(404)
    expect((await admin.post('/admin/create-signal-receiver', { name: 'Acme', audience })).status).toBe(404)
  })
})
