import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answer, type Device, TestApp } from '../../testing/harness.ts'
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
  recordConsent,
  registerClient,
} from '../../testing/oauth.ts'
import { alice, signUp } from '../../testing/people.ts'
import { rowOf, updateRows } from '../../testing/rows.ts'
import { updateUsers } from '../../testing/states.ts'
import introspectionSource from './introspection/introspection.ts?raw'
import authenticateSource from './model/clients/authenticate.ts?raw'
import type { metadataChecks } from './model/clients/client-metadata-checks.ts'
import * as metadataTable from './model/clients/client-metadata-checks.ts'
import findTokenSource from './model/grants/find-token.ts?raw'
import type { checks } from './model/requests/request-checks.ts'
import * as authorizeTable from './model/requests/request-checks.ts'
import codeSource from './token/code-grant.ts?raw'
import refreshSource from './token/refresh-grant.ts?raw'
import tokenSource from './token/token.ts?raw'
import type { codeChecks, refreshChecks } from './token/token-checks.ts'
import * as tokenTables from './token/token-checks.ts'

/**
 * One failing case for each named check of authorize, token, introspection, revocation and registration: the error and its
 * recipient. A check without a case does not compile, or fails the comparison at the end.
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

/** The request, the error, its recipient, and the client's metadata. */
type AuthorizeCase = [query: Query, error: string, to: 'client' | 'user', metadata?: object]

const authorizeCases: { [C in keyof typeof checks]: AuthorizeCase } = {
  nothingRepeated: [{ nonce: 'a', 'nonce ': 'b' }, 'invalid_request', 'client'],
  supportedParameters: [{ registration: '{}' }, 'registration_not_supported', 'client'],
  pushedIfRequired: [{}, 'invalid_request', 'client', { require_pushed_authorization_requests: true }],
  responseType: [{ response_type: 'token' }, 'unsupported_response_type', 'user'],
  responseMode: [{ response_mode: 'fragment' }, 'invalid_request', 'client'],
  grantType: [{}, 'unauthorized_client', 'client', { grant_types: ['refresh_token'] }],
  scopes: [{ scope: 'openid wizard' }, 'invalid_scope', 'client'],
  codeChallenge: [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request', 'client'],
  prompt: [{ prompt: 'none login' }, 'invalid_request', 'client'],
  maxAge: [{ max_age: 'soon' }, 'invalid_request', 'client'],
  claims: [{ claims: '{"userinfo": []}' }, 'invalid_request', 'client'],
  resource: [{ resource: 'https://tools.example.com' }, 'invalid_target', 'client'],
  resourceScopes: [{ scope: 'openid reports' }, 'invalid_scope', 'client'],
  authorizationDetails: [{ authorization_details: '[{"type":"payment"}]' }, 'invalid_authorization_details', 'client'],
  keyThumbprint: [{ dpop_jkt: 'x' }, 'invalid_request', 'client'],
  lengths: [{ nonce: 'n'.repeat(1001) }, 'invalid_request', 'client'],
}

describe('GET /oauth2/authorize', () => {
  it.each(Object.entries(authorizeCases))('%s', async (name, [query, error, to, metadata]) => {
    const asking = metadata ? await registerClient(device, metadata) : client
    await recordConsent(asking)
    const search = new URLSearchParams(authorizationRequest(asking, query as Record<string, string>))
    const url =
      name === 'nothingRepeated'
        ? new URL((await device.get(`/oauth2/authorize?${search}&nonce=b`)).headers.get('location')!)
        : await authorize(device, authorizationRequest(asking, query))
    expect({ target: `${url.origin}${url.pathname}`, error: url.searchParams.get('error') }).toEqual({
      target: to === 'client' ? callback : 'http://localhost:8787/api/auth/error',
      error,
    })
    // Only the client gets `state` and `iss`; the error page gets neither.
    expect({ state: url.searchParams.get('state'), iss: url.searchParams.get('iss') }).toEqual(
      to === 'client' ? { state: 'client-state', iss: 'http://localhost:8787' } : { state: null, iss: null },
    )
  })

  it('before the redirect URI is proven nothing is sent to the client', async () => {
    expect((await authorize(device, authorizationRequest({ client_id: 'unknown' }))).pathname).toBe('/api/auth/error')
    const { status, headers } = await device.get('/oauth2/authorize', {
      query: authorizationRequest(client, { redirect_uri: 'https://evil.example.org' }),
    })
    expect({ status, location: headers.get('location') }).toEqual({ status: 400, location: null })
  })
})

type Refused = [error: string, description: string, status?: number]

const expectRefused = ({ status, body, headers }: Answer, [error, description, expected = 400]: Refused) => {
  expect({ status, body }).toEqual({ status: expected, body: { error, error_description: description } })
  expect({ cacheControl: headers.get('cache-control'), location: headers.get('location') }).toEqual({
    cacheControl: 'no-store',
    location: null,
  })
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
  // RFC 7636, section 4.1: 43 characters at least; the codes of this client need no verifier.
  verifierFormed: [
    async () => exchange(app, client, await codeFor(), { code_verifier: 'v'.repeat(42) }),
    ['invalid_request', 'code_verifier must be 43 to 128 unreserved characters'],
  ],
  codeVerifier: [
    async () => exchange(app, client, await codeFor(pkce().request), { code_verifier: pkce().verifier }),
    ['invalid_grant', 'code verification failed'],
  ],
  codeResource: [
    async () => exchange(app, client, await codeFor(), { resource: 'https://tools.example.com' }),
    ['invalid_target', 'the resource was not granted'],
  ],
  codeDetails: [
    async () => exchange(app, client, await codeFor(), { authorization_details: '[{"type":"payment"}]' }),
    ['invalid_authorization_details', 'the authorization details were not granted'],
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
  // A client's registration does not change; this row lacks the grant.
  refreshGrant: [
    async () => {
      const token = await refreshTokenOf()
      const { registration } = (await rowOf('oauth_applications'))!
      await updateRows('oauth_applications', { registration: { ...registration, grant_types: ['authorization_code'] } })
      return refresh(token)
    },
    ['unauthorized_client', 'client may not use this grant type'],
  ],
  ownToken: [
    async () => {
      const { client_id, client_secret } = await registerClient(device)
      return refresh(await refreshTokenOf(), { client_id, client_secret })
    },
    ['invalid_grant', 'invalid refresh token'],
  ],
  // model/requests/dpop.test.ts binds tokens to a key and sends another one; this row has a bound key.
  tokenKey: [
    async () => {
      const token = await refreshTokenOf()
      await updateRows('oauth_access_tokens', { keyThumbprint: 'k' })
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
  tokenDetails: [
    async () => refresh(await refreshTokenOf(), { authorization_details: '[{"type":"payment"}]' }),
    ['invalid_authorization_details', 'the authorization details were not granted'],
  ],
}

/** The errors of the endpoints before they read a code or token, by the sentence in the source. */
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
  'invalid client_id': [(path) => at(path, { token: 'x', client_id: 'unknown' }), 'invalid_client', 401],
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

/** The token endpoint's own errors, with the parameters that cause each. */
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
      await updateUsers({ securityVersion: 99 })
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

/** A check of the security profile, which needs another configuration: fapi.test.ts. */
const registrationCases: {
  [C in Exclude<keyof typeof metadataChecks, 'securityProfile'>]: [metadata: object, error: string]
} = {
  redirectUrisGiven: [{ redirect_uris: [] }, 'invalid_redirect_uri'],
  redirectUris: [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  privateSchemes: [{ redirect_uris: ['com.example.app:/cb'] }, 'invalid_redirect_uri'],
  ownName: [{ client_name: 'Gatehouse Security' }, 'invalid_client_metadata'],
  codeWithCode: [{ response_types: ['token'] }, 'invalid_client_metadata'],
  implicitWithToken: [{ grant_types: ['implicit'] }, 'invalid_client_metadata'],
  knownScopes: [{ scope: 'wizard' }, 'invalid_client_metadata'],
  knownDetails: [{ authorization_details_types: ['payment'] }, 'invalid_client_metadata'],
  keys: [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
  backChannel: [{ backchannel_logout_uri: 'https://x.local/' }, 'invalid_client_metadata'],
  approvals: [{ backchannel_token_delivery_mode: 'ping' }, 'invalid_client_metadata'],
  oneSector: [
    { subject_type: 'pairwise', redirect_uris: [callback, 'https://other.example.com/cb'] },
    'invalid_client_metadata',
  ],
}

describe('POST /oauth2/register', () => {
  it.each(Object.entries(registrationCases))('%s', async (_name, [metadata, error]) => {
    const { status, body, headers } = await device.post('/oauth2/register', { redirect_uris: [callback], ...metadata })
    expect({ status, error: body.error, location: headers.get('location') }).toEqual({
      status: 400,
      error,
      location: null,
    })
  })
})

it('no check and no sentence is without its case', () => {
  const names = (table: object) => Object.keys(table).sort()
  expect(names(authorizeCases)).toEqual(names(authorizeTable.checks))
  expect([...names(registrationCases), 'securityProfile'].sort()).toEqual(names(metadataTable.metadataChecks))
  expect(names(codeCases)).toEqual(names(tokenTables.codeChecks))
  expect(names(refreshCases)).toEqual(names(tokenTables.refreshChecks))
  const sentences = (...sources: string[]) =>
    sources.flatMap((source) =>
      [...source.matchAll(/(?:oauthError\('\w+'|invalidClient\()(?:, )?'([^']+)'/g)].map(([, sentence]) => sentence!),
    )
  // Cases of the security profile are in fapi.test.ts, of the limit of refreshes in token.test.ts.
  const elsewhere = ['the security profile needs private_key_jwt', 'too many refreshes of this authorization']
  const missing = (cases: object, ...sources: string[]) =>
    [...new Set(sentences(...sources))].filter(
      (sentence) => !Object.hasOwn(cases, sentence) && !elsewhere.includes(sentence),
    )
  expect(missing(requestCases, authenticateSource, findTokenSource, introspectionSource)).toEqual([])
  expect(missing(tokenRequestCases, tokenSource, codeSource, refreshSource)).toEqual([])
  expect(sentences(authenticateSource).length).toBeGreaterThan(8)
})
