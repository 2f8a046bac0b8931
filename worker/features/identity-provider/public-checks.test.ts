import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sha256 } from '../../kit/hash.ts'
import { type Answer, type Device, origin, TestApp } from '../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  basic,
  callback,
  claimsIn,
  codeOf,
  form,
  pkce,
  postForm,
  type RegisteredClient,
  recordConsent,
  registerClient,
} from '../../testing/oauth.ts'
import { alice, signUp } from '../../testing/people.ts'
import { sample } from '../../testing/sample.ts'
import { banUsers } from '../../testing/states.ts'
import { approvalGrantType } from './model/clients/client.ts'
import { deviceGrantType } from './model/grants/device-code.ts'

/**
 * Checks that public suites have and the other tests here lack, as requests, by the section of the standard. What this server does
 * differently on purpose is in decision 255.
 */

type Query = Record<string, string | undefined>
const tools = 'https://tools.example.com'
const files = 'https://files.example.com'
const robot = { client_id: 'robot', client_secret: 's'.repeat(32) }
const grant_types = ['authorization_code', 'refresh_token', deviceGrantType, approvalGrantType]
const offline = { scope: 'openid email offline_access', prompt: 'consent' }

let app: TestApp
let device: Device
let client: RegisteredClient
let other: RegisteredClient
let open: RegisteredClient
beforeEach(async () => {
  app = new TestApp({
    rateLimit: { enabled: false },
    identityProvider: {
      resources: [{ identifier: tools, scopes: { read: 'Read' } }, files],
      services: [{ clientId: robot.client_id, clientSecret: robot.client_secret, access: { [tools]: ['read'] } }],
    },
  })
  device = await signUp(app, alice)
  client = await registerClient(device, { grant_types })
  other = await registerClient(device, { grant_types })
  open = await registerClient(device, { token_endpoint_auth_method: 'none' })
})
afterEach(() => vi.useRealTimers())

const token = (given: Query, by: RegisteredClient | null = client, headers = {}) =>
  postForm(app, '/oauth2/token', given, { ...(by ? basic(by) : {}), ...headers })
const granted = async (more: Query = {}, by = client) => {
  const code = codeOf(await agree(device, authorizationRequest(by, more)))
  return { grant_type: 'authorization_code', code, redirect_uri: callback }
}
const tokens = async (more: Query = offline, by = client) => (await token(await granted(more, by), by)).body
const refresh = (refresh_token: string, more: Query = {}, by = client) =>
  token({ grant_type: 'refresh_token', refresh_token, ...more }, by)
const show = (given: Query, by = client) => postForm(app, '/oauth2/introspect', given, basic(by))
const revoke = (given: Query, by = client) => postForm(app, '/oauth2/revoke', given, basic(by))
const userinfo = (headers: Record<string, string>) => app.device().get('/oauth2/userinfo', { headers })
const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })

/** The status, and the error of a body or of a redirect. */
const of = ({ status, body, headers }: Answer): string => {
  const location = headers.get('location')
  const error = location ? new URL(location, origin).searchParams.get('error') : body?.error
  return `${location ? 'redirect' : status}${error ? ` ${error}` : ''}`
}
const ask = (more: Query) => device.get('/oauth2/authorize', { query: authorizationRequest(client, more) })

type Cases = Record<string, () => Promise<unknown>>
const table = (name: string, cases: Record<string, [() => Promise<unknown>, unknown]>) =>
  describe(name, () => {
    it.each(sample(Object.entries(cases), 5))('%s', async (_name, [act, expected]) => {
      expect(await act()).toEqual(expected)
    })
  })

table('RFC 6749, section 3.1, and OpenID Connect Core, section 3.1.2.1: authorization requests', {
  'a scope outside of the grammar': [
    async () => of(await ask({ scope: 'openid profile\ninjected' })),
    'redirect invalid_scope',
  ],
  'a scope with a quotation mark': [async () => of(await ask({ scope: 'openid "x"' })), 'redirect invalid_scope'],
  'max_age beyond safe integers': [
    async () => of(await ask({ max_age: '9007199254740992' })),
    'redirect invalid_request',
  ],
  'max_age with a fraction': [async () => of(await ask({ max_age: '1.5' })), 'redirect invalid_request'],
  'display and ui_locales of any value': [
    async () => (await authorize(device, authorizationRequest(client, { display: 'x', ui_locales: 'xx-yy' }))).pathname,
    '/consent',
  ],
  'a repeated response_mode': [
    async () =>
      of(
        await device.get(
          `/oauth2/authorize?${new URLSearchParams(authorizationRequest(client))}&response_mode=query&response_mode=query`,
        ),
      ),
    'redirect invalid_request',
  ],
  'a POST with JSON': [
    async () =>
      (await app.device().post('/oauth2/authorize', authorizationRequest(client), { headers: { origin: '' } })).status <
      500,
    true,
  ],
  'the state of any characters comes back': [
    async () => (await agree(device, authorizationRequest(client, { state: 'ä &="<>/%00' }))).searchParams.get('state'),
    'ä &="<>/%00',
  ],
  'a code is not in the fragment': [async () => (await agree(device, authorizationRequest(client))).hash, ''],
  'an id_token_hint of another issuer asks for a sign-in': [
    async () => (await authorize(device, authorizationRequest(client, { id_token_hint: 'a.b.c' }))).pathname,
    '/sign-in',
  ],
  'the same with prompt=none is login_required': [
    async () => of(await ask({ id_token_hint: 'a.b.c', prompt: 'none' })),
    'redirect login_required',
  ],
})

table('RFC 9700, section 4: redirects and pages', {
  'no redirect has the status 307, which repeats a form with credentials (4.12)': [
    async () => (await device.get('/oauth2/authorize', { query: authorizationRequest(client) })).status,
    302,
  ],
  'a page with a code cannot be framed, and its address is not sent on (4.2, 4.16)': [
    async () => {
      const page = await agree(device, authorizationRequest(client, { response_mode: 'form_post' }))
      const { headers } = await device.get(`${page.pathname}${page.search}`.replace('/api/auth', ''))
      return [
        headers.get('content-security-policy')?.includes("frame-ancestors 'none'"),
        headers.get('referrer-policy'),
      ]
    },
    [true, 'no-referrer'],
  ],
  'a code of one client is not one of another (4.5)': [
    async () => of(await token(await granted(), other)),
    '400 invalid_grant',
  ],
})

table('OpenID Connect Core, section 5.5: claims', {
  ...Object.fromEntries(
    [
      '[]',
      '1',
      '"x"',
      '{"userinfo":[]}',
      '{"id_token":"x"}',
      '{"userinfo":{"email":true}}',
      '{"id_token":{"acr":1}}',
      'null',
    ].map((claims) => [claims, [async () => of(await ask({ claims })), 'redirect invalid_request']] as const),
  ),
  'names of members of every object': [
    async () => of(await ask({ prompt: 'none', claims: '{"userinfo":{"constructor":null,"__proto__":null}}' })),
    'redirect consent_required',
  ],
})

table('RFC 6749, section 4.1.3: codes', {
  'no cache': [
    async () => {
      const { headers } = await token(await granted())
      return [headers.get('cache-control'), headers.get('pragma')]
    },
    ['no-store', 'no-cache'],
  ],
  'a code with NUL': [async () => of(await token({ ...(await granted()), code: '\u0000' })), '400 invalid_grant'],
  'a code of 100 KB': [async () => of(await token({ ...(await granted()), code: 'x'.repeat(100_000) })), '413'],
  'no grant_type': [
    async () => of(await token({ ...(await granted()), grant_type: undefined })),
    '400 invalid_request',
  ],
  'a repeated grant_type': [
    async () =>
      of(
        await app.device().post('/oauth2/token', 'grant_type=refresh_token&grant_type=refresh_token', {
          headers: { ...form, origin: '', ...basic(client) },
        }),
      ),
    '400 invalid_request',
  ],
  GET: [async () => [404, 405].includes((await app.device().get('/oauth2/token')).status), true],
  'credentials in the query': [
    async () =>
      of(
        await app
          .device()
          .post(
            `/oauth2/token?${new URLSearchParams({ ...client })}`,
            new URLSearchParams(await granted()).toString(),
            { headers: { ...form, origin: '' } },
          ),
      ),
    '401 invalid_client',
  ],
  'the code of a banned user': [
    async () => {
      const given = await granted()
      await banUsers()
      return of(await token(given))
    },
    '400 invalid_grant',
  ],
})

table('RFC 7636: PKCE', {
  'a downgrade: a verifier for a code without a challenge': [
    async () => of(await token({ ...(await granted()), code_verifier: pkce().verifier })),
    '400 invalid_grant',
  ],
  'a code with a challenge, without its verifier': [
    async () => of(await token(await granted(pkce().request))),
    '400 invalid_request',
  ],
  'the challenge as the verifier': [
    async () => {
      const { request } = pkce()
      return of(await token({ ...(await granted(request)), code_verifier: request.code_challenge }))
    },
    '400 invalid_grant',
  ],
})

table('RFC 6749, section 6: refresh tokens', {
  'of another client': [async () => of(await refresh((await tokens()).refresh_token, {}, other)), '400 invalid_grant'],
  'an access token': [async () => of(await refresh((await tokens()).access_token)), '400 invalid_grant'],
  'more scopes': [
    async () => of(await refresh((await tokens()).refresh_token, { scope: 'openid profile' })),
    '400 invalid_scope',
  ],
  'without openid: no id token': [
    async () => 'id_token' in (await refresh((await tokens()).refresh_token, { scope: 'email' })).body,
    false,
  ],
  'the id token has the same sub, aud and auth_time, and no nonce': [
    async () => {
      const first = await tokens({ ...offline, nonce: 'n' })
      const [a, b] = [first, (await refresh(first.refresh_token)).body].map(({ id_token }) => claimsIn(id_token))
      return [a!.sub === b!.sub, a!.aud === b!.aud, a!.auth_time === b!.auth_time, a!.nonce, b!.nonce]
    },
    [true, true, true, 'n', undefined],
  ],
  'with a resource that was not granted': [
    async () => of(await refresh((await tokens()).refresh_token, { resource: tools })),
    '400 invalid_target',
  ],
})

table('RFC 6749, section 2.3: client authentication', {
  ...Object.fromEntries(
    ['Basic', 'Basic ', 'Basic !!!!', 'Basic Zm9v', 'Basic Zm9vOg==', 'Basic Ojo6', 'Basic Zm9vOmJhcg== x'].map(
      (authorization) =>
        [
          authorization,
          [
            async () => of(await token({ grant_type: 'refresh_token', refresh_token: 'x' }, null, { authorization })),
            '401 invalid_client',
          ],
        ] as const,
    ),
  ),
  'a challenge for Basic': [
    async () => (await show({ token: 'x' }, { ...client, client_secret: 'wrong' })).headers.get('www-authenticate'),
    'Basic realm="oauth2"',
  ],
  'an empty secret': [
    async () =>
      of(
        await token(
          { grant_type: 'refresh_token', refresh_token: 'x', client_id: client.client_id, client_secret: '' },
          null,
        ),
      ),
    '401 invalid_client',
  ],
  'another id in the body': [
    async () => of(await show({ token: 'x', client_id: other.client_id })),
    '400 invalid_request',
  ],
  'two ways': [async () => of(await show({ token: 'x', ...client })), '400 invalid_request'],
  'an assertion without its type': [
    async () => of(await token({ grant_type: 'refresh_token', refresh_token: 'x', client_assertion: 'a.b.c' }, null)),
    '401 invalid_client',
  ],
  'an assertion whose header is null': [
    async () =>
      of(
        await token(
          {
            ...{ grant_type: 'refresh_token', refresh_token: 'x' },
            client_assertion: `bnVsbA.${Buffer.from(JSON.stringify({ sub: client.client_id })).toString('base64url')}.x`,
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          },
          null,
        ),
      ),
    '401 invalid_client',
  ],
})

const tokenKinds: Cases = {
  'an access token': async () => (await tokens()).access_token,
  'a refresh token': async () => (await tokens()).refresh_token,
}
const hints = [undefined, 'access_token', 'refresh_token', 'unknown']

table('RFC 7662: introspection', {
  ...Object.fromEntries(
    Object.entries(tokenKinds).flatMap(([kind, make]) =>
      hints.map(
        (token_type_hint) =>
          [
            `${kind} with the hint ${token_type_hint}`,
            [async () => (await show({ token: (await make()) as string, token_type_hint })).body.active, true],
          ] as const,
      ),
    ),
  ),
  'of another client: nothing else than inactive': [
    async () => (await show({ token: (await tokens()).access_token }, other)).body,
    { active: false },
  ],
  'a JWT that is not ours': [async () => (await show({ token: 'a.b.c' })).body, { active: false }],
  'a refresh token that was used': [
    async () => {
      const { refresh_token } = await tokens()
      await refresh(refresh_token)
      return (await show({ token: refresh_token })).body
    },
    { active: false },
  ],
  'an id token': [async () => (await show({ token: (await tokens()).id_token })).body, { active: false }],
  'no token': [async () => of(await show({})), '400 invalid_request'],
  'no cache': [async () => (await show({ token: 'x' })).headers.get('cache-control'), 'no-store'],
  'RFC 9701: JSON for clients that accept a JWT': [
    async () => {
      const accept = { accept: 'application/token-introspection+jwt' }
      const answer = await postForm(app, '/oauth2/introspect', { token: 'x' }, { ...basic(client), ...accept })
      return [answer.status, answer.headers.get('content-type')]
    },
    [200, 'application/json'],
  ],
})

table('RFC 7009: revocation', {
  ...Object.fromEntries(
    Object.entries(tokenKinds).flatMap(([kind, make]) =>
      hints.map(
        (token_type_hint) =>
          [
            `${kind} with the hint ${token_type_hint}`,
            [
              async () => {
                const presented = (await make()) as string
                const { status } = await revoke({ token: presented, token_type_hint })
                return [status, (await show({ token: presented })).body.active]
              },
              [200, false],
            ],
          ] as const,
      ),
    ),
  ),
  'of another client: 200, and it stays': [
    async () => {
      const { access_token } = await tokens()
      return [(await revoke({ token: access_token }, other)).status, (await show({ token: access_token })).body.active]
    },
    [200, true],
  ],
  'a public client revokes its own': [
    async () => {
      const { verifier, request } = pkce()
      const given = {
        ...(await granted({ ...offline, ...request }, open)),
        code_verifier: verifier,
        client_id: open.client_id,
      }
      const { access_token } = (await token(given, null)).body
      const { status } = await postForm(app, '/oauth2/revoke', { token: access_token, client_id: open.client_id })
      return [status, (await userinfo(bearer(access_token))).status]
    },
    [200, 401],
  ],
  'a refresh token ends the access tokens of its grant': [
    async () => {
      const { access_token, refresh_token } = await tokens()
      await revoke({ token: refresh_token })
      return (await userinfo(bearer(access_token))).status
    },
    401,
  ],
  'no token': [async () => of(await revoke({})), '400 invalid_request'],
  'any text': [async () => of(await revoke({ token: '\u0000%' })), '200'],
})

table('RFC 6750: bearer tokens', {
  'nothing: a challenge without an error': [
    async () => {
      const { status, headers } = await userinfo({})
      return [status, headers.get('www-authenticate')]
    },
    [401, 'Bearer'],
  ],
  ...Object.fromEntries(
    ['Bearer', 'Bearer a b', 'Foo x', 'Bearer ä'].map(
      (authorization) =>
        [
          authorization,
          [
            async () => (await userinfo({ authorization: encodeURI(authorization).replaceAll('%20', ' ') })).status,
            401,
          ],
        ] as const,
    ),
  ),
  twice: [
    async () => {
      const { access_token } = await tokens()
      return of(await app.device().get('/oauth2/userinfo', { query: { access_token }, headers: bearer(access_token) }))
    },
    '400 invalid_request',
  ],
  'the scheme in any case': [
    async () => (await userinfo({ authorization: `bEARER ${(await tokens()).access_token}` })).status,
    200,
  ],
  'a token without openid': [
    async () => of(await userinfo(bearer((await tokens({ scope: 'email' })).access_token))),
    '403 insufficient_scope',
  ],
  'a refresh token': [async () => of(await userinfo(bearer((await tokens()).refresh_token))), '401 invalid_token'],
  'an id token': [async () => of(await userinfo(bearer((await tokens()).id_token))), '401 invalid_token'],
})

table('RFC 8707: resource indicators', {
  ...Object.fromEntries(
    ['tools', '/tools', 'https://tools.example.com/#x', 'https://unknown.example.com', 'urn:x'].map(
      (resource) => [resource, [async () => of(await ask({ resource })), 'redirect invalid_target']] as const,
    ),
  ),
  'several in a pushed request, one of them invalid': [
    async () => {
      const body = new URLSearchParams(authorizationRequest(client))
      body.append('resource', tools)
      body.append('resource', '/x')
      return of(
        await app.device().post('/oauth2/par', body.toString(), { headers: { ...form, origin: '', ...basic(client) } }),
      )
    },
    '400 invalid_target',
  ],
  'client_credentials: one resource only': [
    async () => of(await token({ grant_type: 'client_credentials', resource: `${tools} ${files}` }, robot)),
    '400 invalid_target',
  ],
  'client_credentials: a scope of the standard': [
    async () => of(await token({ grant_type: 'client_credentials', resource: tools, scope: 'openid' }, robot)),
    '400 invalid_scope',
  ],
  'userinfo refuses the token of a resource': [
    async () => of(await userinfo(bearer((await tokens({ scope: 'openid', resource: files })).access_token))),
    '401 invalid_token',
  ],
})

table('RFC 8628: devices', {
  'a client without the grant': [
    async () => {
      const by = await registerClient(device)
      return of(await postForm(app, '/oauth2/device_authorization', {}, basic(by)))
    },
    '400 unauthorized_client',
  ],
  'an unknown client': [
    async () => of(await postForm(app, '/oauth2/device_authorization', { client_id: 'x' })),
    '401 invalid_client',
  ],
  'no pushed request is needed': [
    async () => {
      const by = await registerClient(device, { grant_types, require_pushed_authorization_requests: true })
      return of(await postForm(app, '/oauth2/device_authorization', {}, basic(by)))
    },
    '200',
  ],
  'a code that was used': [
    async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
      const { body } = await postForm(app, '/oauth2/device_authorization', {}, basic(client))
      await device.post('/oauth2/device/answer', { user_code: body.user_code, accept: true })
      const given = { grant_type: deviceGrantType, device_code: body.device_code }
      const first = await token(given)
      vi.setSystemTime(Date.now() + 6000)
      const second = await token(given)
      return [of(first), of(second), (await userinfo(bearer(first.body.access_token))).status]
    },
    ['200', '400 invalid_grant', 401],
  ],
})

table('RFC 9126: pushed requests', {
  'a request_uri': [
    async () =>
      of(await postForm(app, '/oauth2/par', { ...authorizationRequest(client), request_uri: 'x' }, basic(client))),
    '400 invalid_request',
  ],
  'an unregistered redirect URI': [
    async () =>
      of(
        await postForm(
          app,
          '/oauth2/par',
          authorizationRequest(client, { redirect_uri: 'https://x.org/' }),
          basic(client),
        ),
      ),
    '400 invalid_request',
  ],
  GET: [async () => [404, 405].includes((await app.device().get('/oauth2/par')).status), true],
  'the request of another client': [
    async () => {
      const { body } = await postForm(app, '/oauth2/par', authorizationRequest(client), basic(client))
      const query = { client_id: other.client_id, request_uri: body.request_uri }
      return of(await device.get('/oauth2/authorize', { query }))
    },
    'redirect invalid_request_uri',
  ],
})

describe('RFC 9449: proofs of possession', () => {
  let key: CryptoKey
  let jwk: JWK
  beforeEach(async () => {
    const pair = await generateKeyPair('ES256', { extractable: true })
    key = pair.privateKey
    jwk = await exportJWK(pair.publicKey)
  })
  const htu = `${origin}/api/auth/oauth2/userinfo`
  const proof = (claims: object, header: object = {}) =>
    new SignJWT({ htm: 'GET', htu, iat: Math.floor(Date.now() / 1000), jti: crypto.randomUUID(), ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header } as never)
      .sign(key)
  const bound = async () => {
    const dpop = await proof({ htm: 'POST', htu: `${origin}/api/auth/oauth2/token` })
    return (await token(await granted({ scope: 'openid' }), client, { dpop })).body.access_token as string
  }

  it.each<[string, object, object]>([
    ['the type JWT', {}, { typ: 'JWT' }],
    ['no key', {}, { jwk: undefined }],
    ['a text as its key', {}, { jwk: 'x' }],
    ['a symmetric key', {}, { jwk: { kty: 'oct', k: 'eA' } }],
    ['no jti', { jti: undefined }, {}],
    ['a number as its jti', { jti: 1 }, {}],
    ['another method', { htm: 'POST' }, {}],
    ['another address', { htu: 'https://x.example.com/' }, {}],
    ['a malformed address', { htu: 'x' }, {}],
    ['a number as its address', { htu: 1 }, {}],
    ['an old time', { iat: Math.floor(Date.now() / 1000) - 1000 }, {}],
    ['a future time', { iat: Math.floor(Date.now() / 1000) + 1000 }, {}],
    ['no ath', {}, {}],
    ['another ath', { ath: 'x' }, {}],
  ])('a proof with %s is invalid_dpop_proof, with a challenge', async (name, claims, header) => {
    const accessToken = await bound()
    const ath = name.includes('ath') ? {} : { ath: sha256(accessToken) }
    const dpop = await proof({ ...ath, ...claims }, header)
    const answer = await userinfo({ authorization: `DPoP ${accessToken}`, dpop })
    expect(of(answer)).toBe('401 invalid_dpop_proof')
    expect(answer.headers.get('www-authenticate')).toMatch(/^DPoP .*error="invalid_dpop_proof".*algs="/)
  })

  it('a valid proof; without it, or as a bearer token, the token is refused', async () => {
    const accessToken = await bound()
    const dpop = () => proof({ ath: sha256(accessToken) })
    expect((await userinfo({ authorization: `DPoP ${accessToken}`, dpop: await dpop() })).status).toBe(200)
    expect((await userinfo({ authorization: `Bearer ${accessToken}`, dpop: await dpop() })).status).toBe(401)
    expect((await userinfo({ authorization: `DPoP ${accessToken}` })).status).toBe(401)
    expect((await userinfo(bearer(accessToken))).status).toBe(401)
    const again = await dpop()
    const twice = () => userinfo({ authorization: `DPoP ${accessToken}`, dpop: again })
    expect([(await twice()).status, (await twice()).status]).toEqual([200, 401])
  })

  it('section 10: dpop_jkt of a pushed request and its proof', async () => {
    const dpop = await proof({ htm: 'POST', htu: `${origin}/api/auth/oauth2/par` })
    const asked = authorizationRequest(client, { dpop_jkt: 'k'.repeat(43) })
    expect(of(await postForm(app, '/oauth2/par', asked, { ...basic(client), dpop }))).toBe('400 invalid_dpop_proof')
  })
})

const approve = (more: Query) =>
  postForm(app, '/oauth2/bc-authorize', { scope: 'openid', login_hint: alice.email, ...more }, basic(client))

table('OpenID Connect CIBA, section 7', {
  'no scope': [async () => of(await approve({ scope: undefined })), '400 invalid_scope'],
  'no hint': [async () => of(await approve({ login_hint: undefined })), '400 invalid_request'],
  'two hints': [async () => of(await approve({ id_token_hint: 'x' })), '400 invalid_request'],
  'an invalid id_token_hint': [
    async () => of(await approve({ login_hint: undefined, id_token_hint: 'x' })),
    '400 invalid_request',
  ],
  ...Object.fromEntries(
    ['0', '-1', '1.5', 'x', '1e9'].map(
      (requested_expiry) =>
        [requested_expiry, [async () => of(await approve({ requested_expiry })), '400 invalid_request']] as const,
    ),
  ),
  'a notification token of a client that polls is ignored': [
    async () => of(await approve({ client_notification_token: 'x' })),
    '200',
  ],
  'an unreadable request object': [async () => of(await approve({ request: 'x' })), '400 invalid_request_object'],
  'an unknown auth_req_id': [
    async () => of(await token({ grant_type: approvalGrantType, auth_req_id: 'x' })),
    '400 invalid_grant',
  ],
})

table('RFC 7591: registration', {
  ...Object.fromEntries(
    Object.entries<[object, string]>({
      'a redirect URI with a fragment': [{ redirect_uris: [`${callback}#x`] }, 'invalid_redirect_uri'],
      'a redirect URI over http': [{ redirect_uris: ['http://client.example.com/cb'] }, 'invalid_redirect_uri'],
      'a relative redirect URI': [{ redirect_uris: ['/cb'] }, 'invalid_redirect_uri'],
      'redirect URIs of another type': [{ redirect_uris: callback }, 'invalid_redirect_uri'],
      'keys and their address': [{ jwks: { keys: [] }, jwks_uri: 'https://x.org/k' }, 'invalid_client_metadata'],
      'an unknown method': [{ token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata'],
      'pairwise over hosts': [
        { subject_type: 'pairwise', redirect_uris: [callback, 'https://b.example.org/'] },
        'invalid_client_metadata',
      ],
    }).map(
      ([name, [metadata, error]]) =>
        [
          name,
          [
            async () => of(await device.post('/oauth2/register', { redirect_uris: [callback], ...metadata })),
            `400 ${error}`,
          ],
        ] as const,
    ),
  ),
  'unknown metadata is ignored': [
    async () => 'unknown' in (await device.post('/oauth2/register', { redirect_uris: [callback], unknown: 1 })).body,
    false,
  ],
  'a client_id of its own is ignored': [
    async () =>
      (await device.post('/oauth2/register', { redirect_uris: [callback], client_id: 'x' })).body.client_id === 'x',
    false,
  ],
})

it('RFC 9207 and RFC 6749, section 4.1.2.1: errors for the client have state and iss, and no code', async () => {
  await recordConsent(client)
  const { searchParams } = await authorize(device, authorizationRequest(client, { scope: 'wizard' }))
  expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'invalid_scope', state: 'client-state', iss: origin })
  expect(searchParams.has('code')).toBe(false)
})
