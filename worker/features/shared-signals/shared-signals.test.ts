import { createLocalJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { administrator } from '../../testing/admins.ts'
import { TestApp } from '../../testing/harness.ts'
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
    ['a name that is no part of a kind', { name: 'a/b' }, {}, /sharedSignals\.receivers\.0\.name/],
    ['an address that is not http', { url: 'mailto:a@example.com' }, {}, /sharedSignals\.receivers\.0\.url/],
    ['http in production', { url: 'http://a.example.com/' }, production, /sharedSignals\.receivers\.0\.url/],
    ['an internal address in production', { url: 'https://10.0.0.1/' }, production, /sharedSignals\.receivers\.0\.url/],
    ['a missing secret', { authorization: 'NOWHERE' }, {}, /NOWHERE[\s\S]*wrangler secret put NOWHERE/],
  ])('is refused with %s', (_what, receiver, environment, reason) => {
    expect(start(receiver, environment)).toThrow(reason)
  })

  it('is refused with two receivers of one name', () => {
    expect(start({}, {}, [{ name: 'acme', url, audience }])).toThrow(/sharedSignals\.receivers\.1\.name/)
    expect(start({ url: 'http://localhost:3000/events' })).not.toThrow()
  })
})
