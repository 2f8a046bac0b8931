import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { origin, TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import type { ProviderDocumentation } from '../../../testing/outside/provider-documentation.ts'
import { comeBack, errorAt, errorPage, locationOf, startAt } from '../../../testing/outside/walk.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { count } from '../../../testing/rows.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const issuer = 'https://idp.example.com'

/** A server of OpenID Connect with a discovery document. */
const documentation: ProviderDocumentation = {
  id: 'kc',
  documents: ['https://openid.net/specs/openid-connect-core-1_0.html'],
  clientId: 'kc-client',
  clientSecret: 'kc-secret',
  authorization: {
    url: `${issuer}/authorize`,
    optional: ['prompt', 'access_type', 'extra'],
    scopes: ['openid', 'email', 'profile'],
    pkce: 'supported',
    scopeRequired: false,
    refusal: { error: 'access_denied', error_description: 'no' },
  },
  token: {
    url: `${issuer}/token`,
    authentication: 'post',
    answer: () => ({
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'openid email',
      refresh_token: true,
      id_token: true,
    }),
    refusal: { status: 400, body: { error: 'invalid_grant' } },
    refresh: true,
  },
  issuer,
  jwks: `${issuer}/keys`,
  claims: ({ id }) => ({ sub: id }),
  open: [`GET ${issuer}/.well-known/openid-configuration`],
  api: {
    [`GET ${issuer}/.well-known/openid-configuration`]: () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/keys`,
    }),
    [`GET ${issuer}/me`]: ({ person }) => ({ sub: person.id, email: person.email, email_verified: true, name: 'Kay' }),
  },
}

const discoveryUrl = `${issuer}/.well-known/openid-configuration`
const credentials = { clientId: 'kc-client', clientSecret: 'kc-secret' }
const discovered = { providerId: 'kc', ...credentials, discoveryUrl, scopes: ['openid', 'email'] }
const byHand = {
  ...credentials,
  authorizationUrl: `${issuer}/authorize`,
  tokenUrl: `${issuer}/token`,
  userInfoUrl: `${issuer}/me`,
}

function start(options: object = {}, changes: Partial<ProviderDocumentation> = {}, config: Config = {}) {
  const provider = new OAuthProvider({ ...documentation, ...changes }).install()
  const app = new TestApp({
    rateLimit: { enabled: false },
    genericOAuth: [
      { ...discovered, ...options },
      { providerId: 'plain', ...byHand, pkce: false, accessType: 'offline', prompt: 'consent' },
      { providerId: 'noconf', ...credentials },
      { providerId: 'off', ...byHand, enabled: false },
    ],
    ...config,
  })
  return { provider, app, device: app.device() }
}

const begin = '/sign-in/oauth2'
const sessions = () => count('sessions')

describe('/sign-in/oauth2', () => {
  it('400: no provider, an unknown one, one without URLs', async () => {
    const { device } = start()
    expect((await device.post(begin, {})).body.code).toBe('VALIDATION_ERROR')
    for (const providerId of ['nope', 'off']) {
      expect((await device.post(begin, { providerId })).body).toEqual({
        code: `NO_CONFIG_FOUND_FOR_PROVIDER_${providerId.toUpperCase()}`,
        message: `No config found for provider ${providerId}`,
      })
    }
    expect((await device.post(begin, { providerId: 'noconf' })).body).toEqual({
      code: 'INVALID_OAUTH_CONFIGURATION',
      message: 'Invalid OAuth configuration',
    })
  })

  it('200: the URL, with the parameters of the configuration', async () => {
    const { device } = start({}, {}, {})
    const { body } = await device.post(begin, { providerId: 'plain', disableRedirect: true })
    expect(body.redirect).toBe(false)
    expect(Object.fromEntries(new URL(body.url).searchParams)).toEqual({
      response_type: 'code',
      client_id: 'kc-client',
      state: expect.any(String),
      redirect_uri: `${origin}/api/auth/oauth2/callback/plain`,
      prompt: 'consent',
      access_type: 'offline',
    })
  })

  it('200: the discovery document is read once in ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { device, provider } = start()
    const url = new URL((await device.post(begin, { providerId: 'kc', scopes: ['profile'] })).body.url)
    expect(url.origin + url.pathname).toBe(`${issuer}/authorize`)
    expect(url.searchParams.get('scope')!.split(' ').sort()).toEqual(['email', 'openid', 'profile'])
    expect(url.searchParams.get('code_challenge_method')).toBe('S256')
    await device.post(begin, { providerId: 'kc' })
    expect(provider.requests).toHaveLength(1)
  })

  it('503: an unavailable discovery document', async () => {
    for (const answer of ['garbage', new Response('{}', { status: 502 })]) {
      const { device } = start({}, { api: { [`GET ${discoveryUrl}`]: () => answer } })
      const { status, body } = await device.post(begin, { providerId: 'kc' })
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' })
      vi.restoreAllMocks()
    }
  })

  it('400: a discovery document that is missing, or has another issuer', async () => {
    for (const answer of [{ issuer: 'https://evil.example' }, [], new Response('{}', { status: 404 })]) {
      const { device } = start({}, { api: { [`GET ${discoveryUrl}`]: () => answer } })
      expect((await device.post(begin, { providerId: 'kc' })).body.code).toBe('INVALID_OAUTH_CONFIGURATION')
      vi.restoreAllMocks()
    }
  })

  it('400: an id of passwords, or of a configured provider', async () => {
    const app = new TestApp({
      socialProviders: { github: { clientId: 'c' } },
      genericOAuth: ['credential', 'github', 'gitlab'].map((providerId) => ({ providerId, ...byHand })),
    })
    expect((await app.device().post(begin, { providerId: 'credential' })).status).toBe(400)
    expect((await app.device().post(begin, { providerId: 'github' })).status).toBe(400)
    expect((await app.device().post(begin, { providerId: 'gitlab' })).status).toBe(200)
    const offered = (await app.device().get('/config')).body.providers
    expect(offered).toEqual([
      { id: 'github', name: 'GitHub', kind: 'social' },
      { id: 'gitlab', name: 'gitlab', kind: 'oauth2' },
    ])
  })
})

describe('/oauth2/callback/:providerId', () => {
  it('302: a new user, then the same one again', async () => {
    const { app, provider, device } = start()
    const first = await comeBack(device, await startAt(device, provider, { newUserCallbackURL: '/welcome' }, begin))
    expect(locationOf(first)).toBe('/welcome')
    expect((await device.get('/list-accounts')).body).toMatchObject([
      { provider: 'kc', accountId: '4242', scopes: ['openid', 'email'] },
    ])
    const { body } = await device.post('/get-access-token', { providerId: 'kc' })
    expect(body).toMatchObject({ accessToken: expect.any(String), scopes: ['openid', 'email'] })
    expect((await device.post('/account-info', { accountId: '4242' })).body.user).toMatchObject({ name: 'Kay' })
    expect((await device.post('/refresh-token', { providerId: 'kc' })).status).toBe(200)
    const other = app.device()
    expect(locationOf(await comeBack(other, await startAt(other, provider, {}, begin)))).toBe('/dash')
  })

  it('302: an unverifiable id token is ignored, at the sign-in and later', async () => {
    const me = () => ({ id: '4242', email: 'octo@example.com', name: 'Kay' })
    const unread = { claims: () => ({ sub: 'another', email: 'another@example.com' }) }
    const { provider } = start({}, { ...unread, api: { ...documentation.api, [`GET ${issuer}/me`]: me } })
    const app = new TestApp({ rateLimit: { enabled: false }, genericOAuth: [{ providerId: 'kc', ...byHand }] })
    const device = app.device()
    expect(locationOf(await comeBack(device, await startAt(device, provider, {}, begin)))).toBe('/dash')
    const { body } = await device.post('/account-info', { accountId: '4242' })
    expect(body).toMatchObject({ user: { id: '4242', email: 'octo@example.com' }, data: me() })
  })

  it('302: errors at the configured page', async () => {
    const { device } = start()
    const path = '/oauth2/callback/kc'
    const location = async (query: Record<string, string>) => locationOf(await device.get(path, { query }))
    expect(await location({ state: 'x' })).toBe(errorPage('oAuth_code_missing'))
    expect(await location({ error: 'access_denied', error_description: 'no', state: 'x' })).toBe(
      `${errorPage('access_denied')}&error_description=no`,
    )
    expect(await location({ code: 'c', state: 'unknown' })).toBe(errorPage('please_restart_the_process'))
    expect(await location({ code: 'c' })).toBe(errorPage('please_restart_the_process'))
  })

  it('400: an unknown provider', async () => {
    const { device } = start()
    const answer = await device.get('/oauth2/callback/nope', { query: { code: 'c', state: 'unknown' } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'NO_CONFIG_FOUND_FOR_PROVIDER_NOPE' } })
  })

  it('302: state of another provider, of another browser, twice', async () => {
    const { app, device, provider } = start()
    const callback = await startAt(device, provider, {}, begin)
    expect(locationOf(await comeBack(app.device(), callback))).toBe(errorPage('please_restart_the_process'))
    const query = callback.parameters
    expect(locationOf(await device.get('/oauth2/callback/plain', { query }))).toBe(
      errorPage('please_restart_the_process'),
    )
    const second = await startAt(device, provider, {}, begin)
    expect(locationOf(await comeBack(device, second))).toBe('/dash')
    expect(locationOf(await comeBack(device, second))).toBe(errorPage('please_restart_the_process'))
    expect(await sessions()).toBe(1)
  })

  it("302: each failure at the caller's page for errors", async () => {
    const cases: [string, Partial<ProviderDocumentation>, object?][] = [
      ['user_info_is_missing', { api: { ...documentation.api, [`GET ${issuer}/me`]: () => [] } }],
      [
        'user_info_is_missing',
        { api: { ...documentation.api, [`GET ${issuer}/me`]: () => ({ email: 'a@example.com' }) } },
      ],
      // The profile has another subject than the id token.
      ['user_info_is_missing', { api: { ...documentation.api, [`GET ${issuer}/me`]: () => ({ sub: 'other' }) } }],
      ['email_is_missing', { api: { ...documentation.api, [`GET ${issuer}/me`]: () => ({ sub: '4242' }) } }],
      ['oauth_code_verification_failed', { token: { ...documentation.token, answer: () => ({ access_token: null }) } }],
      ['oauth_code_verification_failed', { token: { ...documentation.token, answer: () => ({ id_token: 'a.b.c' }) } }],
      [
        'oauth_code_verification_failed',
        { claims: () => ({ sub: '4242', nonce: 'other' }), issuer: 'https://evil.example' },
      ],
      ['signup_disabled', {}, { disableSignUp: true }],
      ['signup_disabled', {}, { disableImplicitSignUp: true }],
    ]
    for (const [code, changes, options] of cases) {
      const { device, provider } = start(options, changes)
      const callback = await startAt(device, provider, {}, begin)
      expect(locationOf(await comeBack(device, callback))).toBe(errorAt(code))
      vi.restoreAllMocks()
    }
    expect(await sessions()).toBe(0)
  })

  it('302: a provider that answers 500, garbage, or nothing', async () => {
    for (const trouble of ['answers 500', 'answers garbage', 'answers nothing'] as const) {
      const { device, provider } = start()
      const callback = await startAt(device, provider, {}, begin)
      provider.fail('token', trouble)
      expect(locationOf(await comeBack(device, callback))).toBe(errorAt('temporarily_unavailable'))
      vi.restoreAllMocks()
    }
  })

  it('302: a server that declares `iss` must send the right one', async () => {
    const sends = {
      api: {
        ...documentation.api,
        [`GET ${discoveryUrl}`]: () => ({
          ...(documentation.api[`GET ${discoveryUrl}`]!({} as never) as object),
          authorization_response_iss_parameter_supported: true,
        }),
      },
    }
    const { device, provider } = start({}, sends)
    const without = await startAt(device, provider, {}, begin)
    expect(locationOf(await comeBack(device, without))).toBe(errorAt('oauth_code_verification_failed'))
    const wrong = await startAt(device, provider, {}, begin)
    wrong.parameters.iss = 'https://evil.example'
    expect(locationOf(await comeBack(device, wrong))).toBe(errorAt('oauth_code_verification_failed'))
    const right = await startAt(device, provider, {}, begin)
    right.parameters.iss = issuer
    expect(locationOf(await comeBack(device, right))).toBe('/dash')
  })

  it('302: another user has the address, and the provider has not verified it', async () => {
    const { app, device, provider } = start(
      {},
      {
        api: {
          ...documentation.api,
          [`GET ${issuer}/me`]: ({ person }) => ({ sub: person.id, email: person.email, email_verified: 'yes' }),
        },
      },
    )
    await signUp(app, alice)
    provider.person = { id: '7', email: alice.email }
    expect(locationOf(await comeBack(device, await startAt(device, provider, {}, begin)))).toBe(
      errorAt('account_not_linked'),
    )
  })
})

describe('/oauth2/link', () => {
  const link = '/oauth2/link'

  it('401, 404, 400: not signed in, an unknown provider, no callback', async () => {
    const { app, device } = start()
    expect((await device.post(link, { providerId: 'kc', callbackURL: '/x' })).status).toBe(401)
    const own = await signUp(app, alice)
    expect((await own.post(link, { providerId: 'nope', callbackURL: '/x' })).body).toEqual({
      code: 'PROVIDER_NOT_FOUND',
      message: 'Provider not found',
    })
    expect((await own.post(link, { providerId: 'kc' })).body.code).toBe('VALIDATION_ERROR')
  })

  it('302: only with the same address', async () => {
    const { app, provider } = start()
    const device = await signUp(app, alice)
    expect(locationOf(await comeBack(device, await startAt(device, provider, {}, link)))).toBe(
      errorAt("email_doesn't_match"),
    )
    provider.person = { id: '7', email: alice.email.toUpperCase() }
    expect(locationOf(await comeBack(device, await startAt(device, provider, {}, link)))).toBe('/dash')
    expect((await device.get('/list-accounts')).body).toHaveLength(2)
  })

  it('302: with any address where the configuration allows it', async () => {
    const { app, provider } = start({}, {}, { account: { accountLinking: { allowDifferentEmails: true } } })
    const device = await signUp(app, alice)
    expect(locationOf(await comeBack(device, await startAt(device, provider, {}, link)))).toBe('/dash')
  })

  it('302: not an identity of another user', async () => {
    const { app, device, provider } = start({}, {}, { account: { accountLinking: { allowDifferentEmails: true } } })
    await comeBack(device, await startAt(device, provider, {}, begin))
    const other = await signUp(app, alice)
    expect(locationOf(await comeBack(other, await startAt(other, provider, {}, link)))).toBe(
      errorAt('account_already_linked_to_different_user'),
    )
  })
})
