import { createExecutionContext } from 'cloudflare:test'
import { OAuthResourceServer } from '@cloudflare/workers-oauth-provider'
import { createLocalJWKSet, decodeProtectedHeader, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { type Device, origin, TestApp } from '../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  basic,
  callback,
  claimsIn,
  codeOf,
  fetchInto,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../testing/oauth.ts'
import { openidClient } from '../../testing/openid-client.ts'
import { alice, signUp } from '../../testing/people.ts'
import { banUsers, updateUsers } from '../../testing/states.ts'
import { AccessTokenError, type VerifyOptions, verifyAccessToken } from './verify-access-token.ts'

const calendar = 'https://calendar.example.com/api'
const mail = 'https://mail.example.com'
const plain = 'https://plain.example.com'
const settings = (more: object = {}): Config =>
  ({
    rateLimit: { enabled: false },
    identityProvider: {
      resources: [
        {
          identifier: calendar,
          scopes: { 'events:read': 'See your events', 'events:write': 'Change your events' },
          tokenFormat: 'jwt',
          accessTokenExpiresIn: 600,
          claims: ({ user }: { user: { email: string } | null }) => ({
            email: user?.email,
            sub: 'mallory',
            aud: mail,
            cnf: {},
            exp: 1,
          }),
        },
        { identifier: mail, scopes: { 'mail:send': 'Send mail in your name' } },
        plain,
      ],
      ...more,
    },
  }) as Config

let app: TestApp
let device: Device
let client: RegisteredClient
beforeEach(async () => {
  app = new TestApp(settings())
  device = await signUp(app, alice)
  client = await registerClient(device)
})

const all = 'openid email offline_access events:read mail:send'

/** An authorization request; the harness repeats a parameter that has several values. */
const queryFor = (resources: readonly string[], scope: string) => {
  const query = new URLSearchParams(authorizationRequest(client, { scope, prompt: 'consent' }))
  for (const resource of resources) query.append('resource', resource)
  return query
}

async function authorized(resources: readonly string[], scope = all): Promise<string> {
  await device.get(`/oauth2/authorize?${queryFor(resources, scope)}`)
  const { body } = await device.post('/oauth2/consent', { accept: true })
  return codeOf(new URL(body.redirectURI))
}

const ask = (given: Record<string, string>) => postForm(app, '/oauth2/token', given, basic(client))
const exchange = (code: string, more: Record<string, string> = {}) =>
  ask({ grant_type: 'authorization_code', code, redirect_uri: callback, ...more })
const refresh = (refresh_token: string, more: Record<string, string> = {}) =>
  ask({ grant_type: 'refresh_token', refresh_token, ...more })
const tokenFor = async (resource: string, scope: string): Promise<string> =>
  (await exchange(await authorized([resource], scope))).body.access_token
const introspect = async (token: string, by = client) =>
  (await postForm(app, '/oauth2/introspect', { token }, basic(by))).body
const validate = (resource: string, token: string) => app.serverApi().validateToken(resource, token)

describe('a resource server with JWTs (RFC 9068)', () => {
  it('gets a token with the claims of section 2.2, its lifetime and the claims of the configuration', async () => {
    const { body } = await exchange(await authorized([calendar], 'openid offline_access events:read'))
    const claims = claimsIn(body.access_token)
    const userId = (await device.get('/get-session')).body.user.id
    expect(decodeProtectedHeader(body.access_token)).toMatchObject({ typ: 'at+jwt', alg: 'RS256' })
    expect(claims).toEqual({
      ...{ iss: origin, aud: calendar, sub: userId, client_id: client.client_id, email: alice.email },
      ...{ scope: 'openid offline_access events:read', jti: expect.any(String), acr: expect.any(String) },
      ...{ auth_time: expect.any(Number), amr: ['pwd'], iat: expect.any(Number), exp: claims.iat + 600 },
    })
    expect({ expires: body.expires_in, type: body.token_type }).toEqual({ expires: 600, type: 'Bearer' })
    expect(await introspect(body.access_token)).toMatchObject({ active: true, aud: calendar, sub: userId })
  })

  it('the `jti` is not a token, and a signed session token is not an access token', async () => {
    const token = await tokenFor(calendar, 'events:read')
    const { jti } = claimsIn(token)
    expect(await introspect(jti)).toEqual({ active: false })
    expect(await introspect(`jwt:${jti}`)).toEqual({ active: false })
    const session = (await device.get('/token')).body.token
    expect(await introspect(session)).toEqual({ active: false })
    expect(await validate(origin, session)).toBeNull()
  })

  it('a refresh within the grace period repeats the same token id', async () => {
    const { body } = await exchange(await authorized([calendar], 'openid offline_access events:read'))
    const [first, again] = [await refresh(body.refresh_token), await refresh(body.refresh_token)]
    expect(claimsIn(again.body.access_token).jti).toBe(claimsIn(first.body.access_token).jti)
    expect((await introspect(again.body.access_token)).active).toBe(true)
  })

  it('ends for introspection and validateToken with its revocation; model/grants/ended-tokens.test.ts has verifyAccessToken', async () => {
    const token = await tokenFor(calendar, 'events:read')
    expect(await validate(calendar, token)).not.toBeNull()
    await postForm(app, '/oauth2/revoke', { token }, basic(client))
    expect(await validate(calendar, token)).toBeNull()
    expect(await introspect(token)).toEqual({ active: false })
  })

  it('userinfo refuses it: the audience is another server', async () => {
    const headers = { authorization: `Bearer ${await tokenFor(calendar, 'openid events:read')}` }
    expect(await app.device().get('/oauth2/userinfo', { headers })).toMatchObject({ status: 401 })
  })
})

describe('resource indicators (RFC 8707)', () => {
  it('several at the authorization: each token is for one, with the scopes of that one', async () => {
    const { body } = await exchange(await authorized([calendar, mail]), { resource: mail })
    expect(body.scope).toBe('openid email offline_access mail:send')
    expect(await introspect(body.access_token)).toMatchObject({ aud: mail, scope: body.scope })
    const other = await refresh(body.refresh_token, { resource: calendar })
    expect(claimsIn(other.body.access_token)).toMatchObject({
      aud: calendar,
      scope: 'openid email offline_access events:read',
    })
    const back = await refresh(other.body.refresh_token, { resource: mail })
    expect(back.body.scope).toBe('openid email offline_access mail:send')
    const kept = await refresh(back.body.refresh_token)
    expect(await introspect(kept.body.access_token)).toMatchObject({ aud: mail })
  })

  it.each<[string, Record<string, string>]>([
    ['no resource of several', {}],
    ['another resource', { resource: plain }],
    ['an unknown resource', { resource: 'https://x.example' }],
    ['two at once', { resource: `${calendar} ${mail}` }],
  ])('invalid_target at the exchange of a code: %s; the code is not used', async (_, more) => {
    const code = await authorized([calendar, mail])
    expect(await exchange(code, more)).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    expect((await exchange(code, { resource: mail })).status).toBe(200)
  })

  it('invalid_target at a refresh for more than the authorization; the token is not used', async () => {
    const { body } = await exchange(await authorized([mail], 'openid offline_access mail:send'))
    const more = await refresh(body.refresh_token, { resource: calendar })
    expect(more).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    expect((await refresh(body.refresh_token)).status).toBe(200)
  })

  it('invalid_target at a refresh of an authorization without a resource', async () => {
    const { body } = await exchange(await authorized([], 'openid offline_access'))
    expect((await refresh(body.refresh_token, { resource: mail })).body.error).toBe('invalid_target')
  })

  it.each([
    ['the scope of a resource that the request does not name', [mail], 'openid events:read', 'invalid_scope'],
    ['the scope of a resource without any resource', [], 'openid mail:send', 'invalid_scope'],
    ['one unknown resource of two', [mail, 'https://x.example'], 'openid', 'invalid_target'],
    ['a resource with a fragment', [`${mail}#x`], 'openid', 'invalid_target'],
  ])('authorize refuses %s', async (_, resources, scope, error) => {
    await agree(device, authorizationRequest(client, { scope: 'openid' }))
    const answer = await device.get(`/oauth2/authorize?${queryFor(resources, scope)}`)
    expect(new URL(answer.headers.get('location')!).searchParams.get('error')).toBe(error)
  })

  it('a pushed request has resources; a malformed one is refused at once (RFC 9126, section 2.3)', async () => {
    const request = authorizationRequest(client, { scope: 'openid mail:send' })
    const pushed = await postForm(app, '/oauth2/par', { ...request, resource: mail }, basic(client))
    const reference = { client_id: client.client_id, request_uri: pushed.body.request_uri }
    const { body } = await exchange(codeOf(await agree(device, reference)))
    expect(await introspect(body.access_token)).toMatchObject({ aud: mail })
    for (const resource of ['no address', `${mail}/#x`]) {
      const refused = await postForm(app, '/oauth2/par', { ...request, resource }, basic(client))
      expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    }
  })

  it('a device requests one, and its user reads the words of the scopes', async () => {
    const grant = 'urn:ietf:params:oauth:grant-type:device_code'
    const tv = await registerClient(device, { grant_types: [grant], response_types: [], redirect_uris: [] })
    const start = (given: Record<string, string>) => postForm(app, '/oauth2/device_authorization', given, basic(tv))
    for (const [given, error] of [
      [{ resource: 'https://x.example' }, 'invalid_target'],
      [{ resource: mail, scope: 'events:read' }, 'invalid_scope'],
      [{ scope: 'mail:send' }, 'invalid_scope'],
    ] as const) {
      expect((await start(given)).body.error).toBe(error)
    }
    const { body } = await start({ resource: mail, scope: 'mail:send' })
    const shown = await device.post('/oauth2/device/read', { user_code: body.user_code })
    expect(shown.body.scopeWords).toEqual({ 'mail:send': 'Send mail in your name' })
    await device.post('/oauth2/device/answer', { user_code: body.user_code, accept: true })
    const poll = { grant_type: grant, device_code: body.device_code, resource: mail }
    const { body: tokens } = await postForm(app, '/oauth2/token', poll, basic(tv))
    expect(await introspect(tokens.access_token, tv)).toMatchObject({ aud: mail, scope: 'mail:send' })
  })

  it('the consent page reads the words of the scopes', async () => {
    await authorize(device, authorizationRequest(client, { scope: 'openid events:read', resource: calendar }))
    const { body } = await device.get('/oauth2/consent')
    expect(body.scopeWords).toEqual({ 'events:read': 'See your events' })
  })
})

it('introspection: each resource server sees its own tokens only', async () => {
  const [first, second] = [await registerClient(device), await registerClient(device)]
  const servers = { [first.client_id]: [calendar], [second.client_id]: [mail] }
  app = new TestApp(settings({ resourceServers: servers }))
  const [event, letter] = [await tokenFor(calendar, 'events:read'), await tokenFor(mail, 'mail:send')]
  const active = async (token: string, by: RegisteredClient) => (await introspect(token, by)).active
  expect([await active(event, first), await active(event, second)]).toEqual([true, false])
  expect([await active(letter, first), await active(letter, second)]).toEqual([false, true])
})

describe('ServerApi.validateToken', () => {
  it('returns subject, client, scopes and expiry; null for another resource, an unknown token and a banned user', async () => {
    for (const [resource, other, scope] of [
      [calendar, mail, 'events:read'],
      [mail, calendar, 'mail:send'],
    ] as const) {
      const token = await tokenFor(resource, scope)
      const userId = (await device.get('/get-session')).body.user.id
      expect(await validate(resource, token)).toEqual({
        audience: resource,
        ...{ userId, clientId: client.client_id, scope: [scope], expiresAt: expect.any(Number) },
        props: {
          ...{ sub: userId, clientId: client.client_id, kind: 'user', scope: [scope] },
          ...{ authTime: expect.any(Number), acr: expect.any(String) },
        },
      })
      expect(await validate(other, token)).toBeNull()
      expect(await validate(resource, `${token}x`)).toBeNull()
      expect(await validate(resource, undefined as never)).toBeNull()
      await banUsers()
      expect(await validate(resource, token)).toBeNull()
      await updateUsers({ banned: false })
    }
  })

  it('an unmodified OAuthResourceServer of @cloudflare/workers-oauth-provider accepts its tokens only', async () => {
    const server = new OAuthResourceServer<object, { sub: string }>({
      resourceMetadata: { resource: calendar, authorization_servers: ['https://accounts.example.com'] },
      requiredScopes: ['events:read'],
      handler: {
        fetch: (_request, _env, { props, auth }) => Response.json({ sub: props.sub, scope: auth.scope }),
      },
      validateToken: () => validate,
    })
    const call = (token?: string) => {
      const headers: HeadersInit = token ? { authorization: `Bearer ${token}` } : {}
      return server.fetch(new Request(`${calendar}/events`, { headers }), {}, createExecutionContext())
    }
    const accepted = await call(await tokenFor(calendar, 'events:read'))
    const userId = (await device.get('/get-session')).body.user.id
    expect({ status: accepted.status, body: await accepted.json() }).toEqual({
      status: 200,
      body: { sub: userId, scope: ['events:read'] },
    })
    for (const token of [undefined, 'unknown', await tokenFor(mail, 'mail:send')]) {
      expect((await call(token)).status).toBe(401)
    }
  })
})

describe('verifyAccessToken', () => {
  const keys = async () => createLocalJWKSet((await app.device().get('/jwks')).body)
  const verify = async (token: string, more: Partial<VerifyOptions> = {}) =>
    verifyAccessToken(token, { issuer: origin, resource: calendar, keys: await keys(), endedTokens: false, ...more })
  const refusalOf = (token: string, more: Partial<VerifyOptions> = {}) =>
    verify(token, more).then(
      () => null,
      (thrown) => {
        if (!(thrown instanceof AccessTokenError)) throw thrown
        return [thrown.status, thrown.code]
      },
    )

  it('returns the subject, the client and the scopes', async () => {
    const token = await tokenFor(calendar, 'events:read events:write')
    expect(await verify(token, { scopes: ['events:write'] })).toMatchObject({
      subject: claimsIn(token).sub,
      ...{ clientId: client.client_id, isService: false, scopes: ['events:read', 'events:write'] },
    })
  })

  it('refuses another audience, issuer, type, key, time, a missing scope and an opaque token', async () => {
    const token = await tokenFor(calendar, 'events:read')
    const invalid = [401, 'invalid_token']
    expect(await refusalOf(token, { resource: mail })).toEqual(invalid)
    expect(await refusalOf(token, { issuer: 'https://other.example' })).toEqual(invalid)
    expect(await refusalOf(token, { now: claimsIn(token).exp })).toEqual(invalid)
    expect(await refusalOf(token, { scopes: ['events:write'] })).toEqual([403, 'insufficient_scope'])
    expect(await refusalOf((await device.get('/token')).body.token, { resource: origin })).toEqual(invalid)
    expect(await refusalOf(await tokenFor(mail, 'mail:send'))).toEqual(invalid)
    const { privateKey } = await generateKeyPair('RS256')
    const header = { ...decodeProtectedHeader(token), alg: 'RS256' }
    const forged = await new SignJWT(claimsIn(token) as JWTPayload).setProtectedHeader(header).sign(privateKey)
    expect(await refusalOf(forged)).toEqual(invalid)
    expect(await validate(calendar, forged)).toBeNull()
  })

  it('refuses a JWT of another type with the same claims and a valid signature', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256')
    const claims = { iss: origin, aud: calendar, sub: 'x', client_id: 'x', jti: 'x', iat: 1, exp: 4_000_000_000 }
    const sign = (typ: string) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ }).sign(privateKey)
    const own = { keys: async () => publicKey }
    expect(await refusalOf(await sign('at+jwt'), own)).toBeNull()
    expect(await refusalOf(await sign('JWT'), own)).toEqual([401, 'invalid_token'])
  })

  it('refuses a token that is bound to a key', async () => {
    const config = await openidClient(app, client.client_id, client.client_secret)
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
    const back = new URL(`${callback}?code=${await authorized([calendar], 'events:read')}`)
    back.searchParams.set('iss', origin)
    const tokens = await openid.authorizationCodeGrant(config, back, {}, { resource: calendar }, { DPoP })
    expect(claimsIn(tokens.access_token).cnf).toEqual({ jkt: expect.any(String) })
    expect(await refusalOf(tokens.access_token)).toEqual([401, 'invalid_token'])
    expect(await validate(calendar, tokens.access_token)).toBeNull()
  })

  it('oauth4webapi accepts the same token', async () => {
    const options = { [oauth.customFetch]: fetchInto(app), [oauth.allowInsecureRequests]: true } as const
    const discovered = await oauth.discoveryRequest(new URL(origin), options)
    const server = await oauth.processDiscoveryResponse(new URL(origin), discovered)
    const authorization = `Bearer ${await tokenFor(calendar, 'events:read')}`
    const request = new Request(calendar, { headers: { authorization } })
    expect(await oauth.validateJwtAccessToken(server, request, calendar, options)).toMatchObject({
      scope: 'events:read',
    })
  })
})
