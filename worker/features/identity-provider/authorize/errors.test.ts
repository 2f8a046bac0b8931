import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FaultInjector } from '../../../testing/faults.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import {
  authorizationRequest,
  authorize,
  callback,
  type RegisteredClient,
  recordConsent,
  registerClient,
} from '../../../testing/oauth.ts'
import { alice, bob, signIn, signUp } from '../../../testing/people.ts'

/** The recipient of an error: RFC 6749, section 4.1.2.1, and RFC 9700, section 4.11.2. */

const errorPage = 'http://localhost:8787/api/auth/error'
const openConfig = { rateLimit: { enabled: false }, mcp: { enabled: true } }
let app: TestApp
let device: Device
let client: RegisteredClient
beforeEach(async () => {
  app = new TestApp(openConfig)
  device = await signUp(app, alice)
  client = await registerClient(device)
})

const broken = (more: Record<string, string> = {}) => authorizationRequest(client, { scope: 'openid wizard', ...more })
const at = (url: URL) => ({ target: `${url.origin}${url.pathname}`, error: url.searchParams.get('error') })

describe.each(['/oauth2/authorize', '/mcp/authorize'])('GET %s', (path) => {
  it('a client without trust and consent gets no redirect without a page of ours', async () => {
    for (const visitor of [app.device(), await signUp(app, bob)]) {
      expect(at(await authorize(visitor, broken(), path))).toEqual({ target: errorPage, error: 'invalid_scope' })
      const huge = authorizationRequest(client, { state: 's'.repeat(1990), nonce: 'n'.repeat(900), scope: 'openid' })
      const asked = await authorize(
        visitor,
        { ...huge, max_age: '0', ui_locales: 'x'.repeat(900), prompt: 'login' },
        path,
      )
      expect(at(asked)).toEqual({ target: errorPage, error: 'invalid_request' })
    }
  })

  it('a client with consent gets the errors of that user only; a trusted one those of all users', async () => {
    await recordConsent(client)
    expect(at(await authorize(device, broken(), path))).toEqual({ target: callback, error: 'invalid_scope' })
    expect(at(await authorize(app.device(), broken(), path))).toEqual({ target: errorPage, error: 'invalid_scope' })
    const trusting = new TestApp({ ...openConfig, identityProvider: { trustedClients: [client.client_id] } })
    expect(at(await authorize(trusting.device(), broken(), path))).toEqual({ target: callback, error: 'invalid_scope' })
  })

  it('the user who registered the client gets its errors there, but no visitor, and no user of another session', async () => {
    expect(at(await authorize(device, broken(), path))).toEqual({ target: callback, error: 'invalid_scope' })
    const others = [app.device(), await signUp(app, bob)]
    for (const visitor of others) expect(at(await authorize(visitor, broken(), path)).target).toBe(errorPage)
  })

  it('a client of the configuration gets the errors, whether its users have to consent or not', async () => {
    const ours = { clientId: 'ours', clientSecret: 's'.repeat(32), name: 'Ours', redirectURLs: [callback] }
    for (const askConsent of [true, false]) {
      const trusting = new TestApp({ ...openConfig, identityProvider: { trustedClients: [{ ...ours, askConsent }] } })
      const query = authorizationRequest({ client_id: 'ours' }, { scope: 'openid wizard' })
      expect(at(await authorize(trusting.device(), query, path))).toEqual({ target: callback, error: 'invalid_scope' })
    }
  })

  // RFC 9700, section 4.11.2: silent authentication is an exception for valid requests only.
  it.each<[string, Record<string, string>, string]>([
    ['none and login', { prompt: 'none login' }, 'invalid_request'],
    ['none and consent', { prompt: 'none consent' }, 'invalid_request'],
    ['none and an unknown prompt', { prompt: 'none create' }, 'invalid_request'],
    ['none and a bad max_age', { prompt: 'none', max_age: 'soon' }, 'invalid_request'],
    ['none and a bad response_mode', { prompt: 'none', response_mode: 'fragment' }, 'invalid_request'],
    ['none and an unknown scope', { prompt: 'none', scope: 'openid wizard' }, 'invalid_scope'],
    ['none and invalid claims', { prompt: 'none', claims: '[' }, 'invalid_request'],
    ['none and an invalid challenge', { prompt: 'none', code_challenge: 'x' }, 'invalid_request'],
    ['none and an unknown resource', { prompt: 'none', resource: 'https://x.example.org' }, 'invalid_target'],
    ['none and a registration', { prompt: 'none', registration: '{}' }, 'registration_not_supported'],
    ['none and a request_uri', { prompt: 'none', request_uri: 'https://x.example.org/r' }, 'request_uri_not_supported'],
    ['none and an invalid request object', { prompt: 'none', request: 'ey' }, 'invalid_request_object'],
    [
      'none, request and request_uri',
      { prompt: 'none', request: 'ey', request_uri: 'https://x.org/' },
      'invalid_request',
    ],
    ['none and a huge nonce', { prompt: 'none', nonce: 'n'.repeat(1001) }, 'invalid_request'],
    ['none and bad details', { prompt: 'none', authorization_details: '[' }, 'invalid_authorization_details'],
    ['none and a bad thumbprint', { prompt: 'none', dpop_jkt: 'x' }, 'invalid_request'],
  ])('%s: the page, for visitors and for users who do not know the client', async (_what, more, error) => {
    const query = authorizationRequest(client, { scope: 'openid', ...more })
    for (const visitor of [app.device(), await signUp(app, bob)]) {
      expect(at(await authorize(visitor, query, path))).toEqual({ target: errorPage, error })
    }
    expect(at(await authorize(device, query, path))).toEqual({ target: callback, error })
  })

  it('an unreadable request object: the page, if no redirect URI beside it is registered', async () => {
    const query = authorizationRequest(client, { request: 'ey', redirect_uri: 'https://evil.example.org' })
    expect(at(await authorize(device, query, path))).toEqual({ target: errorPage, error: 'invalid_request_object' })
  })

  it('prompt=none keeps its redirect', async () => {
    const silent = broken({ prompt: 'none', scope: 'openid' })
    expect(at(await authorize(app.device(), silent, path))).toEqual({ target: callback, error: 'login_required' })
    expect(at(await authorize(device, silent, path))).toEqual({ target: callback, error: 'consent_required' })
  })

  it('the page is the one that the configuration names', async () => {
    const own = 'https://product.example.com/oops?from=auth'
    const trustedOrigins = ['https://product.example.com']
    for (const config of [{ onAPIError: { errorURL: own } }, { pages: { error: own } }]) {
      const visitor = new TestApp({ ...openConfig, trustedOrigins, ...config }).device()
      for (const query of [broken(), { ...broken(), client_id: 'unknown' }]) {
        const url = await authorize(visitor, query, path)
        expect({ origin: url.origin, pathname: url.pathname, from: url.searchParams.get('from') }).toEqual({
          origin: 'https://product.example.com',
          pathname: '/oops',
          from: 'auth',
        })
        expect(url.searchParams.get('error')).toMatch(/^invalid_(scope|client)$/)
        expect(url.searchParams.get('error_description')).toBeTruthy()
      }
    }
  })
})

describe('a fault', () => {
  const walk = async (user: typeof alice = alice) => {
    const faults = new FaultInjector()
    const failing = new TestApp(openConfig, faults.bindings(), false)
    return { faults, visitor: await signIn(failing, user) }
  }
  const query = () => authorizationRequest(client, { scope: 'openid' })

  it('reaches a client with consent as server_error, and is in the log', async () => {
    await recordConsent(client)
    const { faults, visitor } = await walk()
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    faults.outage('ONE_TIME')
    const url = await authorize(visitor, query())
    expect(at(url)).toEqual({ target: callback, error: 'server_error' })
    expect({ state: url.searchParams.get('state'), iss: url.searchParams.get('iss') }).toEqual({
      state: 'client-state',
      iss: 'http://localhost:8787',
    })
    expect(JSON.stringify(log.mock.calls)).toContain('fault')
    log.mockRestore()
    faults.watch()
    expect((await authorize(visitor, query())).searchParams.has('code')).toBe(true)
  })

  it('is 503 for any other client, and before the client is known', async () => {
    await signUp(app, bob)
    for (const outage of ['D1', 'ONE_TIME']) {
      const { faults, visitor } = await walk(bob)
      faults.outage(outage)
      const { status, headers } = await visitor.get('/oauth2/authorize', { query: query() })
      expect({ outage, status, location: headers.get('location') }).toEqual({ outage, status: 503, location: null })
    }
  })
})

describe('the consent page', () => {
  const asked = async (tested: Device, named = client) => {
    const query = authorizationRequest(named, { scope: 'openid offline_access', prompt: 'consent' })
    const consent_code = (await authorize(tested, query)).searchParams.get('consent_code')!
    return (await tested.get('/oauth2/consent', { query: { consent_code } })).body
  }

  it('shows that the client is self-registered, and how long access lasts', async () => {
    const refreshing = await registerClient(device, { grant_types: ['authorization_code', 'refresh_token'] })
    expect(await asked(device, refreshing)).toMatchObject({
      client: { selfRegistered: true },
      accessExpiresIn: 7_776_000,
    })
    const once = await registerClient(device, { grant_types: ['authorization_code'] })
    expect((await asked(device, once)).accessExpiresIn).toBe(3600)
    const { body } = await app
      .device()
      .post(
        '/mcp/register',
        { redirect_uris: [callback], token_endpoint_auth_method: 'client_secret_post' },
        { headers: { origin: 'https://agent.example.org', 'content-type': 'application/json' } },
      )
    expect((await asked(device, body)).client.selfRegistered).toBe(true)
    const configured = { clientId: 'ours', clientSecret: 's'.repeat(32), name: 'Ours', redirectURLs: [callback] }
    const identityProvider = { trustedClients: [{ ...configured, askConsent: true }] }
    const ours = await signIn(new TestApp({ ...openConfig, identityProvider }), alice)
    expect((await asked(ours, { client_id: 'ours', client_secret: '' })).client.selfRegistered).toBe(false)
  })
})

it('where PKCE is required, the method is as well', async () => {
  const requiring = new TestApp({ ...openConfig, identityProvider: { requirePKCE: true } })
  const visitor = await signIn(requiring, alice)
  await recordConsent(client, 'openid')
  const challenge = { scope: 'openid', code_challenge: 'v'.repeat(43) }
  const ask = async (more: Record<string, string>) =>
    (await authorize(visitor, authorizationRequest(client, { ...challenge, ...more }))).searchParams
  expect((await ask({})).get('error_description')).toBe('pkce is required')
  expect((await ask({ code_challenge_method: 'plain' })).has('code')).toBe(true)
})
