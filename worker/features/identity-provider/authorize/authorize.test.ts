import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Device, TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorize,
  callback,
  claimsIn,
  codeOf,
  exchange,
  pkce,
  type RegisteredClient,
  recordConsent,
  registerClient,
  authorizationRequest as request,
} from '../../../testing/oauth.ts'
import { alice, signIn, signUp } from '../../../testing/people.ts'
import { rowOf, storedRow } from '../../../testing/rows.ts'
import type { ConsentQuestion } from '../identity-provider.config.ts'

const errorPage = 'http://localhost:8787/api/auth/error'
const s256 = pkce().request

async function start(config: object = {}, metadata: object = {}) {
  const app = new TestApp({ rateLimit: { enabled: false }, ...config })
  const device = await signUp(app, alice)
  const client = await registerClient(device, metadata)
  return { app, device, client }
}

/** The parameters of the browser's redirect. */
const parametersOf = (url: URL) => ({ at: `${url.origin}${url.pathname}`, ...Object.fromEntries(url.searchParams) })

describe('GET /oauth2/authorize: every check and the recipient of its error', () => {
  const toClient = (error: string, error_description: string) => ({
    at: callback,
    error,
    error_description,
    state: 'client-state',
    iss: 'http://localhost:8787',
  })
  const toPage = (error: string, error_description: string) => ({ at: errorPage, error, error_description })

  it.each<[string, Record<string, string | undefined>, object]>([
    ['no client_id', { client_id: undefined }, toPage('invalid_client', 'client not found')],
    ['an unknown client', { client_id: 'unknown' }, toPage('invalid_client', 'client not found')],
    ['a client id of any length', { client_id: 'x'.repeat(3000) }, toPage('invalid_client', 'client not found')],
    ['no response_type', { response_type: undefined }, toClient('invalid_request', 'response_type is required')],
    [
      'another response_type',
      { response_type: 'token' },
      toPage('unsupported_response_type', 'unsupported response type'),
    ],
    ['a request object', { request: 'ey' }, toClient('invalid_request_object', 'invalid request object')],
    [
      'a foreign request_uri',
      { request_uri: 'https://client.example.com/r' },
      toClient('request_uri_not_supported', 'request_uri is not supported'),
    ],
    ['a registration', { registration: '{}' }, toClient('registration_not_supported', 'registration is not supported')],
    ['a fragment', { response_mode: 'fragment' }, toClient('invalid_request', 'response_mode is not supported')],
    [
      'an unknown scope',
      { scope: 'openid wizard' },
      toClient('invalid_scope', 'The following scopes are invalid: wizard'),
    ],
    [
      'an unknown method of PKCE',
      { ...s256, code_challenge_method: 'S512' },
      toClient('invalid_request', 'invalid code_challenge method'),
    ],
    [
      'a method without a challenge',
      { code_challenge_method: 'S256' },
      toClient('invalid_request', 'code_challenge is required'),
    ],
    [
      'a malformed challenge',
      { code_challenge: 'short', code_challenge_method: 'S256' },
      toClient('invalid_request', 'invalid code_challenge'),
    ],
    [
      'a challenge of 129 characters',
      { code_challenge: 'c'.repeat(129), code_challenge_method: 'plain' },
      toClient('invalid_request', 'invalid code_challenge'),
    ],
    ['an unknown prompt', { prompt: 'create' }, toClient('invalid_request', 'unknown prompt')],
    ['none with login', { prompt: 'none login' }, toClient('invalid_request', 'prompt none must be the only prompt')],
    ['a max_age in words', { max_age: 'soon' }, toClient('invalid_request', 'max_age must be a number of seconds')],
    ['a negative max_age', { max_age: '-1' }, toClient('invalid_request', 'max_age must be a number of seconds')],
    [
      'an unknown resource',
      { resource: 'https://tools.example.com' },
      toClient('invalid_target', 'the resource is unknown'),
    ],
    ['a malformed thumbprint', { dpop_jkt: 'x' }, toClient('invalid_request', 'dpop_jkt must be a thumbprint')],
    ['a huge nonce', { nonce: 'n'.repeat(1001) }, toClient('invalid_request', 'state or nonce is too long')],
    [
      'prompt=none without consent',
      { prompt: 'none' },
      toClient('consent_required', 'consent of the end user is required'),
    ],
  ])('%s', async (_what, more, expected) => {
    const { device, client } = await start()
    await recordConsent(client)
    expect(parametersOf(await authorize(device, request(client, more)))).toEqual(expected)
  })

  it.each([
    ['missing', undefined],
    ['another', 'https://client.example.com/cb2'],
    ['one with a slash more', `${callback}/`],
    ['one with a query more', `${callback}?x=1`],
    ['one in capitals', 'https://CLIENT.example.com/cb'],
    ['one with user information', 'https://evil@client.example.com/cb'],
    ['a look-alike', 'https://client.example.com.evil.org/cb'],
    ['a script', 'javascript:alert(1)'],
    ['a list', `${callback},https://evil.org/cb`],
  ])('400: the redirect URI is %s, and nothing goes there', async (_what, redirect_uri) => {
    const { device, client } = await start()
    const answer = await device.get('/oauth2/authorize', { query: request(client, { redirect_uri, scope: 'wizard' }) })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: { code: 'INVALID_REDIRECT_URI', message: 'Invalid redirect URI' },
    })
    expect(answer.headers.get('location')).toBeNull()
    const navigated = await device.get('/oauth2/authorize', {
      query: request(client, { redirect_uri }),
      headers: { 'sec-fetch-mode': 'navigate' },
    })
    expect({ status: navigated.status, contentType: navigated.headers.get('content-type') }).toEqual({
      status: 400,
      contentType: 'text/html; charset=utf-8',
    })
  })

  it('nothing may be repeated: a repeated client or redirect URI counts as missing', async () => {
    const { device, client } = await start()
    await recordConsent(client)
    const query = new URLSearchParams(request(client))
    const twice = (name: string, value: string) => device.get(`/oauth2/authorize?${query}&${name}=${value}`)
    const location = async (name: string, value: string) =>
      parametersOf(new URL((await twice(name, value)).headers.get('location')!))
    expect(await location('nonce', 'a&nonce=b')).toEqual(toClient('invalid_request', 'nonce must not be repeated'))
    expect(await location('client_id', 'other')).toEqual(toPage('invalid_client', 'client not found'))
    expect((await twice('redirect_uri', 'https://evil.org')).status).toBe(400)
  })

  it('a disabled client', async () => {
    const { device, client } = await start()
    await device.post('/oauth2/update-client', { clientId: client.client_id, disabled: true })
    expect(parametersOf(await authorize(device, request(client)))).toEqual(
      toPage('client_disabled', 'client is disabled'),
    )
  })

  it('a client that is limited to scopes, grants or pushed requests', async () => {
    const { device, client } = await start({}, { scope: 'openid' })
    expect(parametersOf(await authorize(device, request(client)))).toMatchObject({ error: 'invalid_scope' })
    const pushing = await registerClient(device, { require_pushed_authorization_requests: true })
    await recordConsent(pushing)
    expect(parametersOf(await authorize(device, request(pushing)))).toEqual(
      toClient('invalid_request', 'pushed authorization request is required'),
    )
    const other = await registerClient(device, { grant_types: ['refresh_token'] })
    expect(parametersOf(await authorize(device, request(other)))).toMatchObject({ error: 'unauthorized_client' })
  })

  it('public clients need PKCE with S256, others by configuration', async () => {
    const { device, client } = await start()
    const pub = await registerClient(device, { token_endpoint_auth_method: 'none' })
    expect(pub.client_secret).toBeUndefined()
    const plain = { code_challenge: 'v'.repeat(43) }
    expect(parametersOf(await authorize(device, request(pub)))).toMatchObject({ error_description: 'pkce is required' })
    for (const method of [undefined, 'plain']) {
      expect(
        parametersOf(await authorize(device, request(pub, { ...plain, code_challenge_method: method }))),
      ).toMatchObject({
        error_description: 'invalid code_challenge method',
      })
    }
    expect((await authorize(device, request(pub, s256))).pathname).toBe('/consent')
    expect((await authorize(device, request(client, plain))).pathname).toBe('/consent')
  })

  it('in the strict profile PKCE is required for all clients', async () => {
    const app = new TestApp({
      rateLimit: { enabled: false },
      profile: 'strict',
      emailAndPassword: { requireEmailVerification: false },
    })
    const device = await signUp(app, alice)
    const client = await registerClient(device)
    expect(parametersOf(await authorize(device, request(client)))).toMatchObject({
      error_description: 'pkce is required',
    })
    const plain = request(client, { code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' })
    expect(parametersOf(await authorize(device, plain))).toMatchObject({
      error_description: 'invalid code_challenge method',
    })
    expect((await authorize(device, request(client, s256))).pathname).toBe('/consent')
  })

  it('a form is taken to the query, where the cookies come along', async () => {
    const { app, client } = await start()
    const body = new URLSearchParams(request(client)).toString()
    const { status, headers } = await app.device().post('/oauth2/authorize', body, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://client.example.com' },
    })
    expect(status).toBe(303)
    const location = new URL(headers.get('location')!)
    expect({ pathname: location.pathname, clientId: location.searchParams.get('client_id') }).toEqual({
      pathname: '/api/auth/oauth2/authorize',
      clientId: client.client_id,
    })
  })

  it('neither HEAD nor a prefetch begins anything', async () => {
    const { device, client } = await start()
    const { status } = await device.get('/oauth2/authorize', {
      query: request(client),
      headers: { 'sec-purpose': 'prefetch' },
    })
    expect(status).toBe(503)
  })
})

describe('consent', () => {
  let world: Awaited<ReturnType<typeof start>>
  beforeEach(async () => {
    world = await start()
  })

  it('is asked once for a client and its scopes, and then again for more, or when the client wants it', async () => {
    const { device, client } = world
    const asked = await authorize(device, request(client))
    expect(parametersOf(asked)).toEqual({
      at: 'http://localhost:8787/consent',
      client_id: client.client_id,
      scope: 'openid profile email',
      consent_code: expect.any(String),
    })
    const { status, body, io } = await device.post('/oauth2/consent', { accept: true })
    expect(status).toBe(200)
    expect({ d1: io.d1![0], durable: io.durable![0] }).toEqual({ d1: 2, durable: 2 })
    expect(parametersOf(new URL(body.redirectURI))).toEqual({
      at: callback,
      code: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      state: 'client-state',
      iss: 'http://localhost:8787',
    })
    const again = await device.get('/oauth2/authorize', { query: request(client) })
    expect(parametersOf(new URL(again.headers.get('location')!))).toMatchObject({
      at: callback,
      code: expect.any(String),
    })
    expect({ d1: again.io.d1![0], durable: again.io.durable![0] }).toEqual({ d1: 1, durable: 1 })
    const unknown = { ui_locales: 'de', claims_locales: 'de', display: 'popup', acr_values: '1', no_such: 'x' }
    const silent = request(client, { scope: 'openid', prompt: 'none', ...unknown })
    expect(parametersOf(await authorize(device, silent))).toHaveProperty('code')
    const more = { scope: 'openid profile email offline_access', prompt: 'consent' }
    expect((await authorize(device, request(client, more))).pathname).toBe('/consent')
    expect((await authorize(device, request(client, { prompt: 'consent' }))).pathname).toBe('/consent')
    const row = await storedRow('oauth_consents', 'scopes', 'consent_given', 'client_name')
    expect(row).toEqual({ scopes: expect.any(String), consent_given: 1, client_name: 'Client One' })
    expect((row!.scopes as string).split(' ').sort()).toEqual(['email', 'openid', 'profile'])
  })

  it('scopes that were agreed to one after the other add up', async () => {
    const { device, client } = world
    await agree(device, request(client, { scope: 'openid email' }))
    await agree(device, request(client, { scope: 'openid profile' }))
    expect(parametersOf(await authorize(device, request(client, { prompt: 'none' })))).toHaveProperty('code')
  })

  it('select_account always shows who it would be', async () => {
    const { device, client } = world
    await agree(device, request(client))
    expect((await authorize(device, request(client, { prompt: 'select_account' }))).pathname).toBe('/consent')
  })

  it('a public client at a loopback address is never believed', async () => {
    const { device } = world
    const redirect = 'http://localhost:3999/cb'
    const client = await registerClient(device, {
      redirect_uris: [redirect, callback],
      token_endpoint_auth_method: 'none',
    })
    const local = request(client, { ...s256, redirect_uri: redirect })
    await agree(device, local)
    expect((await authorize(device, local)).pathname).toBe('/consent')
    expect(parametersOf(await authorize(device, request(client, s256)))).toHaveProperty('code')
  })

  it('is not asked for clients that the configuration trusts', async () => {
    const trusted = { clientId: 'first-party', clientSecret: 's'.repeat(32), name: 'Ours', redirectURLs: [callback] }
    const app = new TestApp({ rateLimit: { enabled: false }, identityProvider: { trustedClients: [trusted] } })
    const device = await signIn(app, alice)
    const url = await authorize(device, request({ client_id: 'first-party' }))
    const client = { client_id: trusted.clientId, client_secret: trusted.clientSecret }
    expect((await exchange(app, client, codeOf(url))).status).toBe(200)
    const known = new TestApp({ identityProvider: { trustedClients: [world.client.client_id] } })
    const other = await signIn(known, alice)
    expect(parametersOf(await authorize(other, request(world.client)))).toHaveProperty('code')
  })

  it('GET /oauth2/consent returns the client, its scopes and the user', async () => {
    const { device, client } = world
    const asked = await authorize(device, request(client))
    const { status, body, io } = await device.get('/oauth2/consent', {
      query: { consent_code: asked.searchParams.get('consent_code')! },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      client: {
        clientId: client.client_id,
        name: 'Client One',
        icon: null,
        uri: null,
        policyUri: null,
        tosUri: null,
        documentHost: null,
        selfRegistered: true,
      },
      redirectHost: 'client.example.com',
      scopes: ['openid', 'profile', 'email'],
      scopeWords: {},
      authorizationDetails: [],
      accessExpiresIn: 3600,
      resource: null,
      organizations: [],
      user: { name: 'Alice', email: 'alice@example.com', image: null },
      switchAccountURL: expect.stringMatching(/^\/api\/auth\/oauth2\/authorize\?.*prompt=login/),
    })
    expect({ d1: io.d1![0], durable: io.durable![0] }).toEqual({ d1: 1, durable: 1 })
  })

  it('denied: the client gets an error, and the question is deleted', async () => {
    const { device, client } = world
    await authorize(device, request(client))
    const { body } = await device.post('/oauth2/consent', { accept: false })
    expect(parametersOf(new URL(body.redirectURI))).toEqual({
      at: callback,
      error: 'access_denied',
      error_description: 'User denied access',
      state: 'client-state',
      iss: 'http://localhost:8787',
    })
    expect(await rowOf('oauth_consents')).toBeNull()
  })

  it('of twenty parallel answers one is taken', async () => {
    const { device, client } = world
    const asked = await authorize(device, request(client))
    const consent_code = asked.searchParams.get('consent_code')!
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => device.post('/oauth2/consent', { accept: true, consent_code }, { keep: false })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.find(({ status }) => status !== 200)!
    expect(refused).toMatchObject({ status: 401, body: { error_description: 'Invalid code' } })
  })

  it.each([
    ['without a prompt', {}, 'No consent prompt found'],
    ['with an unknown one', { consent_code: 'nothing' }, 'Invalid code'],
  ])('401 %s', async (_what, more, error_description) => {
    const { status, body, headers } = await world.device.post('/oauth2/consent', { accept: true, ...more })
    expect({ status, body }).toEqual({ status: 401, body: { error: 'invalid_request', error_description } })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('is bound to the session that it was asked in', async () => {
    const { app, device, client } = world
    const asked = await authorize(device, request(client))
    const consent_code = asked.searchParams.get('consent_code')!
    const other = await signIn(app, alice)
    for (const accept of [true, false]) {
      const { status, body } = await other.post('/oauth2/consent', { accept, consent_code })
      expect({ status, description: body.error_description }).toEqual({ status: 401, description: 'Invalid code' })
    }
    expect((await other.get('/oauth2/consent', { query: { consent_code } })).status).toBe(401)
    expect((await device.post('/oauth2/consent', { accept: true, consent_code })).status).toBe(200)
  })

  it('expires after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const { device, client } = world
      await authorize(device, request(client))
      vi.setSystemTime(Date.now() + 601_000)
      const { status, body } = await device.post('/oauth2/consent', { accept: true })
      expect({ status, description: body.error_description }).toEqual({ status: 401, description: 'Code expired' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('is a page of the product with the whole question, under a strict policy', async () => {
    const consentHTML = vi.fn(({ clientName, nonce }: ConsentQuestion) => `<script nonce="${nonce}">${clientName}`)
    const app = new TestApp({ rateLimit: { enabled: false }, identityProvider: { consentHTML } })
    const device = await signUp(app, { ...alice, email: 'alice@html.example.com' })
    const [logo_uri, metadata] = ['https://client.example.com/logo.png', { tier: 'gold' }]
    const client = await registerClient(device, { logo_uri, metadata })
    const { status, headers, body } = await device.get('/oauth2/authorize', { query: request(client) })
    const [{ code, nonce, ...told }] = consentHTML.mock.calls[0]!
    expect(told).toEqual({
      scopes: ['openid', 'profile', 'email'],
      clientId: client.client_id,
      clientName: 'Client One',
      clientIcon: logo_uri,
      clientMetadata: metadata,
      selfRegistered: true,
      accessExpiresIn: 3600,
      authorizationDetails: [],
    })
    expect({ status, body }).toEqual({ status: 200, body: `<script nonce="${nonce}">Client One` })
    const policy = headers.get('content-security-policy')
    expect(policy).toContain(`script-src 'nonce-${nonce}';`)
    expect(policy).toContain("frame-ancestors 'none'")
    const answer = await device.post('/oauth2/consent', { accept: true, consent_code: code })
    expect(answer.body.redirectURI).toContain(`${callback}?code=`)
  })

  it('400 and 401 for bad input and visitors; 500 without a configured page', async () => {
    const { app, device, client } = world
    expect((await device.post('/oauth2/consent', {})).body.code).toBe('VALIDATION_ERROR')
    expect((await app.device().post('/oauth2/consent', { accept: true })).status).toBe(401)
    const bare = new TestApp({ identityProvider: { consentPage: null } })
    const answer = await (await signIn(bare, alice)).get('/oauth2/authorize', { query: request(client) })
    expect(answer).toMatchObject({ status: 500, body: { code: 'NO_CONSENT_PAGE_PROVIDED' } })
  })
})

describe('who signs in', () => {
  const loginPage = 'http://localhost:8787/sign-in'
  const stepUpPage = 'http://localhost:8787/step-up'
  let world: Awaited<ReturnType<typeof start>>
  let client: RegisteredClient
  beforeEach(async () => {
    world = await start()
    client = world.client
  })
  const credentials = { email: alice.email, password: alice.password }
  const cors = { headers: { 'sec-fetch-mode': 'cors' } }

  it('a visitor is redirected to the login page with the whole query; the only query reads the client', async () => {
    const answer = await world.app.device().get('/oauth2/authorize', { query: request(client) })
    expect(parametersOf(new URL(answer.headers.get('location')!, 'http://localhost:8787'))).toEqual({
      at: loginPage,
      ...request(client),
    })
    expect(answer.cookies[0]).toMatch(/oidc_login_prompt=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
    expect({ d1: answer.io.d1![0], durable: answer.io.durable![0] }).toEqual({ d1: 1, durable: 0 })
    const script = await world.app.device().get('/oauth2/authorize', { query: request(client), ...cors })
    expect({ status: script.status, body: script.body }).toEqual({
      status: 200,
      body: { redirect: true, url: expect.stringMatching(/^\/sign-in\?client_id=/) },
    })
  })

  it('after the sign-in the request continues: a script gets the address, others a redirect', async () => {
    const device = world.app.device()
    await authorize(device, request(client))
    const { status, body } = await device.post('/sign-in/email', credentials, cors)
    expect({ status, body }).toEqual({
      status: 200,
      body: { redirect: true, url: expect.stringContaining('/oauth2/authorize?') },
    })
    expect(device.cookie('session_token')).toBeTruthy()
    const next = await device.get(body.url)
    expect(new URL(next.headers.get('location')!, 'http://localhost:8787').pathname).toBe('/consent')
    expect(device.cookie('oidc_login_prompt')).toBeUndefined()

    const other = world.app.device()
    await authorize(other, request(client))
    const sent = await other.post('/sign-in/email', credentials)
    expect({ status: sent.status, location: sent.headers.get('location') }).toEqual({ status: 302, location: body.url })
    expect((await other.get('/get-session')).body.user.email).toBe(alice.email)
  })

  it('a sign-up continues the request too, and a wrong password does not', async () => {
    const device = world.app.device()
    await authorize(device, request(client))
    expect((await device.post('/sign-in/email', { ...credentials, password: 'wrong-one' }, cors)).status).toBe(401)
    const { body } = await device.post('/sign-up/email', { ...alice, email: 'new@example.com' }, cors)
    expect(body).toEqual({ redirect: true, url: expect.stringContaining('/oauth2/authorize?') })
  })

  it('without a waiting request a sign-in is what it always was', async () => {
    const { body } = await world.app.device().post('/sign-in/email', credentials, cors)
    expect(body).toMatchObject({ token: expect.any(String) })
  })

  it('a cookie that is not ours, or too old, waits for nothing', async () => {
    const device = world.app.device()
    device.jar.set('gatehouse.oidc_login_prompt', 'oidc%3Aabc.sig')
    expect((await device.post('/sign-in/email', credentials, cors)).body).toHaveProperty('token')
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const late = world.app.device()
      await authorize(late, request(client))
      vi.setSystemTime(Date.now() + 601_000)
      expect((await late.post('/sign-in/email', credentials, cors)).body).toHaveProperty('token')
    } finally {
      vi.useRealTimers()
    }
  })

  it('GET /oauth2/login-prompt returns the waiting application to this browser only', async () => {
    const { app } = world
    const visitor = app.device()
    expect((await visitor.get('/oauth2/login-prompt')).body).toEqual({ client: null })
    await authorize(visitor, request(client))
    const { status, body, io } = await visitor.get('/oauth2/login-prompt')
    expect({ status, body }).toEqual({
      status: 200,
      body: { client: { clientId: client.client_id, name: 'Client One', icon: null } },
    })
    expect(io.d1![0]).toBe(1)
    const other = app.device()
    other.jar.set('gatehouse.oidc_login_prompt', 'oidc%3Aabc.sig')
    expect((await other.get('/oauth2/login-prompt')).body).toEqual({ client: null })
  })

  it('prompt=none: login_required', async () => {
    expect(parametersOf(await authorize(world.app.device(), request(client, { prompt: 'none' })))).toMatchObject({
      at: callback,
      error: 'login_required',
      state: 'client-state',
    })
  })

  it('prompt=login: again, even with a session, and then once', async () => {
    const { device } = world
    await agree(device, request(client))
    const query = request(client, { prompt: 'login' })
    expect(parametersOf(await authorize(device, query)).at).toBe(loginPage)
    expect(parametersOf(await authorize(device, query)).at).toBe(loginPage)
    const { body } = await device.post('/sign-in/email', credentials, cors)
    const next = await device.get(body.url)
    expect(parametersOf(new URL(next.headers.get('location')!))).toMatchObject({
      at: callback,
      code: expect.any(String),
    })
    expect(parametersOf(await authorize(device, query)).at).toBe(loginPage)
  })

  it('max_age: when the sign-in is too long ago', async () => {
    const { device } = world
    await agree(device, request(client))
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      vi.setSystemTime(Date.now() + 100_000)
      expect(parametersOf(await authorize(device, request(client, { max_age: '200' })))).toHaveProperty('code')
      expect(parametersOf(await authorize(device, request(client, { max_age: '50' }))).at).toBe(stepUpPage)
      const silent = request(client, { max_age: '50', prompt: 'none' })
      expect(parametersOf(await authorize(device, silent))).toMatchObject({ error: 'login_required' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('id_token_hint: another user has to sign in', async () => {
    const { app, device } = world
    const tokens = await exchange(app, client, codeOf(await agree(device, request(client))))
    const hint = tokens.body.id_token
    expect(
      parametersOf(await authorize(device, request(client, { id_token_hint: hint, prompt: 'none' }))),
    ).toHaveProperty('code')
    const bob = await signUp(app, { name: 'Bob', email: 'bob@example.com', password: 'password5678' })
    const silent = request(client, { id_token_hint: hint, prompt: 'none' })
    expect(parametersOf(await authorize(bob, silent))).toMatchObject({ error: 'login_required' })
    expect(parametersOf(await authorize(device, { ...silent, id_token_hint: `${hint}x` }))).toMatchObject({
      error: 'login_required',
    })
  })

  it('id_token_hint: after a sign-in the request ends, with a code or an error for the client', async () => {
    const { app, device } = world
    const tokens = await exchange(app, client, codeOf(await agree(device, request(client))))
    const again = async (hint: string, credentials: typeof alice) => {
      const query = request(client, { id_token_hint: hint })
      expect(parametersOf(await authorize(device, query)).at).toBe(loginPage)
      const { headers } = await device.post('/sign-in/email', credentials)
      return parametersOf(
        await authorize(
          device,
          Object.fromEntries(new URL(headers.get('location')!, 'http://localhost:8787').searchParams),
        ),
      )
    }
    // Its key may have left the set.
    expect(await again('of-an-old-key', alice)).toHaveProperty('code')
    const bob = { name: 'Bob', email: 'bob@example.com', password: 'password5678' }
    await signUp(app, bob)
    const { headers } = await device.post('/sign-in/email', bob)
    expect(headers.get('location')).toBeNull()
    expect(await again(tokens.body.id_token, bob)).toMatchObject({ at: callback, error: 'login_required' })
    expect(await again(tokens.body.id_token, alice)).toHaveProperty('code')
  })

  it('a request that is too long for the cookie is rejected', async () => {
    const scope = `openid ${Array.from({ length: 40 }, () => 'profile').join(' ')}`
    const query = request(client, { state: 's'.repeat(1990), nonce: 'n'.repeat(900), scope })
    expect(parametersOf(await authorize(world.app.device(), query))).toMatchObject({
      error: 'invalid_request',
      error_description: 'the request is too long; push it instead',
    })
  })
})

describe('amr (RFC 8176)', () => {
  it('a new account has it too; a user without a password has no pwd', async () => {
    const app = new TestApp({ rateLimit: { enabled: false }, anonymous: { enabled: true } })
    const client = await registerClient(await signUp(app, alice))
    const amrOf = async (device: Device) => {
      const { body } = await exchange(app, client, codeOf(await agree(device, request(client))))
      return claimsIn(body.id_token).amr
    }
    expect(await amrOf(await signUp(app, { ...alice, email: 'new@example.com' }))).toEqual(['pwd'])
    const guest = app.device()
    expect((await guest.post('/sign-in/anonymous', {})).status).toBe(200)
    expect(await amrOf(guest)).toBeUndefined()
    const mailed = app.device()
    await mailed.post('/email-otp/send-verification-otp', { email: 'mail@example.com', type: 'sign-in' })
    const otp = (await app.mailbox()).find(({ to }) => to === 'mail@example.com')!.codes[0]!
    await mailed.post('/sign-in/email-otp', { email: 'mail@example.com', otp })
    expect(await amrOf(mailed)).toEqual(['otp'])
  })
})
