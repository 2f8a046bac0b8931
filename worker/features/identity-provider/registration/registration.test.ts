import { describe, expect, it } from 'vitest'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { callback, form, json } from '../../../testing/oauth.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { storedRow, storedRows } from '../../../testing/rows.ts'
import { deleteUsers } from '../../../testing/states.ts'

const app = (config: object = {}) => new TestApp({ rateLimit: { enabled: false }, ...config })
const metadata = { redirect_uris: [callback], client_name: 'Client One' }

/** A registration of that depth, including itself. */
const nested = (depth: number) =>
  JSON.stringify({ ...metadata, metadata: { a: 0 } }).replace('0', `${'['.repeat(depth - 2)}0${']'.repeat(depth - 2)}`)

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
    expect({ status, cacheControl: headers.get('cache-control') }).toEqual({ status: 201, cacheControl: 'no-store' })
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
    expect({ status, clientName: body.client_name }).toEqual({ status: 201, clientName: 'client.example.com' })
  })

  it.each(['none', 'private_key_jwt'])('201: %s has no secret', async (token_endpoint_auth_method) => {
    const device = await signUp(app(), alice)
    const jwks = token_endpoint_auth_method === 'none' ? undefined : { keys: [{ kty: 'EC', crv: 'P-256' }] }
    const { status, body } = await device.post('/oauth2/register', { ...metadata, token_endpoint_auth_method, jwks })
    expect({ status, clientSecret: body.client_secret }).toEqual({ status: 201, clientSecret: undefined })
  })

  it('401: a visitor, unless dynamic registration is allowed', async () => {
    const { status, body, headers } = await app().device().post('/oauth2/register', metadata)
    expect({ status, body }).toEqual({
      status: 401,
      body: { error: 'invalid_token', error_description: 'Authentication required for client registration' },
    })
    expect(headers.get('www-authenticate')).toBe('Bearer')
    const open = app({ identityProvider: { allowDynamicClientRegistration: true } })
    expect((await open.device().post('/oauth2/register', metadata)).status).toBe(201)
    expect(await storedRow('oauth_applications', 'user_id')).toEqual({ user_id: null })
  })

  it('401: a guest, who registers as a visitor does where visitors may', async () => {
    const guestOf = async (config: object = {}) => {
      const guest = app(config).device()
      await guest.post('/sign-in/anonymous')
      return guest.post('/oauth2/register', metadata)
    }
    const { status, body } = await guestOf()
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'invalid_token' })
    expect((await guestOf({ identityProvider: { allowDynamicClientRegistration: true } })).status).toBe(201)
    expect(await storedRows('oauth_applications', 'user_id')).toEqual([{ user_id: null }])
  })

  it('413: more than 8 KB, for a visitor', async () => {
    const open = app({ identityProvider: { allowDynamicClientRegistration: true } })
    const sized = (bytes: number) => {
      const given = JSON.stringify({ ...metadata, unknown: '' })
      return given.replace('"unknown":""', `"unknown":"${'x'.repeat(bytes - given.length)}"`)
    }
    const post = (device: Device, bytes: number) => device.post('/oauth2/register', sized(bytes), { headers: json })
    expect((await post(open.device(), 8192)).status).toBe(201)
    const { status, body } = await post(open.device(), 8193)
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
    // 8 KB of UTF-8, not of characters.
    const umlauts = sized(7000).replaceAll('x', 'ü')
    expect((await open.device().post('/oauth2/register', umlauts, { headers: json })).status).toBe(413)
    expect((await post(await signUp(open, alice), 8193)).status).toBe(201)
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
    [
      'a logout address with a fragment',
      { backchannel_logout_uri: 'https://client.example.com/logout#x' },
      'invalid_client_metadata',
      /without a fragment/,
    ],
    ['a logout inside', { backchannel_logout_uri: 'https://x.local/' }, 'invalid_client_metadata', /public https/],
    [
      'pairwise over hosts',
      { subject_type: 'pairwise', redirect_uris: [callback, 'https://other.example.com/cb'] },
      'invalid_client_metadata',
      /one host/,
    ],
    [
      'pairwise without a host of its own',
      { subject_type: 'pairwise', application_type: 'native', redirect_uris: ['com.example.app:/cb'] },
      'invalid_client_metadata',
      /one host/,
    ],
    [
      'pairwise at a loopback address',
      { subject_type: 'pairwise', redirect_uris: ['http://localhost:3000/cb'] },
      'invalid_client_metadata',
      /one host/,
    ],
    ['a nameless redirect', { redirect_uris: 'x' }, 'invalid_redirect_uri', /redirect_uris/],
  ])('400: %s', async (_what, more, error, description) => {
    const device = await signUp(app(), alice)
    const { status, body } = await device.post('/oauth2/register', { ...metadata, ...more })
    expect({ status, error: body.error }).toEqual({ status: 400, error })
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
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_redirect_uri' })
  })

  it.each([
    'https://client.example.com/cb?tenant=1',
    'http://localhost:3999/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:8080/cb',
  ])('201: the redirect URI %s', async (uri) => {
    const device = await signUp(app(), alice)
    expect((await device.post('/oauth2/register', { ...metadata, redirect_uris: [uri] })).status).toBe(201)
  })

  it('a private-use scheme is for native clients (RFC 8252, section 7.1)', async () => {
    const device = await signUp(app(), alice)
    const given = { ...metadata, redirect_uris: ['com.example.app:/cb'] }
    for (const more of [
      {},
      { application_type: 'web' },
      { redirect_uris: [callback], post_logout_redirect_uris: given.redirect_uris },
    ]) {
      const { status, body } = await device.post('/oauth2/register', { ...given, ...more })
      expect({ status, body }).toEqual({
        status: 400,
        body: { error: 'invalid_redirect_uri', error_description: 'com.example.app:/cb needs application_type native' },
      })
    }
    expect((await device.post('/oauth2/register', { ...given, application_type: 'native' })).status).toBe(201)
  })

  it.each([
    'Gatehouse',
    'GATEHOUSE',
    'gate house',
    'G a t e h o u s e',
    '\uff27atehouse',
    'Ga\u0301tehouse',
    'Gate\u200bhouse',
    'Gatehouse Security Team',
    'Gatehouse: sign in',
  ])('400: the name %s is the name of this service', async (client_name) => {
    const device = await signUp(app(), alice)
    const { status, body } = await device.post('/oauth2/register', { ...metadata, client_name })
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_client_metadata' })
  })

  it.each<[string, object]>([
    ['a name with a line break', { client_name: 'Client\nOne' }],
    ['a name with a line separator', { client_name: 'Client\u2028One' }],
    ['a name with a control character', { client_name: 'Client\u0007' }],
    ['a name that changes its direction', { client_name: 'Client \u202eenO' }],
    ['a page that is a script', { client_uri: 'javascript:alert(1)' }],
    ['a page in itself', { policy_uri: 'data:text/html,x' }],
    ['a logo of another scheme', { logo_uri: 'ftp://client.example.com/logo' }],
    ['a logo that is a document', { logo_uri: 'data:image/svg+xml;base64,PHN2Zz4=' }],
    ['a logo that is too large', { logo_uri: `https://client.example.com/${'x'.repeat(2048)}` }],
  ])('400: %s', async (_what, more) => {
    const device = await signUp(app(), alice)
    const { status, body } = await device.post('/oauth2/register', { ...metadata, ...more })
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_client_metadata' })
  })

  it.each(['Gatehouses', 'Calendar for Gatehouse', 'Gate', 'Интранет', ''])(
    '201: the name "%s"',
    async (client_name) => {
      const device = await signUp(app(), alice)
      expect((await device.post('/oauth2/register', { ...metadata, client_name })).status).toBe(201)
    },
  )

  it.each<[string, string, string, Record<string, string>?]>([
    ['no body', '', 'request body is not valid JSON'],
    ['a form', 'redirect_uris=x', 'request body is not valid JSON'],
    ['a list', '[]', 'request body is not an object'],
    ['nested too deeply', nested(13), 'request body is nested too deeply'],
    ['nested far too deeply', nested(20_000), 'request body is nested too deeply'],
    ['a form by its type', JSON.stringify(metadata), 'the content type must be application/json', form],
    [
      'a text by its type',
      JSON.stringify(metadata),
      'the content type must be application/json',
      { 'content-type': 'text/plain' },
    ],
  ])('400: %s', async (_what, text, description, headers = json) => {
    const device = await signUp(app(), alice)
    const { status, body } = await device.post('/oauth2/register', text, { headers })
    expect({ status, error: body.error, description: body.error_description }).toEqual({
      status: 400,
      error: 'invalid_request',
      description,
    })
  })

  it('201: nested as deeply as a body may be', async () => {
    const device = await signUp(app(), alice)
    expect((await device.post('/oauth2/register', nested(12), { headers: json })).status).toBe(201)
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
    expect({ status, body }).toEqual({
      status: 200,
      body: { clientId: client.client_id, name: 'Client One', icon: 'https://i.example.com/c' },
    })
    const unknown = await device.get('/oauth2/client/nope')
    expect({ status: unknown.status, body: unknown.body }).toEqual({
      status: 404,
      body: { error: 'not_found', error_description: 'client not found' },
    })
    expect((await app().device().get(`/oauth2/client/${client.client_id}`)).status).toBe(401)
  })
})

describe('addresses that a client names', () => {
  const refusedOf = async (tested: TestApp, address: string, origin: string) => {
    const device = tested.device()
    await device.post('/sign-up/email', alice, { headers: { origin } })
    const codes = []
    for (const named of [
      { backchannel_logout_uri: address },
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: address },
    ]) {
      const { body } = await device.post('/oauth2/register', { ...metadata, ...named }, { headers: { origin } })
      codes.push(body.error)
    }
    return codes
  }

  it('are not at our own domain', async () => {
    const origin = 'https://accounts.example.org'
    const tested = new TestApp({ rateLimit: { enabled: false } }, { BASE_URL: origin })
    const invalid = 'invalid_client_metadata'
    expect(await refusedOf(tested, 'https://internal-admin.example.org/x', origin)).toEqual([invalid, invalid])
  })

  it('may be at this machine in development', async () => {
    const origin = 'http://localhost:8787'
    expect(await refusedOf(app(), 'http://localhost:9000/x', origin)).toEqual([undefined, undefined])
    await deleteUsers()
    const invalid = 'invalid_client_metadata'
    expect(await refusedOf(app(), `${origin}/x`, origin)).toEqual([invalid, invalid])
  })
})
