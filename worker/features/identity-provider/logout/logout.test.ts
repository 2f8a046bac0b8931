import { decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { removeUser } from '../../../identity/accounts/users.ts'
import { findUserByEmail } from '../../../identity/users/users.store.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  claimsIn,
  codeOf,
  exchange,
  registerClient,
} from '../../../testing/oauth.ts'
import { alice, bob, signUp } from '../../../testing/people.ts'
import { count, deleteRows, rowsOf } from '../../../testing/rows.ts'
import { addJobs, expireSessions, jobsOf } from '../../../testing/states.ts'

const goodbye = 'https://client.example.com/goodbye'
let app: TestApp
let device: Device
let clientId: string
let idToken: string

beforeEach(async () => {
  app = new TestApp({ rateLimit: { enabled: false } })
  device = await signUp(app, alice)
  const client = await registerClient(device, { post_logout_redirect_uris: [goodbye] })
  clientId = client.client_id
  const { body } = await exchange(app, client, codeOf(await agree(device, authorizationRequest(client))))
  idToken = body.id_token
})

const end = async (query: Record<string, string>, from = device) =>
  (await from.get('/oauth2/end-session', { query })).headers.get('location')
const isSignedIn = async (from = device) => (await from.get('/get-session')).body !== null

describe('GET /oauth2/end-session', () => {
  it('302: signs the user out, and returns with the state', async () => {
    const query = { id_token_hint: idToken, post_logout_redirect_uri: goodbye, state: 's 1' }
    expect(await end(query)).toBe(`${goodbye}?state=s%201`)
    expect(await isSignedIn()).toBe(false)
  })

  it('200: a visitor sees our page before another site, because any client can have an id token', async () => {
    const query = { id_token_hint: idToken, post_logout_redirect_uri: goodbye, state: 's"1' }
    const { status, headers, body } = await app.device().get('/oauth2/end-session', { query })
    expect({ status, location: headers.get('location'), contentType: headers.get('content-type') }).toEqual({
      status: 200,
      location: null,
      contentType: 'text/html; charset=utf-8',
    })
    expect(body).toContain(`href="${goodbye}?state=s%221"`)
    expect(body).toContain('Continue to client.example.com')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const german = await app.device().get('/oauth2/end-session', { query, headers: { 'accept-language': 'de' } })
    expect(german.body).toContain('Weiter zu client.example.com')
  })

  it('200: the same after a withdrawn consent; a trusted client gets an immediate redirect', async () => {
    const query = { id_token_hint: idToken, post_logout_redirect_uri: goodbye }
    await deleteRows('oauth_consents')
    expect((await device.get('/oauth2/end-session', { query })).status).toBe(200)
    expect(await isSignedIn()).toBe(false)
    const trusting = new TestApp({ rateLimit: { enabled: false }, identityProvider: { trustedClients: [clientId] } })
    expect(await end(query, trusting.device())).toBe(goodbye)
  })

  it('302: without a state, or anywhere to go back to; the client asks in vain then', async () => {
    expect(await end({ id_token_hint: idToken, post_logout_redirect_uri: goodbye })).toBe(goodbye)
    const request = authorizationRequest({ client_id: clientId }, { prompt: 'none' })
    expect((await authorize(device, request)).searchParams.get('error')).toBe('login_required')
    expect(await end({ id_token_hint: idToken })).toBe('http://localhost:8787')
  })

  it('302: an expired hint is valid (section 2)', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
    try {
      expect(await end({ id_token_hint: idToken, post_logout_redirect_uri: goodbye })).toBe(goodbye)
    } finally {
      vi.useRealTimers()
    }
    expect(await isSignedIn()).toBe(false)
  })

  it('302: nowhere else than where the client has said', async () => {
    for (const post_logout_redirect_uri of [
      'https://evil.example.org',
      `${goodbye}/`,
      `${goodbye}?more=1`,
      'javascript:alert(1)',
    ]) {
      expect(await end({ id_token_hint: idToken, post_logout_redirect_uri })).toBe('http://localhost:8787')
    }
  })

  it('302 to a question without a valid hint: no hint, a forged one, another user’s', async () => {
    const queries: Record<string, string>[] = [
      {},
      { client_id: clientId, post_logout_redirect_uri: goodbye },
      { id_token_hint: `${idToken.slice(0, -4)}AAAA` },
      { id_token_hint: idToken, client_id: 'another' },
    ]
    for (const query of queries) expect(await end(query)).toBe('/sign-out/application')
    expect(await isSignedIn()).toBe(true)
    const other = await signUp(app, bob)
    expect(await end({ id_token_hint: idToken }, other)).toBe('/sign-out/application')
    expect(await isSignedIn(other)).toBe(true)
  })

  it('303: a form leads to the query', async () => {
    const { status, headers } = await app.device().post('/oauth2/end-session', 'state=x', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://client.example.com' },
    })
    expect({ status, location: headers.get('location') }).toEqual({
      status: 303,
      location: 'http://localhost:8787/api/auth/oauth2/end-session?state=x',
    })
  })
})

describe('back-channel logout', () => {
  const address = 'https://client.example.com/logout'
  const told: URLSearchParams[] = []
  let status = 200
  beforeEach(() => {
    told.length = 0
    status = 200
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      expect(String(input)).toBe(address)
      told.push(init!.body as URLSearchParams)
      return new Response(null, { status })
    })
    return () => vi.restoreAllMocks()
  })

  async function signInAtClient(owner = device) {
    const client = await registerClient(owner, { backchannel_logout_uri: address })
    const { body } = await exchange(app, client, codeOf(await agree(device, authorizationRequest(client))))
    return { client, claims: claimsIn(body.id_token) }
  }

  it('notifies the client whose user signs out, once, with a token of its own kind', async () => {
    const { client, claims } = await signInAtClient()
    await app.runScheduled()
    expect(told).toHaveLength(0)
    await device.post('/sign-out')
    expect(told).toHaveLength(1)
    const token = told[0]!.get('logout_token')!
    expect(decodeProtectedHeader(token).typ).toBe('logout+jwt')
    expect(claimsIn(token)).toEqual({
      iss: 'http://localhost:8787',
      aud: client.client_id,
      sub: claims.sub,
      sid: claims.sid,
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    await app.runScheduled()
    expect(told).toHaveLength(1)
  })

  it('notifies the other clients when one client signs the user out', async () => {
    const { client } = await signInAtClient()
    await end({ id_token_hint: idToken, post_logout_redirect_uri: goodbye })
    expect(told.map((body) => claimsIn(body.get('logout_token')!).aud)).toEqual([client.client_id])
  })

  it('notifies the client of every account that the browser signs out of', async () => {
    const first = await signInAtClient()
    await device.post('/sign-up/email', bob)
    const second = await signInAtClient()
    await device.post('/sign-out')
    const people = told.map((body) => claimsIn(body.get('logout_token')!).sub)
    expect(people.toSorted()).toEqual([first.claims.sub, second.claims.sub].toSorted())
  })

  it('notifies the client of a session that ended in another way, and again until the client confirms it', async () => {
    await signInAtClient()
    status = 503
    await device.post('/revoke-sessions')
    expect(told).toHaveLength(1)
    await app.runScheduled()
    expect(told).toHaveLength(2)
    status = 204
    await app.runScheduled()
    await app.runScheduled()
    expect(told).toHaveLength(3)
    // Nothing uses it any more.
    expect(await jobsOf('logout')).toEqual([])
  })

  it('notifies a client whose access ends with the sessions, again until the client confirms it', async () => {
    await signInAtClient()
    status = 503
    await device.post('/revoke-sessions', { applications: true })
    await app.runScheduled()
    expect(told).toHaveLength(2)
    status = 204
    await app.runScheduled()
    await app.runScheduled()
    expect(told).toHaveLength(3)
  })

  it('a client that does not answer does not delay the others, and is asked once a run', async () => {
    const dead = await signInAtClient()
    // The messages of sixty sessions that ended while the client did not answer.
    const ended = Array.from({ length: 60 }, (_, n) => `0-${n}`)
    const jobs = ended.map((id) => ({ id, key: id, payload: JSON.stringify({ userId: 'u', sessionId: id }) }))
    await addJobs(`logout/${dead.client.client_id}`, ...jobs)
    const other = await registerClient(device, { backchannel_logout_uri: `${address}/other` })
    await exchange(app, other, codeOf(await agree(device, authorizationRequest(other))))
    const asked: string[] = []
    vi.mocked(fetch).mockImplementation(async (input) => {
      asked.push(String(input))
      return new Response(null, { status: String(input) === address ? 503 : 200 })
    })
    await device.post('/sign-out')
    expect(asked.toSorted()).toEqual([address, `${address}/other`])
  })

  describe('is not lost', () => {
    const hour = 3_600_000
    const later = async (hours: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * hour })
      await app.runScheduled()
    }
    afterEach(() => vi.useRealTimers())

    it('when the user is deleted', async () => {
      const { claims } = await signInAtClient(await signUp(app, bob))
      const { scope, settle } = app.openScope()
      await removeUser(scope, (await findUserByEmail(scope.db, alice.email))!)
      await settle()
      expect(told.map((body) => claimsIn(body.get('logout_token')!).sub)).toEqual([claims.sub])
    })

    it('when the tokens of the client have expired before the sign-out', async () => {
      await signInAtClient()
      await later(3)
      expect(await rowsOf('oauth_access_tokens')).toEqual([])
      await device.post('/sign-out')
      expect(told).toHaveLength(1)
    })

    it('when the client is down for longer than its tokens live', async () => {
      await signInAtClient()
      status = 503
      await device.post('/sign-out')
      for (const hours of [1, 1, 6, 12]) await later(hours)
      status = 200
      await later(6)
      const calls = told.length
      await later(6)
      expect({ triedAgain: calls > 2, calls: told.length }).toEqual({ triedAgain: true, calls })
      expect(await jobsOf('logout')).toEqual([])
    })

    it('when the session expires, however often it was extended', async () => {
      await signInAtClient()
      await expireSessions(new Date(Date.now() + 200 * hour))
      await later(180)
      expect(told).toHaveLength(0)
      await later(30)
      expect(told).toHaveLength(1)
    })

    it('in the list of undelivered work, where a client takes no message for three days', async () => {
      await signInAtClient()
      status = 503
      await device.post('/sign-out')
      await later(80)
      const answer = await app.serverApi().undelivered()
      expect(answer).toMatchObject({ ok: true, result: { jobs: [{ state: 'failed', lastError: 'status 503' }] } })
    })
  })

  it('asks at a sign-out only where a client waits for it', async () => {
    const awaited = () => count('jobs', { state: 'held' })
    const client = await registerClient(device, { post_logout_redirect_uris: [goodbye] })
    await exchange(app, client, codeOf(await agree(device, authorizationRequest(client))))
    expect(await awaited()).toBe(0)
    await signInAtClient()
    expect(await awaited()).toBe(1)
  })
})
