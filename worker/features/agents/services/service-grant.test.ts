import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Config, readConfig } from '../../../configuration/read-config.ts'
import { enabledFeatures } from '../../../features.ts'
import { type Endpoint, isPartyAccess } from '../../../http/endpoint.ts'
import { mergeOptions } from '../../../kit/options.ts'
import { everything } from '../../../testing/cases.ts'
import { config } from '../../../testing/config.ts'
import { foreignTimes, fromNow } from '../../../testing/foreign-times.ts'
import { env, origin, TestApp } from '../../../testing/harness.ts'
import { basic, claimsIn, fetchInto, postForm, registerClient } from '../../../testing/oauth.ts'
import { openidClient } from '../../../testing/openid-client.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { rowsOf } from '../../../testing/rows.ts'

const billing = 'https://billing.example.com/api'
const files = 'https://files.example.com'
const github = 'https://token.actions.githubusercontent.com'
const secret = 'a-secret-of-thirty-two-characters!'
const robot = { client_id: 'robot', client_secret: secret }
const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

let keys: { publicKey: CryptoKey; privateKey: CryptoKey }
let others: typeof keys
let jwks: { keys: Record<string, unknown>[] }
beforeAll(async () => {
  keys = await generateKeyPair('ES256')
  others = await generateKeyPair('ES256')
  jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), alg: 'ES256', use: 'sig' }] }
})

const access = { [billing]: ['invoices:read', 'invoices:write'], [files]: [] }
const workload = { issuer: github, claims: { repository: 'acme/shop', ref: ['refs/heads/main', 'refs/heads/next'] } }
const settings = (services: object[] = []): Config =>
  ({
    rateLimit: { enabled: false },
    identityProvider: {
      resources: [
        {
          identifier: billing,
          scopes: { 'invoices:read': 'Read invoices', 'invoices:write': 'Change invoices', 'invoices:void': 'Void' },
        },
        { identifier: files, tokenFormat: 'jwt', accessTokenExpiresIn: 300 },
      ],
      services: [
        { clientId: 'robot', clientSecret: secret, access },
        { clientId: 'signer', jwks, access },
        { clientId: 'ci', workloads: [workload], access: { [billing]: ['invoices:read'] } },
        ...services,
      ],
      resourceServers: { robot: [files] },
    },
  }) as Config

let app: TestApp
beforeEach(() => {
  app = new TestApp(settings())
})
afterEach(() => vi.restoreAllMocks())

const ask = (given: Record<string, string | undefined>, headers: Record<string, string> = basic(robot)) =>
  postForm(app, '/oauth2/token', { grant_type: 'client_credentials', resource: billing, ...given }, headers)

const introspect = async (token: string, client = robot) =>
  (await postForm(app, '/oauth2/introspect', { token }, basic(client))).body

const now = () => Math.floor(Date.now() / 1000)
let made = 0
const sign = (claims: JWTPayload, key = keys.privateKey) =>
  new SignJWT({ iat: now(), exp: now() + 60, jti: `id-${++made}`, ...claims })
    .setProtectedHeader({ alg: 'ES256' })
    .sign(key)

describe('client_credentials (RFC 6749, section 4.4)', () => {
  it('200: a token for one resource, without a user and without a refresh token', async () => {
    const { status, body, headers } = await ask({ scope: 'invoices:read' })
    expect({ status, body, cache: headers.get('cache-control') }).toEqual({
      status: 200,
      body: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600, scope: 'invoices:read' },
      cache: 'no-store',
    })
    expect(await introspect(body.access_token)).toEqual({
      active: true,
      scope: 'invoices:read',
      client_id: 'robot',
      token_type: 'Bearer',
      exp: expect.any(Number),
      iat: expect.any(Number),
      sub: 'robot',
      aud: billing,
      iss: origin,
    })
    const [row] = await rowsOf('oauth_service_tokens')
    expect(JSON.stringify(row)).not.toContain(body.access_token)
  })

  it('200: all scopes of the service unless the request names some; the secret in the form', async () => {
    const { body } = await ask(robot, {})
    expect(body.scope).toBe('invoices:read invoices:write')
  })

  it('200: a JWT with the client as its subject (RFC 9068, section 2.2)', async () => {
    const { body } = await ask({ resource: files })
    expect(claimsIn(body.access_token)).toEqual({
      ...{ iss: origin, aud: files, sub: 'robot', client_id: 'robot', scope: '' },
      ...{ jti: expect.any(String), iat: expect.any(Number), exp: claimsIn(body.access_token).iat + 300 },
    })
    expect(await introspect(body.access_token)).toMatchObject({ active: true, aud: files })
    expect(await introspect(claimsIn(body.access_token).jti)).toEqual({ active: false })
  })

  const refusals: [string, Record<string, string | undefined>, Record<string, string>, number, string][] = [
    ['a wrong secret', {}, basic({ ...robot, client_secret: 'wrong' }), 401, 'invalid_client'],
    ['an unknown client', {}, basic({ ...robot, client_id: 'nobody' }), 401, 'invalid_client'],
    ['no credentials', { client_id: 'robot' }, {}, 401, 'invalid_client'],
    ['a client with another method', { client_id: 'signer', client_secret: secret }, {}, 401, 'invalid_client'],
    ['a service without credentials', { client_id: 'ci' }, {}, 400, 'unauthorized_client'],
    ['no resource of several', { resource: undefined }, basic(robot), 400, 'invalid_target'],
    ['an unknown resource', { resource: 'https://x.example' }, basic(robot), 400, 'invalid_target'],
    ['a scope of the resource that the service lacks', { scope: 'invoices:void' }, basic(robot), 400, 'invalid_scope'],
    ['a scope of another resource', { resource: files, scope: 'invoices:read' }, basic(robot), 400, 'invalid_scope'],
    ['a scope of users', { scope: 'openid' }, basic(robot), 400, 'invalid_scope'],
  ]
  it.each(refusals)('refuses %s', async (_, given, headers, status, error) => {
    const answer = await ask(given, headers)
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error })
    expect(await rowsOf('oauth_service_tokens')).toEqual([])
  })

  it('two resources in one request are ambiguous: a token has one audience', async () => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...robot })
    form.append('resource', billing)
    form.append('resource', files)
    const headers = { origin: '', 'content-type': 'application/x-www-form-urlencoded' }
    const { body } = await app.device().post('/oauth2/token', form.toString(), { headers })
    expect(body.error).toBe('invalid_target')
  })

  it('400: a registered client does not give itself this grant; the configuration does', async () => {
    const developer = await signUp(app, alice)
    const client = await registerClient(developer, { grant_types: ['authorization_code', 'client_credentials'] })
    expect((await ask({}, basic(client))).body.error).toBe('unauthorized_client')
    app = new TestApp(settings([{ clientId: client.client_id, access: { [billing]: ['invoices:read'] } }]))
    const { body } = await ask({}, basic(client))
    expect(await introspect(body.access_token, client)).toMatchObject({ active: true, sub: client.client_id })
    await developer.post('/oauth2/update-client', { clientId: client.client_id, disabled: true })
    expect(await app.serverApi().validateToken(billing, body.access_token)).toBeNull()
    expect((await ask({}, basic(client))).status).toBe(401)
  })

  it('429 above the limit of the service', async () => {
    const limited = { clientId: 'busy', clientSecret: secret, access, limit: { max: 2, window: 60 } }
    app = new TestApp(settings([limited]))
    const busy = basic({ ...robot, client_id: 'busy' })
    for (const _ of [1, 2]) expect((await ask({}, busy)).status).toBe(200)
    const { status, body, headers } = await ask({}, busy)
    expect({ status, error: body.error }).toEqual({ status: 429, error: 'slow_down' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask({})).status).toBe(200)
  })

  it('the end of the service, of its access and of one scope reaches its tokens immediately', async () => {
    const { body } = await ask({})
    const under = async (services: object[]) => {
      const changed = settings() as { identityProvider: { services: object[] } }
      changed.identityProvider.services = services
      return new TestApp(changed as Config).serverApi().validateToken(billing, body.access_token)
    }
    const own = { clientId: 'robot', clientSecret: secret }
    expect((await under([{ ...own, access: { [billing]: ['invoices:read'] } }]))?.scope).toEqual(['invoices:read'])
    expect(await under([{ ...own, access: { [files]: [] } }])).toBeNull()
    expect(await under([{ ...own, access, disabled: true }])).toBeNull()
    expect(await under([])).toBeNull()
  })

  it('a service revokes its own tokens only, opaque or JWT', async () => {
    for (const resource of [billing, files]) {
      const { body } = await ask({ resource })
      const token = body.access_token
      const other = await ask(
        {
          client_assertion_type,
          client_assertion: await sign({ iss: 'signer', sub: 'signer', aud: origin }),
        },
        {},
      )
      await postForm(app, '/oauth2/revoke', { token: other.body.access_token }, basic(robot))
      expect(await app.serverApi().validateToken(billing, other.body.access_token)).not.toBeNull()
      await postForm(app, '/oauth2/revoke', { token }, basic(robot))
      expect(await introspect(token)).toEqual({ active: false })
    }
  })

  it('tokens expire, and the cron trigger deletes them', async () => {
    const { body } = await ask({})
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      vi.setSystemTime(Date.now() + 3_601_000)
      expect(await introspect(body.access_token)).toEqual({ active: false })
      expect(await app.serverApi().validateToken(billing, body.access_token)).toBeNull()
      await app.runScheduled()
      expect(await rowsOf('oauth_service_tokens')).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('private_key_jwt (RFC 7523, section 2.2)', () => {
  const given = async (claims: JWTPayload = {}, key = keys.privateKey) => ({
    client_assertion_type,
    client_assertion: await sign({ iss: 'signer', sub: 'signer', aud: origin, ...claims }, key),
  })

  it('200 for a new assertion, 401 for a repeated one', async () => {
    const form = await given()
    expect((await ask(form, {})).status).toBe(200)
    expect(await ask(form, {})).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  it.each<[string, JWTPayload, boolean?]>([
    ['an expired assertion', { exp: 1 }],
    ['another audience', { aud: 'https://other.example' }],
    ['another issuer', { iss: 'robot' }],
    ['no id', { jti: undefined as never }],
    ['a foreign key', {}, true],
  ])('401: %s', async (_, claims, foreign) => {
    const form = await given(claims, foreign ? others.privateKey : keys.privateKey)
    expect(await ask(form, {})).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })
})

describe('workload identity (RFC 7523, section 2.1)', () => {
  const claims = { iss: github, sub: 'repo:acme/shop:ref:refs/heads/main', aud: origin }
  const job = { ...claims, repository: 'acme/shop', ref: 'refs/heads/main' }

  /** Publishes the discovery document and the keys of the issuer. */
  const publish = () =>
    vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async (input) =>
        String(input instanceof Request ? input.url : input).endsWith('/openid-configuration')
          ? Response.json({ issuer: github, jwks_uri: `${github}/keys` })
          : Response.json(jwks),
      )

  const askAs = async (assertion: string, more: Record<string, string> = {}) =>
    ask({ grant_type: jwtBearer, client_id: 'ci', assertion, ...more }, {})

  it('200: a token of the service for a token of the CI job; one use each', async () => {
    publish()
    const assertion = await sign(job)
    const { status, body } = await askAs(assertion)
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'invoices:read' })
    expect(await app.serverApi().validateToken(billing, body.access_token)).toMatchObject({
      props: { sub: 'ci', kind: 'service' },
    })
    expect(await askAs(assertion)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('200: a token without an id is used once, too', async () => {
    publish()
    const assertion = await sign({ ...job, jti: undefined as never })
    expect((await askAs(assertion)).status).toBe(200)
    expect((await askAs(assertion)).status).toBe(400)
  })

  it.each<[string, JWTPayload, boolean?]>([
    ['another issuer', { iss: 'https://issuer.example' }],
    ['another audience', { aud: 'https://other.example' }],
    ['an expired token', { exp: 1 }],
    ['a token that lives for days', { exp: now() + 200_000 }],
    ['another repository', { repository: 'mallory/shop' }],
    ['another branch', { ref: 'refs/heads/mallory' }],
    ['a missing claim', { repository: undefined as never }],
    ['a list in place of a value', { repository: ['acme/shop'] as never }],
    ['a foreign key', {}, true],
  ])('400 for %s', async (_, changes, foreign) => {
    publish()
    const assertion = await sign({ ...job, ...changes }, foreign ? others.privateKey : keys.privateKey)
    expect(await askAs(assertion)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await rowsOf('oauth_service_tokens')).toEqual([])
  })

  it.each(foreignTimes)('a clock that differs: a token that is %s', async (_what, times, isAccepted) => {
    publish()
    expect((await askAs(await sign({ ...job, ...fromNow(times) }))).status).toBe(isAccepted ? 200 : 400)
  })

  it('400: no assertion, garbage, a service without workloads, an issuer without documents', async () => {
    publish()
    const errorOf = async (given: Record<string, string>) =>
      (await ask({ grant_type: jwtBearer, client_id: 'ci', ...given }, {})).body.error
    expect(await errorOf({})).toBe('invalid_request')
    expect(await errorOf({ assertion: 'garbage' })).toBe('invalid_grant')
    expect(await errorOf({ assertion: await sign(job), client_id: 'robot' })).toBe('unauthorized_client')
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 404 }))
    app = new TestApp(settings([{ clientId: 'job', workloads: [{ ...workload, issuer: `${github}/x` }], access }]))
    expect(await errorOf({ assertion: await sign({ ...job, iss: `${github}/x` }), client_id: 'job' })).toBe(
      'invalid_grant',
    )
  })
})

describe('DPoP (RFC 9449)', () => {
  it('binds a token to a key; openid-client runs the grant', async () => {
    app = new TestApp(settings([{ clientId: 'bound', clientSecret: secret, access, requireDPoP: true }]))
    const bound = { ...robot, client_id: 'bound' }
    expect((await ask({}, basic(bound))).body.error).toBe('invalid_dpop_proof')
    const discovered = await openidClient(app, 'bound', secret)
    const DPoP = openid.getDPoPHandle(discovered, await openid.randomDPoPKeyPair())
    const tokens = await openid.clientCredentialsGrant(discovered, { resource: billing }, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    expect(await openid.tokenIntrospection(discovered, tokens.access_token)).toMatchObject({
      active: true,
      cnf: { jkt: expect.any(String) },
    })
    // Without the proof of the request it is not valid.
    expect(await app.serverApi().validateToken(billing, tokens.access_token)).toBeNull()
  })
})

it('oauth4webapi runs the grant, and verifies the JWT as a resource server', async () => {
  const options = { [oauth.customFetch]: fetchInto(app), [oauth.allowInsecureRequests]: true } as const
  const discovered = await oauth.discoveryRequest(new URL(origin), options)
  const server = await oauth.processDiscoveryResponse(new URL(origin), discovered)
  expect(server.grant_types_supported).toContain('client_credentials')
  const client = { client_id: 'robot' }
  const authentication = oauth.ClientSecretBasic(secret)
  const asked = await oauth.clientCredentialsGrantRequest(server, client, authentication, { resource: files }, options)
  const { access_token: token } = await oauth.processClientCredentialsResponse(server, client, asked)
  const request = () => new Request(`${files}/x`, { headers: { authorization: `Bearer ${token}` } })
  expect(await oauth.validateJwtAccessToken(server, request(), files, options)).toMatchObject({ sub: 'robot' })
  await expect(oauth.validateJwtAccessToken(server, request(), billing, options)).rejects.toThrow('audience')
})

describe('every endpoint that expects a user', () => {
  const all = mergeOptions(everything, settings()) as Config
  const endpoints: Endpoint[] = enabledFeatures(readConfig(mergeOptions(config, all), env).options)
    .flatMap(({ routes }) => Object.values(routes?.contract ?? {}) as Endpoint[])
    .filter(
      ({ access, path }) => (access !== 'visitor' && access !== 'webhook') || /userinfo|mcp\/get-session/.test(path),
    )

  it('401 or 403 for the token of a service, opaque and JWT', async () => {
    app = new TestApp(mergeOptions(all, { rateLimit: { enabled: false } }) as Config)
    expect(endpoints.length).toBeGreaterThan(50)
    for (const resource of [billing, files]) {
      const { body } = await ask({ resource })
      const accepted: string[] = []
      for (const { method, path, access } of endpoints) {
        const address = path.replace(/:\w+/g, 'x')
        const device = app.device()
        const headers = { authorization: `Bearer ${body.access_token}` }
        const { status } =
          method === 'GET' ? await device.get(address, { headers }) : await device.post(address, {}, { headers })
        // The credential of a party can be part of the input, which is validated first.
        const isRefused = status === 401 || status === 403 || (status === 400 && isPartyAccess(access))
        if (!isRefused) accepted.push(`${method} ${path}: ${status}`)
      }
      expect(accepted).toEqual([])
    }
  })
})

describe('the configuration', () => {
  const problem = (identityProvider: object) => {
    try {
      readConfig(mergeOptions(config, { identityProvider }) as Config, env)
      return null
    } catch (thrown) {
      return String(thrown)
    }
  }
  const resources = [{ identifier: billing, scopes: { 'invoices:read': 'Read invoices' } }]
  const service = { clientId: 'robot', clientSecret: secret, access: { [billing]: ['invoices:read'] } }
  const invalid: [string, object, string][] = [
    ['access to an unknown resource', { services: [service] }, 'must name resources'],
    [
      'a scope that the resource lacks',
      { resources, services: [{ ...service, access: { [billing]: ['x'] } }] },
      'must name',
    ],
    ['two kinds of credentials', { resources, services: [{ ...service, jwksUri: 'https://a.example/k' }] }, 'one of'],
    ['two services with one id', { resources, services: [service, service] }, 'another service'],
    ['a short secret', { resources, services: [{ ...service, clientSecret: 'short' }] }, 'clientSecret'],
    [
      'a workload without claims',
      { resources, services: [{ ...service, workloads: [{ issuer: github, claims: {} }] }] },
      'must name a claim',
    ],
    ['an identifier with a fragment', { resources: [{ identifier: `${billing}#x` }] }, 'without a fragment'],
    [
      'a scope of two resources',
      { resources: [...resources, { ...resources[0], identifier: files }] },
      'another resource',
    ],
    [
      'a scope of OpenID Connect',
      { resources: [{ identifier: files, scopes: { email: 'Mail' } }] },
      'another resource',
    ],
    ['JWTs for the audience of session tokens', { resources: [{ identifier: origin, tokenFormat: 'jwt' }] }, 'session'],
  ]
  it('accepts a service with its resource', () => expect(problem({ resources, services: [service] })).toBeNull())
  it.each(invalid)('rejects %s', (_, given, reason) => expect(problem(given)).toContain(reason))
})
