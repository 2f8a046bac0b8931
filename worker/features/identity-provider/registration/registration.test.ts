import { describe, expect, it } from 'vitest'
import { env, TestApp } from '../../../testing/harness.ts'
import { callback, json } from '../../../testing/oauth.ts'
import { alice, signUp } from '../../../testing/people.ts'

const app = (config: object = {}) => new TestApp({ rateLimit: { enabled: false }, ...config })
const metadata = { redirect_uris: [callback], client_name: 'Client One' }

describe('POST /oauth2/register', () => {
  it('201: id, secret once, and what was registered', async () => {
    const device = await signUp(app(), alice)
    const more = {
      ...metadata,
      client_uri: 'https://client.example.com',
      logo_uri: 'https://img.example.com/c.png',
      scope: 'openid profile email offline_access',
      contacts: ['a@example.com'],
      tos_uri: 'https://client.example.com/tos',
      policy_uri: 'https://client.example.com/policy',
      software_id: 'soft-1',
      metadata: { a: 1 },
    }
    const { status, body, headers } = await device.post('/oauth2/register', { ...more, unknown: 'ignored' })
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[a-zA-Z]{32}$/),
      client_secret: expect.stringMatching(/^[a-zA-Z]{32}$/),
      client_id_issued_at: expect.any(Number),
      client_secret_expires_at: 0,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      ...more,
    })
  })

  it('201: as little as a redirect URI', async () => {
    const device = await signUp(app(), alice)
    const { status, body } = await device.post('/oauth2/register', { redirect_uris: [callback] })
    expect([status, body.client_name]).toEqual([201, 'client.example.com'])
  })

  it.each(['none', 'private_key_jwt'])('201: %s has no secret', async (token_endpoint_auth_method) => {
    const device = await signUp(app(), alice)
    const jwks = token_endpoint_auth_method === 'none' ? undefined : { keys: [{ kty: 'EC', crv: 'P-256' }] }
    const { status, body } = await device.post('/oauth2/register', { ...metadata, token_endpoint_auth_method, jwks })
    expect([status, body.client_secret]).toEqual([201, undefined])
  })

  it('401: a stranger, unless dynamic registration is allowed', async () => {
    const { status, body, headers } = await app().device().post('/oauth2/register', metadata)
    expect([status, body]).toEqual([
      401,
      { error: 'invalid_token', error_description: 'Authentication required for client registration' },
    ])
    expect(headers.get('www-authenticate')).toBe('Bearer')
    const open = app({ identityProvider: { allowDynamicClientRegistration: true } })
    expect((await open.device().post('/oauth2/register', metadata)).status).toBe(201)
    expect(await env.DB.prepare('select user_id from oauth_applications').first()).toEqual({ user_id: null })
  })

  it('404 where the provider is off', async () => {
    const off = app({ identityProvider: { enabled: false } })
    expect((await off.device().post('/oauth2/register', metadata)).status).toBe(404)
    expect((await off.device().get('/oauth2/authorize')).status).toBe(404)
  })

  it.each<[string, object, string, string | RegExp]>([
    [
      'no redirect URIs',
      { redirect_uris: [] },
      'invalid_redirect_uri',
      'Redirect URIs are required for authorization_code and implicit grant types',
    ],
    [
      'authorization_code without code',
      { response_types: ['token'] },
      'invalid_client_metadata',
      "When 'authorization_code' grant type is used, 'code' response type must be included",
    ],
    [
      'implicit without token',
      { grant_types: ['implicit'] },
      'invalid_client_metadata',
      "When 'implicit' grant type is used, 'token' response type must be included",
    ],
    [
      'a weird method',
      { token_endpoint_auth_method: 'weird' },
      'invalid_client_metadata',
      /token_endpoint_auth_method/,
    ],
    ['a weird grant', { grant_types: ['weird'] }, 'invalid_client_metadata', /grant_types/],
    ['an unknown scope', { scope: 'openid wizard' }, 'invalid_client_metadata', 'unknown scope: wizard'],
    ['a logo that is a script', { logo_uri: 'javascript:alert(1)' }, 'invalid_client_metadata', /logo_uri/],
    ['signing without keys', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata', /jwks/],
    ['keys twice', { jwks: { keys: [] }, jwks_uri: 'https://c.example.com/k' }, 'invalid_client_metadata', /exclude/],
    ['a private key', { jwks: { keys: [{ kty: 'OKP', d: 'x' }] } }, 'invalid_client_metadata', /public keys only/],
    ['keys inside', { jwks_uri: 'https://10.0.0.1/k' }, 'invalid_client_metadata', /public https address/],
    ['a logout inside', { backchannel_logout_uri: 'https://x.local/' }, 'invalid_client_metadata', /public https/],
    [
      'pairwise over hosts',
      { subject_type: 'pairwise', redirect_uris: [callback, 'https://other.example.com/cb'] },
      'invalid_client_metadata',
      /one host/,
    ],
    [
      'pairwise without a host of its own',
      { subject_type: 'pairwise', redirect_uris: ['com.example.app:/cb'] },
      'invalid_client_metadata',
      /one host/,
    ],
    [
      'pairwise on a machine of anybody’s',
      { subject_type: 'pairwise', redirect_uris: ['http://localhost:3000/cb'] },
      'invalid_client_metadata',
      /one host/,
    ],
    ['a nameless redirect', { redirect_uris: 'x' }, 'invalid_redirect_uri', /redirect_uris/],
  ])('400: %s', async (_what, more, error, description) => {
    const device = await signUp(app(), alice)
    const { status, body } = await device.post('/oauth2/register', { ...metadata, ...more })
    expect([status, body.error]).toEqual([400, error])
    if (typeof description === 'string') expect(body.error_description).toBe(description)
    else expect(body.error_description).toMatch(description)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'http://client.example.com/cb',
    'http://localhost.evil.org/cb',
    'http://127.0.0.1.evil.org/cb',
    'http://127.0.0.2/cb',
    'http://[::2]/cb',
    'https://client.example.com/cb#x',
    'https://user:pw@client.example.com/cb',
    'https://client.example.com/a,https://evil.org',
    'https://*.example.com/cb',
    'https://client.example.com/\\evil.org',
    'https://client.example.com/c b',
    ' https://client.example.com/cb',
    '/relative',
    'https://',
    'https:client.example.com/cb',
    'https:///client.example.com/cb',
    'https:/client.example.com/cb',
    'myapp://cb',
    'file:///etc/passwd',
    'blob:https://x.example/1',
    `https://client.example.com/${'x'.repeat(2000)}`,
  ])('400: the redirect URI %s', async (uri) => {
    const device = await signUp(app(), alice)
    const { status, body } = await device.post('/oauth2/register', { ...metadata, redirect_uris: [callback, uri] })
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
  })

  it.each([
    'https://client.example.com/cb?tenant=1',
    'http://localhost:3999/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:8080/cb',
    'com.example.app:/cb',
  ])('201: the redirect URI %s', async (uri) => {
    const device = await signUp(app(), alice)
    expect((await device.post('/oauth2/register', { ...metadata, redirect_uris: [uri] })).status).toBe(201)
  })

  it.each([
    ['no body', '', 'request body is not valid JSON'],
    ['a form', 'redirect_uris=x', 'request body is not valid JSON'],
    ['a list', '[]', 'request body is not an object'],
  ])('400: %s', async (_what, text, description) => {
    const device = await signUp(app(), alice)
    const { status, body } = await device.post('/oauth2/register', text, { headers: json })
    expect([status, body.error, body.error_description]).toEqual([400, 'invalid_request', description])
  })

  it('429 after ten in a minute', async () => {
    const device = await signUp(new TestApp(), alice)
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await device.post('/oauth2/register', metadata)).status)
    expect(statuses.slice(0, 10).every((status) => status === 201)).toBe(true)
    expect(statuses[10]).toBe(429)
  })
})

describe('GET /oauth2/client/:id', () => {
  it('200, 404 and 401', async () => {
    const device = await signUp(app(), alice)
    const { body: client } = await device.post('/oauth2/register', { ...metadata, logo_uri: 'https://i.example.com/c' })
    const { status, body } = await device.get(`/oauth2/client/${client.client_id}`)
    expect([status, body]).toEqual([
      200,
      { clientId: client.client_id, name: 'Client One', icon: 'https://i.example.com/c' },
    ])
    const unknown = await device.get('/oauth2/client/nope')
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'not_found', error_description: 'client not found' }])
    expect((await app().device().get(`/oauth2/client/${client.client_id}`)).status).toBe(401)
  })
})
