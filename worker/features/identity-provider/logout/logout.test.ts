import { beforeEach, describe, expect, it } from 'vitest'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { agree, authorizationRequest, codeOf, exchange, registerClient } from '../../../testing/oauth.ts'
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

  it('302: nowhere else than where the client has said', async () => {
    for (const post_logout_redirect_uri of ['https://evil.example.org', `${goodbye}/`, 'javascript:alert(1)']) {
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
    for (const query of queries) expect(await end(query)).toBe('/sign-out')
    expect(await isSignedIn()).toBe(true)
    const other = await signUp(app, bob)
    expect(await end({ id_token_hint: idToken }, other)).toBe('/sign-out')
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
