import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answer, type Device, env, TestApp } from '../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  callback,
  codeOf,
  exchange,
  pkce,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../testing/oauth.ts'
import { alice, signUp } from '../../testing/people.ts'
import type { checks } from './authorize/checks.ts'
import * as authorizeTable from './authorize/checks.ts'
import authenticateSource from './clients/authenticate.ts?raw'
import introspectionSource from './introspection/introspection.ts?raw'
import type { registrationChecks } from './registration/checks.ts'
import * as registrationTable from './registration/checks.ts'
import codeSource from './token/authorization-code.ts?raw'
import type { codeChecks, refreshChecks } from './token/checks.ts'
import * as tokenTables from './token/checks.ts'
import refreshSource from './token/refresh-token.ts?raw'
import tokenSource from './token/token.ts?raw'

/**
 * One failing case for each named check of authorize, token, introspection, revocation and registration: what is told,
 * and where it goes. A check without a case does not compile, or fails the comparison at the end.
 */

type Query = Record<string, string | undefined>

let app: TestApp
let device: Device
let client: RegisteredClient
beforeEach(async () => {
  app = new TestApp({ rateLimit: { enabled: false } })
  device = await signUp(app, alice)
  client = await registerClient(device)
})

/** The request, what is told, where it goes, and what is special about the client. */
type AuthorizeCase = [query: Query, error: string, to: 'client' | 'person', metadata?: object]

const authorizeCases: { [C in keyof typeof checks]: AuthorizeCase } = {
  nothingRepeated: [{ nonce: 'a', 'nonce ': 'b' }, 'invalid_request', 'client'],
  noRequestObject: [{ request: 'ey' }, 'request_not_supported', 'client'],
  pushedIfRequired: [{}, 'invalid_request', 'client', { require_pushed_authorization_requests: true }],
  responseType: [{ response_type: 'token' }, 'unsupported_response_type', 'person'],
  responseMode: [{ response_mode: 'fragment' }, 'invalid_request', 'client'],
  grantType: [{}, 'unauthorized_client', 'client', { grant_types: ['refresh_token'] }],
  scopes: [{ scope: 'openid wizard' }, 'invalid_scope', 'client'],
  codeChallenge: [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request', 'client'],
  prompt: [{ prompt: 'none login' }, 'invalid_request', 'client'],
  maxAge: [{ max_age: 'soon' }, 'invalid_request', 'client'],
  resource: [{ resource: 'https://tools.example.com' }, 'invalid_target', 'client'],
  keyThumbprint: [{ dpop_jkt: 'x' }, 'invalid_request', 'client'],
  lengths: [{ nonce: 'n'.repeat(1001) }, 'invalid_request', 'client'],
}

describe('GET /oauth2/authorize', () => {
  it.each(Object.entries(authorizeCases))('%s', async (name, [query, error, to, metadata]) => {
    const asking = metadata ? await registerClient(device, metadata) : client
    const search = new URLSearchParams(authorizationRequest(asking, query as Record<string, string>))
    const url =
      name === 'nothingRepeated'
        ? new URL((await device.get(`/oauth2/authorize?${search}&nonce=b`)).headers.get('location')!)
        : await authorize(device, authorizationRequest(asking, query))
    expect([`${url.origin}${url.pathname}`, url.searchParams.get('error')]).toEqual([
      to === 'client' ? callback : 'http://localhost:8787/api/auth/error',
      error,
    ])
    // The client learns which of its requests it was, and from whom the answer is; a stranger's page learns nothing.
    expect([url.searchParams.get('state'), url.searchParams.get('iss')]).toEqual(
      to === 'client' ? ['client-state', 'http://localhost:8787'] : [null, null],
    )
  })

  it('before the redirect URI is proven nothing goes back to the client', async () => {
    expect((await authorize(device, authorizationRequest({ client_id: 'nobody' }))).pathname).toBe('/api/auth/error')
    const { status, headers } = await device.get('/oauth2/authorize', {
      query: authorizationRequest(client, { redirect_uri: 'https://evil.example.org' }),
    })
    expect([status, headers.get('location')]).toEqual([400, null])
  })
})

type Refused = [error: string, description: string, status?: number]

const expectRefused = ({ status, body, headers }: Answer, [error, description, expected = 400]: Refused) => {
  expect([status, body]).toEqual([expected, { error, error_description: description }])
  expect([headers.get('cache-control'), headers.get('location')]).toEqual(['no-store', null])
}

const offline = { scope: 'openid offline_access', prompt: 'consent' }
const codeFor = async (more: Query = {}) => codeOf(await agree(device, authorizationRequest(client, more)))

const codeCases: { [C in keyof typeof codeChecks]: [() => Promise<Answer>, Refused] } = {
  ownCode: [
    async () => exchange(app, await registerClient(device), await codeFor()),
    ['invalid_grant', 'invalid code'],
  ],
  redirectUri: [
    async () => exchange(app, client, await codeFor(), { redirect_uri: `${callback}/` }),
    ['invalid_grant', 'invalid redirect_uri'],
  ],
  codeKey: [
    async () => exchange(app, client, await codeFor({ dpop_jkt: 'k'.repeat(43) })),
    ['invalid_dpop_proof', 'the code is bound to another key'],
  ],
  codeVerifier: [
    async () => exchange(app, client, await codeFor(pkce().request), { code_verifier: pkce().verifier }),
    ['invalid_grant', 'code verification failed'],
  ],
  codeResource: [
    async () => exchange(app, client, await codeFor(), { resource: 'https://tools.example.com' }),
    ['invalid_target', 'the resource was not granted'],
  ],
}

const refreshTokenOf = async () => (await exchange(app, client, await codeFor(offline))).body.refresh_token as string
const refresh = (refresh_token: string, more: Query = {}) =>
  postForm(app, '/oauth2/token', {
    grant_type: 'refresh_token',
    refresh_token,
    client_id: client.client_id,
    client_secret: client.client_secret,
    ...more,
  })

const refreshCases: { [C in keyof typeof refreshChecks]: [() => Promise<Answer>, Refused] } = {
  ownToken: [
    async () => {
      const { client_id, client_secret } = await registerClient(device)
      return refresh(await refreshTokenOf(), { client_id, client_secret })
    },
    ['invalid_grant', 'invalid refresh token'],
  ],
  // dpop/dpop.test.ts binds tokens to a key and shows another one: here the row is made to name one.
  tokenKey: [
    async () => {
      const token = await refreshTokenOf()
      await env.DB.exec("update oauth_access_tokens set key_thumbprint = 'k'")
      return refresh(token)
    },
    ['invalid_dpop_proof', 'the token is bound to another key'],
  ],
  notExpired: [
    async () => {
      const token = await refreshTokenOf()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })
      try {
        return await refresh(token)
      } finally {
        vi.useRealTimers()
      }
    },
    ['invalid_grant', 'refresh token expired'],
  ],
  tokenResource: [
    async () => refresh(await refreshTokenOf(), { resource: 'https://tools.example.com' }),
    ['invalid_target', 'the resource was not granted'],
  ],
  scopes: [
    async () => refresh(await refreshTokenOf(), { scope: 'openid email' }),
    ['invalid_scope', 'The following scopes are invalid: email'],
  ],
}

/** Whatever the endpoints refuse before a code or token is looked at, by the sentence in the source. */
const at = (path: string, parameters: Query, headers: Record<string, string> = {}) =>
  postForm(app, path, parameters, headers)
const credentials = () => ({ client_id: client.client_id, client_secret: client.client_secret })
const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` })
const registered = (more: object) => registerClient(device, more)

const requestCases: Record<string, [(path: string) => Promise<Answer>, error: string, status?: number]> = {
  'client_id and client_secret are required': [(path) => at(path, { token: 'x' }), 'invalid_client', 401],
  'more than one way of client authentication': [
    (path) => at(path, { token: 'x', ...credentials() }, basic('a:b')),
    'invalid_request',
  ],
  'invalid authorization header format': [(path) => at(path, { token: 'x' }, basic('no-colon')), 'invalid_client', 401],
  'client_id does not match the authorization header': [
    (path) => at(path, { token: 'x', client_id: 'other' }, basic('a:b')),
    'invalid_request',
  ],
  'invalid client_assertion_type': [
    (path) => at(path, { token: 'x', client_assertion: 'a.b.c' }),
    'invalid_client',
    401,
  ],
  'invalid client_assertion': [
    (path) =>
      at(path, {
        token: 'x',
        client_assertion: 'a.b.c',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      }),
    'invalid_client',
    401,
  ],
  'invalid client_id': [(path) => at(path, { token: 'x', client_id: 'nobody' }), 'invalid_client', 401],
  'invalid client_secret': [
    (path) => at(path, { token: 'x', ...credentials(), client_secret: 'wrong' }),
    'invalid_client',
    401,
  ],
  'client is disabled': [
    async (path) => {
      await device.post('/oauth2/update-client', { clientId: client.client_id, disabled: true })
      return at(path, { token: 'x', ...credentials() })
    },
    'invalid_client',
    401,
  ],
  'client_assertion is required': [
    async (path) => {
      const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'x'.repeat(43) }] }
      const { client_id } = await registered({ token_endpoint_auth_method: 'private_key_jwt', jwks })
      return at(path, { token: 'x', client_id, client_secret: 'x' })
    },
    'invalid_client',
    401,
  ],
  'token is required': [(path) => at(path, credentials()), 'invalid_request'],
}

/** The token endpoint's own, with the parameters that lead to each. */
const tokenRequestCases: Record<string, [() => Promise<Answer>, error: string]> = {
  'grant_type is required': [() => at('/oauth2/token', credentials()), 'invalid_request'],
  'unsupported grant type': [() => at('/oauth2/token', { grant_type: 'password' }), 'unsupported_grant_type'],
  'code is required': [() => at('/oauth2/token', { grant_type: 'authorization_code' }), 'invalid_request'],
  'redirect_uri is required': [
    () => at('/oauth2/token', { grant_type: 'authorization_code', code: 'x' }),
    'invalid_request',
  ],
  'code verifier is missing': [async () => exchange(app, client, await codeFor(pkce().request)), 'invalid_request'],
  'invalid code': [() => exchange(app, client, 'nope'), 'invalid_grant'],
  'code expired': [
    async () => {
      const code = await codeFor()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
      try {
        return await exchange(app, client, code)
      } finally {
        vi.useRealTimers()
      }
    },
    'invalid_grant',
  ],
  'refresh_token is required': [() => at('/oauth2/token', { grant_type: 'refresh_token' }), 'invalid_request'],
  'invalid refresh token': [() => refresh('nope'), 'invalid_grant'],
  'user not found': [
    async () => {
      const token = await refreshTokenOf()
      await env.DB.exec('update users set security_version = 99')
      return refresh(token)
    },
    'invalid_grant',
  ],
}

describe('POST /oauth2/token', () => {
  it.each(Object.entries({ ...codeCases, ...refreshCases }))('%s', async (_name, [act, refused]) => {
    expectRefused(await act(), refused)
  })

  it.each(Object.entries(tokenRequestCases))('%s', async (description, [act, error]) => {
    expectRefused(await act(), [error, description])
  })
})

describe.each(['/oauth2/introspect', '/oauth2/revoke'])('POST %s', (path) => {
  it.each(Object.entries(requestCases))('%s', async (description, [act, error, status]) => {
    expectRefused(await act(path), [error, description, status])
  })
})

const registrationCases: { [C in keyof typeof registrationChecks]: [metadata: object, error: string] } = {
  redirectUrisGiven: [{ redirect_uris: [] }, 'invalid_redirect_uri'],
  redirectUris: [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  codeWithCode: [{ response_types: ['token'] }, 'invalid_client_metadata'],
  implicitWithToken: [{ grant_types: ['implicit'] }, 'invalid_client_metadata'],
  knownScopes: [{ scope: 'wizard' }, 'invalid_client_metadata'],
  keys: [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
  backChannel: [{ backchannel_logout_uri: 'https://x.local/' }, 'invalid_client_metadata'],
  oneSector: [
    { subject_type: 'pairwise', redirect_uris: [callback, 'https://other.example.com/cb'] },
    'invalid_client_metadata',
  ],
}

describe('POST /oauth2/register', () => {
  it.each(Object.entries(registrationCases))('%s', async (_name, [metadata, error]) => {
    const { status, body, headers } = await device.post('/oauth2/register', { redirect_uris: [callback], ...metadata })
    expect([status, body.error, headers.get('location')]).toEqual([400, error, null])
  })
})

it('no check and no sentence is without its case', () => {
  const names = (table: object) => Object.keys(table).sort()
  expect(names(authorizeCases)).toEqual(names(authorizeTable.checks))
  expect(names(registrationCases)).toEqual(names(registrationTable.registrationChecks))
  expect(names(codeCases)).toEqual(names(tokenTables.codeChecks))
  expect(names(refreshCases)).toEqual(names(tokenTables.refreshChecks))
  const sentences = (...sources: string[]) =>
    sources.flatMap((source) =>
      [...source.matchAll(/(?:oauthError\('\w+'|invalidClient\()(?:, )?'([^']+)'/g)].map(([, sentence]) => sentence!),
    )
  const missing = (cases: object, ...sources: string[]) =>
    [...new Set(sentences(...sources))].filter((sentence) => !Object.hasOwn(cases, sentence))
  expect(missing(requestCases, authenticateSource, introspectionSource)).toEqual([])
  expect(missing(tokenRequestCases, tokenSource, codeSource, refreshSource)).toEqual([])
  expect(sentences(authenticateSource).length).toBeGreaterThan(8)
})
