import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { type Device, origin, TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  basic,
  callback,
  claimsIn,
  codeOf,
  pkce,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../../testing/oauth.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { approvalGrantType, exchangeGrantType } from '../model/clients/client.ts'
import { deviceGrantType } from '../model/grants/device-code.ts'

/** What the metadata lists works, and what it does not list is refused: both documents, in each configuration. */

const tools = 'https://tools.example.com'
const resources = [{ identifier: tools, scopes: { read: 'Read' } }]
const ci = {
  ...{ clientId: 'ci', access: { [tools]: ['read'] } },
  workloads: [{ issuer: 'https://ci.example.org', claims: { repository: 'x' } }],
}
const robot = { clientId: 'robot', clientSecret: 's'.repeat(32), access: { [tools]: ['read'] } }
const accept = [{ issuer: 'https://idp.example.org', clients: ['x'], access: { [tools]: ['read'] } }]

const configurations: Record<string, Config> = {
  default: {},
  strict: { profile: 'strict', emailAndPassword: { requireEmailVerification: false } },
  fapi2: { identityProvider: { securityProfile: 'fapi2' } },
  'with services': { identityProvider: { resources, services: [robot] } },
  'with workloads': { identityProvider: { resources, services: [ci] } },
  'with assertions': { identityProvider: { resources, identityAssertions: { accept } } },
  'with scopes and claims': {
    identityProvider: { scopes: ['files'], claimScopes: ['roles', 'organizations', 'groups'] },
  },
}
const documents = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']

const everyGrantType = [
  ...['authorization_code', 'refresh_token', 'client_credentials', 'implicit', 'password', 'unknown', 'constructor'],
  ...[deviceGrantType, exchangeGrantType, approvalGrantType],
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
  'urn:openid:params:grant-type:ciba ',
]

let app: TestApp
const serve = (config: Config) => {
  const identityProvider = { clientsPerUser: null, ...config.identityProvider }
  app = new TestApp({ rateLimit: { enabled: false }, mcp: { enabled: true }, ...config, identityProvider })
}
const metadata = async (path: string) => (await app.device().get(path)).body

describe.each(Object.keys(configurations))('%s', (name) => {
  beforeEach(() => serve(configurations[name]!))

  it.each(documents)('%s: each endpoint exists', async (path) => {
    const found = await metadata(path)
    const endpoints = Object.entries<string>(found).filter(([key]) => /_endpoint$|_uri$/.test(key))
    expect(endpoints.length).toBeGreaterThan(8)
    for (const [key, address] of endpoints) {
      const device = app.device()
      const answers = [await device.get(address), await device.post(address, 'x=1', { headers: { origin: '' } })]
      expect(
        answers.some(({ status }) => status !== 404 && status < 500),
        key,
      ).toBe(true)
    }
  })

  it.each(documents)('%s: the token endpoint refuses exactly the other grants', async (path) => {
    const { grant_types_supported: supported, token_endpoint } = await metadata(path)
    const refused: string[] = []
    for (const grant_type of everyGrantType) {
      const { status, body } = await postForm(app, token_endpoint, { grant_type })
      expect(status).toBeGreaterThanOrEqual(400)
      if (body.error === 'unsupported_grant_type') refused.push(grant_type)
    }
    expect(refused).toEqual(everyGrantType.filter((one) => !supported.includes(one)))
    expect(supported.filter((one: string) => !everyGrantType.includes(one))).toEqual([])
  })

  it('a registration is refused with what is not listed', async () => {
    const device = await signUp(app, alice)
    const { publicKey } = await generateKeyPair('ES256')
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] }
    const found = await metadata(documents[0]!)
    const usual = {
      redirect_uris: [callback],
      ...(name === 'fapi2' ? { token_endpoint_auth_method: 'private_key_jwt', jwks } : {}),
    }
    const register = async (more: object) => (await device.post('/oauth2/register', { ...usual, ...more })).status
    const fields: [field: string, listed: string[], others: string[], more?: object][] = [
      [
        'token_endpoint_auth_method',
        found.token_endpoint_auth_methods_supported,
        [
          'client_secret_basic',
          'client_secret_post',
          'none',
          'private_key_jwt',
          'client_secret_jwt',
          'tls_client_auth',
        ],
      ],
      [
        'id_token_signed_response_alg',
        found.id_token_signing_alg_values_supported,
        ['RS256', 'none', 'HS256', 'ES256'],
      ],
      [
        'authorization_signed_response_alg',
        found.authorization_signing_alg_values_supported,
        ['RS256', 'none', 'HS256', 'ES256'],
      ],
      ['subject_type', found.subject_types_supported, ['random']],
      ['backchannel_token_delivery_mode', found.backchannel_token_delivery_modes_supported, ['push']],
      ['scope', found.scopes_supported.filter((one: string) => one !== 'read'), ['wizard']],
    ]
    for (const [field, listed, others] of fields) {
      for (const value of [...listed, ...others]) {
        const keys = field === 'token_endpoint_auth_method' && value === 'private_key_jwt' ? { jwks } : {}
        const ping = { backchannel_client_notification_endpoint: 'https://client.example.com/ping' }
        const status = await register({ ...keys, ...(value === 'ping' ? ping : {}), [field]: value })
        expect({ field, value, status }).toEqual({ field, value, status: listed.includes(value) ? 201 : 400 })
      }
    }
  })
})

describe.each(documents)('%s', (path) => {
  let device: Device
  let client: RegisteredClient
  let found: Record<string, any>
  const start = async (config: Config = {}, more: object = {}) => {
    serve(config)
    device = await signUp(app, { ...alice, name: 'Alice Smith' })
    client = await registerClient(device, more)
    found = await metadata(path)
  }
  const open = async (more: Record<string, string | undefined>) => {
    const url = await authorize(
      device,
      authorizationRequest(client, more),
      new URL(found.authorization_endpoint).pathname.slice(9),
    )
    return url.searchParams.get('error')
  }

  it.each<[field: string, parameter: string, others: string[], error: string]>([
    [
      'response_types_supported',
      'response_type',
      ['token', 'id_token', 'code id_token', 'none', ''],
      'unsupported_response_type',
    ],
    ['response_modes_supported', 'response_mode', ['fragment', 'web_message', 'fragment.jwt', 'x'], 'invalid_request'],
    ['prompt_values_supported', 'prompt', ['create', 'x', 'None'], 'invalid_request'],
    ['scopes_supported', 'scope', ['wizard', 'files'], 'invalid_scope'],
    ['acr_values_supported', 'acr_values', [], ''],
  ])('%s', async (field, parameter, others, error) => {
    await start()
    for (const value of found[field]) {
      const refused = await open({ [parameter]: value })
      expect({ value, refused }).toEqual({ value, refused: value === 'none' ? 'consent_required' : null })
    }
    for (const value of others) {
      const expected = value === '' ? 'invalid_request' : error
      const answer = await device.get('/oauth2/authorize', {
        query: authorizationRequest(client, { [parameter]: value }),
      })
      const refused =
        new URL(answer.headers.get('location')!, origin).searchParams.get('error') ??
        claimsIn(new URL(answer.headers.get('location')!, origin).searchParams.get('response') ?? 'x.e30').error
      expect({ value, refused }).toEqual({ value, refused: expected })
    }
  })

  it.each(['default', 'strict'])('code_challenge_methods_supported, %s', async (name) => {
    await start(configurations[name])
    for (const code_challenge_method of ['S256', 'plain', 'S512', 'none']) {
      const isListed = found.code_challenge_methods_supported.includes(code_challenge_method)
      const challenge = { code_challenge: pkce().request.code_challenge, code_challenge_method }
      expect(await open(challenge)).toBe(isListed ? null : 'invalid_request')
    }
  })

  it('a client uses the grants of its registration only', async () => {
    await start({ identityProvider: { resources, services: [ci] } }, { grant_types: ['authorization_code'] })
    const device = await registerClient(await signUp(app, { ...alice, email: 'd@example.com' }), {
      grant_types: [deviceGrantType],
      redirect_uris: [],
      response_types: [],
    })
    const parameters = {
      ...{
        code: 'x',
        redirect_uri: callback,
        refresh_token: 'x',
        device_code: 'x',
        auth_req_id: 'x',
        assertion: 'a.b.c',
      },
      ...{ subject_token: 'x', subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
    }
    const ask = async (grant_type: string, by: RegisteredClient) =>
      (await postForm(app, found.token_endpoint, { grant_type, ...parameters }, basic(by))).body.error
    for (const grantType of found.grant_types_supported) {
      const own = { authorization_code: 'invalid_grant', refresh_token: 'invalid_grant' }[grantType as string]
      expect([grantType, await ask(grantType, client)]).toEqual([grantType, own ?? 'unauthorized_client'])
    }
    expect(await ask(deviceGrantType, device)).toBe('invalid_grant')
    expect(await ask('authorization_code', device)).toBe('unauthorized_client')
    expect(await ask('password', device)).toBe('unsupported_grant_type')
  })

  it.each(['token_endpoint_auth_signing_alg_values_supported', 'request_object_signing_alg_values_supported'])(
    '%s',
    async (field) => {
      serve({})
      found = await metadata(path)
      const owner = await signUp(app, alice)
      for (const alg of [
        ...new Set(['RS256', 'PS256', 'ES256', 'EdDSA', 'RS384', 'PS512', 'ES384', ...found[field]]),
      ]) {
        const { publicKey, privateKey } = await generateKeyPair(alg)
        const by = await registerClient(owner, {
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [{ ...(await exportJWK(publicKey)), alg }] },
        })
        const now = Math.floor(Date.now() / 1000)
        const claims = { iss: by.client_id, aud: origin, exp: now + 60, jti: alg }
        const sign = (more: object) => new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg }).sign(privateKey)
        const isAccepted = found[field].includes(alg)
        if (field.startsWith('token')) {
          const { status } = await postForm(app, found.introspection_endpoint, {
            token: 'x',
            client_assertion: await sign({ sub: by.client_id }),
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          })
          expect({ alg, status }).toEqual({ alg, status: isAccepted ? 200 : 401 })
        } else {
          const request = await sign(authorizationRequest(by))
          const url = await authorize(owner, { client_id: by.client_id, request })
          expect({ alg, error: url.searchParams.get('error') }).toEqual({
            alg,
            error: isAccepted ? null : 'invalid_request_object',
          })
        }
      }
    },
  )

  it('request_parameter_supported, request_uri_parameter_supported, claims_parameter_supported', async () => {
    await start()
    expect(found).toMatchObject({
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      claims_parameter_supported: true,
    })
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.`
    for (const request of ['x', 'a.b.c', '{}', unsigned]) expect(await open({ request })).toBe('invalid_request_object')
    expect(await open({ request_uri: 'https://client.example.com/r' })).toBe('request_uri_not_supported')
    expect(await open({ request_uri: 'urn:ietf:params:oauth:request_uri:x' })).toBe('invalid_request_uri')
    expect(await open({ request: 'x', request_uri: 'https://client.example.com/r' })).toBe('invalid_request')
    expect(await open({ claims: '{"userinfo":{"name":null}}' })).toBe(null)
    expect(await open({ claims: 'x' })).toBe('invalid_request')
    for (const endpoint of [found.pushed_authorization_request_endpoint, found.backchannel_authentication_endpoint]) {
      const by = await registerClient(device, { grant_types: ['authorization_code', approvalGrantType] })
      const asked = { ...authorizationRequest(by), login_hint: alice.email, request: 'x' }
      expect((await postForm(app, endpoint, asked, basic(by))).body.error).toBe('invalid_request_object')
    }
  })

  it('claims_supported: the tokens of a user have them', async () => {
    await start({ identityProvider: { claimScopes: ['roles', 'organizations', 'groups'] } })
    await device.post('/update-user', { image: 'https://images.example.org/a.png' })
    const scope = 'openid profile email roles organizations groups'
    const back = await agree(device, authorizationRequest(client, { scope, nonce: 'n' }))
    const grant = { grant_type: 'authorization_code', code: codeOf(back), redirect_uri: callback }
    const { body } = await postForm(app, found.token_endpoint, grant, basic(client))
    const present = Object.keys(claimsIn(body.id_token))
    const listed: string[] = found.claims_supported ?? []
    // The user has no username.
    expect(listed.filter((name) => !present.includes(name))).toEqual(listed.length > 0 ? ['preferred_username'] : [])
  })
})
