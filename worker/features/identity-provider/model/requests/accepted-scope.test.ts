import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Device, origin, TestApp } from '../../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  basic,
  callback,
  codeOf,
  exchange,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../../../testing/oauth.ts'
import { alice, signIn, signUp } from '../../../../testing/people.ts'
import { verifyAddresses } from '../../../../testing/states.ts'
import { approvalGrantType } from '../clients/client.ts'
import { deviceGrantType } from '../grants/device-code.ts'

/**
 * Scopes that OpenID Connect requires to ignore (Core, sections 3.1.2.1 and 11) are dropped by every request, and the response states the
 * rest (RFC 6749, section 5.1). Scopes that no standard defines are errors.
 */

const grantTypes = ['authorization_code', 'refresh_token', deviceGrantType, approvalGrantType]

let keys: { publicKey: CryptoKey; privateKey: CryptoKey }
let jwk: object
beforeAll(async () => {
  keys = await generateKeyPair('ES256')
  jwk = { ...(await exportJWK(keys.publicKey)), alg: 'ES256' }
})

let app: TestApp
let device: Device
let client: RegisteredClient
beforeEach(async () => {
  app = new TestApp({ rateLimit: { enabled: false }, mcp: { enabled: true } })
  device = await signUp(app, alice)
  await verifyAddresses()
  client = await registerClient(device, { grant_types: grantTypes, jwks: { keys: [jwk] } })
})

/** What is asked with which prompt, and what is granted. */
const cases: [asked: string, prompt: string | undefined, granted: string, refreshes: boolean][] = [
  ['openid offline_access email', undefined, 'openid email', false],
  ['openid offline_access email', 'login', 'openid email', false],
  ['openid offline_access email', 'select_account', 'openid email', false],
  ['openid offline_access email', 'consent', 'openid offline_access email', true],
  ['openid email address phone', undefined, 'openid email', false],
  ['phone openid address offline_access', 'consent', 'openid offline_access', true],
  ['offline_access', undefined, 'openid', false],
  ['address phone', undefined, 'openid', false],
]

const tokens = async (back: URL) => (await exchange(app, client, codeOf(back))).body

async function sign(parameters: object): Promise<string> {
  const claims = { iss: client.client_id, aud: origin, exp: Math.floor(Date.now() / 1000) + 60, ...parameters }
  const header = { alg: 'ES256', typ: 'oauth-authz-req+jwt' }
  return new SignJWT(claims).setProtectedHeader(header).sign(keys.privateKey)
}

/** Each way to make an authorization request. */
const ways: Record<string, (query: Record<string, string>) => Promise<[Record<string, string>, string?]>> = {
  '/oauth2/authorize': async (query) => [query],
  '/mcp/authorize': async (query) => [query, '/mcp/authorize'],
  'a pushed request': async (query) => {
    const { status, body } = await postForm(app, '/oauth2/par', query, basic(client))
    expect(status).toBe(201)
    return [{ client_id: client.client_id, request_uri: body.request_uri }]
  },
  'a request object': async (query) => [{ client_id: client.client_id, request: await sign(query) }],
}

describe.each(Object.keys(ways))('%s', (way) => {
  it.each(cases)('"%s" with prompt=%s: "%s"', async (scope, prompt, granted, refreshes) => {
    const asked = authorizationRequest(client, { scope, prompt: prompt === 'login' ? undefined : prompt })
    const [query, path] = await ways[way]!(asked)
    const page = await authorize(device, query, path)
    expect(page.searchParams.get('scope')).toBe(granted)
    const { body } = await device.post('/oauth2/consent', { accept: true })
    const answer = await tokens(new URL(body.redirectURI))
    expect(answer.scope).toBe(granted)
    expect('refresh_token' in answer).toBe(refreshes)
    const shown = await postForm(app, '/oauth2/introspect', { token: answer.access_token }, basic(client))
    expect(shown.body.scope).toBe(granted)
  })

  it('a scope that no standard defines is invalid_scope, beside those that are dropped', async () => {
    const asked = authorizationRequest(client, { scope: 'openid phone wizard offline_access' })
    if (way === 'a pushed request') {
      const { status, body } = await postForm(app, '/oauth2/par', asked, basic(client))
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_scope' })
      return
    }
    const [query, path] = await ways[way]!(asked)
    const url = await authorize(device, query, path)
    expect(url.searchParams.get('error_description')).toBe('The following scopes are invalid: wizard')
  })
})

it('a configured scope of that name is supported', async () => {
  app = new TestApp({ rateLimit: { enabled: false }, identityProvider: { scopes: ['phone'] } })
  const browser = await signIn(app, alice)
  const page = await authorize(browser, authorizationRequest(client, { scope: 'openid phone address' }))
  expect(page.searchParams.get('scope')).toBe('openid phone')
})

it('the device grant', async () => {
  const start = (scope: string) => postForm(app, '/oauth2/device_authorization', { scope }, basic(client))
  const { body } = await start('openid phone offline_access address')
  await device.post('/oauth2/device/answer', { user_code: body.user_code, accept: true })
  const grant = { grant_type: deviceGrantType, device_code: body.device_code }
  expect((await postForm(app, '/oauth2/token', grant, basic(client))).body).toMatchObject({
    scope: 'openid offline_access',
    refresh_token: expect.any(String),
  })
  expect((await start('openid wizard')).body.error).toBe('invalid_scope')
})

it('a request for an approval (CIBA): offline_access of a client that may not refresh, too', async () => {
  const ask = async (scope: string, by: RegisteredClient) =>
    postForm(app, '/oauth2/bc-authorize', { scope, login_hint: alice.email }, basic(by))
  const once = await registerClient(device, { grant_types: ['authorization_code', approvalGrantType] })
  for (const [by, granted] of [
    [client, 'openid offline_access'],
    [once, 'openid'],
  ] as const) {
    // A request reaches users who have consented to the client.
    await agree(device, authorizationRequest(by, { scope: 'openid offline_access', prompt: 'consent' }))
    expect((await ask('openid phone wizard', by)).body.error).toBe('invalid_scope')
    const { body } = await ask('openid phone offline_access', by)
    const [waiting] = (await device.get('/approvals/list')).body
    expect(waiting.scopes.join(' ')).toBe(granted)
    expect((await device.post('/approvals/approve', { id: waiting.id })).status).toBe(200)
    const grant = { grant_type: approvalGrantType, auth_req_id: body.auth_req_id }
    expect((await postForm(app, '/oauth2/token', grant, basic(by))).body.scope).toBe(granted)
  }
})

describe('refresh', () => {
  const refreshed = async (scope: string) => {
    const asked = authorizationRequest(client, { scope: 'openid email offline_access phone', prompt: 'consent' })
    const { refresh_token } = await tokens(await agree(device, asked))
    const { status, body } = await postForm(
      app,
      '/oauth2/token',
      { grant_type: 'refresh_token', refresh_token, scope },
      basic(client),
    )
    return { status, scope: body.scope, error: body.error }
  }

  it('with the scopes of the authorization request: those that were granted', async () => {
    expect(await refreshed('openid email offline_access phone')).toEqual({
      status: 200,
      scope: 'openid email offline_access',
      error: undefined,
    })
    expect(await refreshed('openid phone')).toMatchObject({ status: 200, scope: 'openid' })
  })

  it('invalid_scope for unknown scopes, and for nothing else than unsupported ones (RFC 6749, section 6)', async () => {
    expect(await refreshed('openid wizard')).toMatchObject({ status: 400, error: 'invalid_scope' })
    expect(await refreshed('phone')).toMatchObject({ status: 400, error: 'invalid_scope' })
  })
})

describe('registration', () => {
  it.each(['/oauth2/register', '/mcp/register'])('%s keeps the supported scopes', async (path) => {
    const metadata = { redirect_uris: [callback], grant_types: grantTypes }
    const { status, body } = await device.post(path, { ...metadata, scope: 'openid address phone email' })
    // Agents register without a limit of scopes.
    expect({ status, scope: body.scope }).toEqual({
      status: 201,
      scope: path === '/mcp/register' ? undefined : 'openid email',
    })
    const unknown = await device.post(path, { ...metadata, scope: 'openid wizard' })
    expect(unknown).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } })
  })
})
