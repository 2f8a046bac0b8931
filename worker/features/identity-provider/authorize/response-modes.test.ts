import * as openid from 'openid-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Device, origin, TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  callback,
  claimsIn,
  fetchInto,
  type RegisteredClient,
  recordConsent,
  registerClient,
} from '../../../testing/oauth.ts'
import { alice, signUp } from '../../../testing/people.ts'

let app: TestApp
let device: Device
let client: RegisteredClient

beforeEach(async () => {
  app = new TestApp({ rateLimit: { enabled: false } })
  device = await signUp(app, alice)
  client = await registerClient(device)
})
afterEach(() => {
  vi.useRealTimers()
})

const insecure = { execute: [openid.allowInsecureRequests] }

async function configure(metadata: object = {}) {
  const registered = await registerClient(device, metadata)
  return openid.discovery(new URL(origin), registered.client_id, registered.client_secret, undefined, {
    ...insecure,
    [openid.customFetch]: fetchInto(app) as openid.CustomFetch,
  })
}

/** The form of a page: its address and its fields. */
function formIn(html: string): { action: string; fields: Record<string, string> } {
  const unescaped = (text: string) => text.replace(/&(amp|quot|#39|lt|gt);/g, (_, name) => entities[name]!)
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return {
    action: unescaped(/<form method="post" action="([^"]*)">/.exec(html)![1]!),
    fields: Object.fromEntries(fields.map(([, name, value]) => [name, unescaped(value!)])),
  }
}
const entities: Record<string, string> = { amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' }

const open = (address: URL) => device.get(address.pathname + address.search)

/** The request of the browser that posts a form. */
const posted = ({ action, fields }: ReturnType<typeof formIn>) =>
  new Request(action, { method: 'POST', body: new URLSearchParams(fields) })

async function walk(config: openid.Configuration, mode: string): Promise<{ url: URL; checks: object }> {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid',
    state: expectedState,
    response_mode: mode,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const back = await agree(device, Object.fromEntries(url.searchParams))
  return { url: back, checks: { pkceCodeVerifier, expectedState, idTokenExpected: true } }
}

describe('response_mode=form_post', () => {
  it('the page posts the code to the client, which gets its tokens', async () => {
    const config = await configure()
    const { url, checks } = await walk(config, 'form_post')
    expect(url.origin + url.pathname).toBe(`${origin}/api/auth/oauth2/form-post`)
    const page = await open(url)
    expect(page.status).toBe(200)
    const form = formIn(page.body)
    expect(form.action).toBe(callback)
    expect(Object.keys(form.fields).sort()).toEqual(['code', 'iss', 'state'])
    const tokens = await openid.authorizationCodeGrant(config, posted(form), checks)
    expect(tokens.claims()!.sub).toBeTruthy()
  })

  it('its script has a nonce, no other script runs, and nothing is cached or sent as a referrer', async () => {
    const { url } = await walk(await configure(), 'form_post')
    const { body, headers } = await open(url)
    const policy = headers.get('content-security-policy')!
    const [, nonce] = /script-src 'nonce-([^']+)'/.exec(policy)!
    expect(body).toContain(`<script nonce="${nonce}">document.forms[0].submit()</script>`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('form-action')
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|strict-origin)/)
  })

  it('errors and refusals arrive by the form too', async () => {
    await recordConsent(client)
    const error = await authorize(device, authorizationRequest(client, { response_mode: 'form_post', prompt: 'x' }))
    expect(formIn((await open(error)).body).fields).toMatchObject({ error: 'invalid_request', state: 'client-state' })
    const query = authorizationRequest(client, { response_mode: 'form_post', prompt: 'consent' })
    expect((await authorize(device, query)).pathname).toBe('/consent')
    const { body } = await device.post('/oauth2/consent', { accept: false })
    const form = formIn((await open(new URL(body.redirectURI))).body)
    expect(form.fields).toMatchObject({ error: 'access_denied', state: 'client-state', iss: origin })
  })

  it('the values of a client cannot leave their attributes', async () => {
    const state = `"><script>alert(1)</script>&'`
    await recordConsent(client)
    const target = await authorize(
      device,
      authorizationRequest(client, { response_mode: 'form_post', state, prompt: 'x' }),
    )
    const { body } = await open(target)
    expect(body).not.toContain('<script>alert')
    expect(formIn(body).fields.state).toBe(state)
  })

  it('an address that is altered, of another purpose, or two minutes old leads to the error page', async () => {
    const { url } = await walk(await configure(), 'form_post')
    const answer = url.searchParams.get('answer')!
    const altered = `${answer.slice(0, -3)}AAA`
    for (const given of ['', 'x', altered]) {
      const { body } = await device.get('/oauth2/form-post', { query: { answer: given } })
      expect(body).toContain('<code>invalid_request_uri</code>')
      expect(body).not.toContain('<form')
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 121_000 })
    expect((await open(url)).body).toContain('<code>invalid_request_uri</code>')
  })

  it('is refused for an address that accepts no form; the error goes to the query', async () => {
    const native = await registerClient(device, {
      redirect_uris: ['com.example.app:/cb'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    })
    await recordConsent(native)
    const query = authorizationRequest(native, { redirect_uri: 'com.example.app:/cb', response_mode: 'form_post' })
    const { headers } = await device.get('/oauth2/authorize', { query })
    expect(headers.get('location')).toMatch(/^com\.example\.app:\/cb\?error=invalid_request&/)
  })
})

describe('signed responses (JARM)', () => {
  it.each(['jwt', 'query.jwt'])('%s: openid-client verifies the response and gets its tokens', async (mode) => {
    const config = await configure()
    openid.useJwtResponseMode(config)
    const { url, checks } = await walk(config, mode)
    expect([...url.searchParams.keys()]).toEqual(['response'])
    const tokens = await openid.authorizationCodeGrant(config, url, checks)
    expect(tokens.claims()!.sub).toBeTruthy()
  })

  it('form_post.jwt: the form has the signed response alone', async () => {
    const { url } = await walk(await configure(), 'form_post.jwt')
    const { fields } = formIn((await open(url)).body)
    expect(Object.keys(fields)).toEqual(['response'])
    expect(claimsIn(fields.response!)).toMatchObject({ iss: origin, code: expect.any(String) })
  })

  it('names client and expiry, is signed as the client registered, and contains errors', async () => {
    const registered = await registerClient(device, { authorization_signed_response_alg: 'EdDSA' })
    await recordConsent(registered)
    const query = authorizationRequest(registered, { response_mode: 'jwt', prompt: 'x' })
    const response = (await authorize(device, query)).searchParams.get('response')!
    const { exp, iat, ...claims } = claimsIn(response)
    expect(claims).toEqual({
      iss: origin,
      aud: registered.client_id,
      error: 'invalid_request',
      error_description: 'unknown prompt',
      state: 'client-state',
    })
    expect(exp - iat).toBe(120)
    expect(JSON.parse(Buffer.from(response.split('.')[0]!, 'base64url').toString()).alg).toBe('EdDSA')
  })
})
