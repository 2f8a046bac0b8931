import { decodeProtectedHeader } from 'jose'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Device, env, TestApp } from '../../../testing/harness.ts'
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
  it('302: signs the person out, and goes back with the state', async () => {
    const query = { id_token_hint: idToken, post_logout_redirect_uri: goodbye, state: 's 1' }
    expect(await end(query)).toBe(`${goodbye}?state=s%201`)
    expect(await isSignedIn()).toBe(false)
    expect(await end(query)).toBe(`${goodbye}?state=s%201`)
  })

  it('302: without a state, or anywhere to go back to; the client asks in vain then', async () => {
    expect(await end({ id_token_hint: idToken, post_logout_redirect_uri: goodbye })).toBe(goodbye)
    const request = authorizationRequest({ client_id: clientId }, { prompt: 'none' })
    expect((await authorize(device, request)).searchParams.get('error')).toBe('login_required')
    expect(await end({ id_token_hint: idToken })).toBe('http://localhost:8787')
  })

  it('302: a hint that has expired is a hint all the same (section 2)', async () => {
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

  it('302 to a question, where nothing shows that the client may: no hint, a forged one, another person’s', async () => {
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
    expect([status, headers.get('location')]).toEqual([
      303,
      'http://localhost:8787/api/auth/oauth2/end-session?state=x',
    ])
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

  async function signInAtClient() {
    const client = await registerClient(device, { backchannel_logout_uri: address })
    const { body } = await exchange(app, client, codeOf(await agree(device, authorizationRequest(client))))
    return { client, claims: claimsIn(body.id_token) }
  }

  it('tells the client whose person signs out, once, with a token of its own kind', async () => {
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

  it('tells the others when one client signs the person out', async () => {
    const { client } = await signInAtClient()
    await end({ id_token_hint: idToken, post_logout_redirect_uri: goodbye })
    expect(told.map((body) => claimsIn(body.get('logout_token')!).aud)).toEqual([client.client_id])
  })

  it('tells of every account that the browser signs out of', async () => {
    const first = await signInAtClient()
    await device.post('/sign-up/email', bob)
    const second = await signInAtClient()
    await device.post('/sign-out')
    const people = told.map((body) => claimsIn(body.get('logout_token')!).sub)
    expect(people.toSorted()).toEqual([first.claims.sub, second.claims.sub].toSorted())
  })

  it('tells of a session that ended in another way, and again until the client has heard', async () => {
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
    // It is looked for nowhere any more.
    expect(await env.DB.prepare('select * from ended_sessions').raw()).toEqual([])
  })

  it('a client that does not answer keeps nobody else waiting, and is asked once a run', async () => {
    const dead = await signInAtClient()
    // The tokens of sixty sessions, which have ended while nobody answered there.
    const row = (await env.DB.prepare('select * from oauth_access_tokens where client_id = ?')
      .bind(dead.client.client_id)
      .first())!
    const columns = Object.keys(row)
    const insert = `insert into oauth_access_tokens (${columns}) values (${columns.map(() => '?')})`
    const ended = Array.from({ length: 60 }, (_, n) => {
      const id = `0-${n}`
      const copy = { ...row, id, access_token: id, refresh_token: null, session_id: id }
      return [
        env.DB.prepare('insert into ended_sessions (session_id) values (?)').bind(id),
        env.DB.prepare(insert).bind(...Object.values(copy)),
      ]
    })
    await env.DB.batch(ended.flat())
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

  it('asks at a sign-out only where a client waits for it', async () => {
    const awaited = () => env.DB.prepare('select end_is_awaited from sessions').first<number>('end_is_awaited')
    const client = await registerClient(device, { post_logout_redirect_uris: [goodbye] })
    await exchange(app, client, codeOf(await agree(device, authorizationRequest(client))))
    expect(await awaited()).toBe(0)
    await signInAtClient()
    expect(await awaited()).toBe(1)
  })
})
