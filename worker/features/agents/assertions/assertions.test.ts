import { type CryptoKey, createLocalJWKSet, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { foreignTimes, fromNow } from '../../../testing/foreign-times.ts'
import { type Device, origin, TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  codeOf,
  exchange,
  fetchInto,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../../testing/oauth.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { insertRows, rowsOf } from '../../../testing/rows.ts'
import { banUsers, idOf, verifyAddresses } from '../../../testing/states.ts'
import { exchangeGrantType, jwtBearerGrantType, tokenTypes } from '../../identity-provider/model/clients/client.ts'

const tools = 'https://tools.example.com'
const other = 'https://as.example.com'
const idp = 'https://idp.example.com'

let keys: { publicKey: CryptoKey; privateKey: CryptoKey }
let jwk: JWK
beforeAll(async () => {
  keys = await generateKeyPair('ES256', { extractable: true })
  jwk = { ...(await exportJWK(keys.publicKey)), alg: 'ES256', kid: 'k1' }
})

let device: Device
let client: RegisteredClient
let app: TestApp
beforeEach(async () => {
  const earlier = new TestApp({ rateLimit: { enabled: false } })
  device = await signUp(earlier, alice)
  await verifyAddresses()
  client = await registerClient(device)
  app = configured()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ keys: [jwk] }))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function configured(): TestApp {
  const { client_id: clientId } = client
  const settings: Config = {
    rateLimit: { enabled: false },
    identityProvider: {
      resources: [{ identifier: tools, scopes: { read: 'Read', write: 'Write' } }],
      identityAssertions: {
        issue: [
          { clientId, audience: other, clientIdThere: 'there', resources: [tools], scopes: ['chat'], email: true },
        ],
        accept: [
          {
            ...{ issuer: idp, jwksUri: `${idp}/keys`, clients: [clientId], provider: 'okta', domains: ['example.com'] },
            access: { [tools]: ['read', 'write'] },
          },
        ],
      },
    },
  }
  return new TestApp(settings)
}

const errorOf = async (answer: Promise<{ status: number; body: any }>) => {
  const { status, body } = await answer
  return [status, body.error]
}

describe('as the identity provider', () => {
  const idToken = async (): Promise<string> =>
    (await exchange(app, client, codeOf(await agree(device, authorizationRequest(client))))).body.id_token
  const parameters = (token: string, more: object = {}) => ({
    ...{ requested_token_type: tokenTypes.assertion, audience: other, resource: tools, scope: 'chat' },
    ...{ subject_token: token, subject_token_type: tokenTypes.id },
    ...more,
  })
  const ask = (token: string, more: object = {}) =>
    postForm(app, '/oauth2/token', { grant_type: exchangeGrantType, ...client, ...parameters(token, more) })

  it('a client exchanges an id token for an assertion (oauth4webapi), which jose verifies with the published keys', async () => {
    const server = { issuer: origin, token_endpoint: `${origin}/api/auth/oauth2/token` }
    const asClient = { client_id: client.client_id }
    const response = await oauth.genericTokenEndpointRequest(
      server,
      asClient,
      oauth.ClientSecretPost(client.client_secret),
      exchangeGrantType,
      parameters(await idToken()),
      {
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: fetchInto(app) as NonNullable<oauth.TokenEndpointRequestOptions[typeof oauth.customFetch]>,
      },
    )
    const answer = await oauth.processGenericTokenEndpointResponse(server, asClient, response, {
      recognizedTokenTypes: { n_a: () => {} },
    })
    expect(answer).toMatchObject({ issued_token_type: tokenTypes.assertion, token_type: 'n_a', expires_in: 300 })
    const published = (await app.device().get('/jwks')).body
    const { payload } = await jwtVerify(answer.access_token, createLocalJWKSet(published), {
      ...{ issuer: origin, audience: other, typ: 'oauth-id-jag+jwt' },
    })
    expect(payload).toMatchObject({ sub: await idOf(alice.email), client_id: 'there', scope: 'chat', resource: tools })
    expect(payload).toMatchObject({ email: alice.email, email_verified: true, jti: expect.any(String) })
    // It is not an access token here.
    const bearer = { headers: { authorization: `Bearer ${answer.access_token}` } }
    expect((await app.device().get('/oauth2/userinfo', bearer)).status).toBe(401)
    expect((await app.device().get('/.well-known/openid-configuration')).body).toMatchObject({
      identity_chaining_requested_token_types_supported: [tokenTypes.assertion],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    })
  })

  it('refuses what no rule permits, and users whose grants have ended', async () => {
    const token = await idToken()
    expect(await errorOf(ask(token, { audience: 'https://else.example.com' }))).toEqual([400, 'invalid_target'])
    expect(await errorOf(ask(token, { resource: 'https://else.example.com' }))).toEqual([400, 'invalid_target'])
    expect(await errorOf(ask(token, { scope: 'chat admin' }))).toEqual([400, 'invalid_scope'])
    expect(await errorOf(ask(token, { subject_token_type: tokenTypes.access }))).toEqual([400, 'invalid_request'])
    expect(await errorOf(ask('garbage'))).toEqual([400, 'invalid_grant'])
    const foreign = await registerClient(device)
    expect(await errorOf(ask(token, foreign))).toEqual([400, 'unauthorized_client'])
    const { body } = await exchange(app, foreign, codeOf(await agree(device, authorizationRequest(foreign))))
    expect(await errorOf(ask(body.id_token))).toEqual([400, 'invalid_grant'])
    expect((await ask(token)).status).toBe(200)
    await device.post('/oauth2/delete-connection', { clientId: client.client_id })
    expect(await errorOf(ask(token))).toEqual([400, 'invalid_grant'])
    const again = await idToken()
    await banUsers()
    expect(await errorOf(ask(again))).toEqual([400, 'invalid_grant'])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
    await banUsers({ email: 'nobody@example.com' })
    expect(await errorOf(ask(again))).toEqual([400, 'invalid_grant'])
  })

  it('is off without rules', async () => {
    app = new TestApp({ rateLimit: { enabled: false } })
    expect(await errorOf(ask(await idToken()))).toEqual([400, 'unauthorized_client'])
    const { body } = await app.device().get('/.well-known/openid-configuration')
    expect(body.authorization_grant_profiles_supported).toBeUndefined()
  })
})

describe('as the authorization server of a resource', () => {
  const assertion = (claims: object = {}, typ = 'oauth-id-jag+jwt', key = keys.privateKey) => {
    const now = Math.floor(Date.now() / 1000)
    const own = { iss: idp, sub: 'alice-there', aud: origin, client_id: client.client_id, jti: crypto.randomUUID() }
    const address = { email: alice.email, email_verified: true }
    return new SignJWT({ ...own, iat: now, exp: now + 300, resource: tools, scope: 'read', ...address, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ })
      .sign(key)
  }
  const present = async (jwt: string | Promise<string>, more: Record<string, string> = {}) =>
    postForm(app, '/oauth2/token', { grant_type: jwtBearerGrantType, assertion: await jwt, ...client, ...more })

  it('issues a token of the user without a refresh token, once for each assertion, and changes no account', async () => {
    const before = [await rowsOf('accounts'), (await rowsOf('users')).length]
    const jwt = await assertion()
    const answers = await Promise.all([present(jwt), present(jwt), present(jwt)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const { body } = await present(assertion())
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'read' })
    expect([body.refresh_token, body.id_token]).toEqual([undefined, undefined])
    expect(await app.serverApi().validateToken(tools, body.access_token)).toMatchObject({
      ...{ userId: await idOf(alice.email), clientId: client.client_id, scope: ['read'] },
    })
    await present(jwt)
    expect([await rowsOf('accounts'), (await rowsOf('users')).length]).toEqual(before)
    await banUsers()
    expect(await app.serverApi().validateToken(tools, body.access_token)).toBeNull()
    expect(await errorOf(present(assertion()))).toEqual([400, 'invalid_grant'])
  })

  it.each(foreignTimes)('a clock that differs: an assertion that is %s', async (_what, times, isAccepted) => {
    expect((await present(assertion(fromNow(times)))).status).toBe(isAccepted ? 200 : 400)
  })

  it('finds the user by the account at the issuer, before the address', async () => {
    const linked = await signUp(app, { name: 'Lin', email: 'lin@elsewhere.example', password: 'a long password 12' })
    const { user } = (await linked.get('/get-session')).body
    const at = new Date()
    const account = {
      id: 'a1',
      providerId: 'okta',
      accountId: 'alice-there',
      userId: user.id,
      createdAt: at,
      updatedAt: at,
    }
    await insertRows('accounts', account)
    const { body } = await present(assertion())
    expect(await app.serverApi().validateToken(tools, body.access_token)).toMatchObject({ userId: user.id })
  })

  it.each<[string, () => Promise<unknown>, string]>([
    ['for another audience', () => errorOf(present(assertion({ aud: other }))), 'invalid_grant'],
    ['for several audiences', () => errorOf(present(assertion({ aud: [origin, other] }))), 'invalid_grant'],
    ['for another client', () => errorOf(present(assertion({ client_id: 'other' }))), 'invalid_grant'],
    ['of another issuer', () => errorOf(present(assertion({ iss: other }))), 'invalid_grant'],
    [
      'that has expired',
      () => errorOf(present(assertion({ exp: Math.floor(Date.now() / 1000) - 60 }))),
      'invalid_grant',
    ],
    [
      'that lives too long',
      () => errorOf(present(assertion({ exp: Math.floor(Date.now() / 1000) + 7200 }))),
      'invalid_grant',
    ],
    ['without a jti', () => errorOf(present(assertion({ jti: undefined }))), 'invalid_grant'],
    [
      'with another key',
      async () => errorOf(present(assertion({}, undefined, (await generateKeyPair('ES256')).privateKey))),
      'invalid_grant',
    ],
    ['of another type', () => errorOf(present(assertion({}, 'JWT'))), 'unauthorized_client'],
    ['with an unverified address', () => errorOf(present(assertion({ email_verified: false }))), 'invalid_grant'],
    [
      'with an address of another domain',
      () => errorOf(present(assertion({ email: 'alice@else.example' }))),
      'invalid_grant',
    ],
    ['for another resource', () => errorOf(present(assertion({ resource: other }))), 'invalid_target'],
    ['with more scopes than it states', () => errorOf(present(assertion(), { scope: 'read write' })), 'invalid_scope'],
    ['with no permitted scope', () => errorOf(present(assertion({ scope: 'admin' }))), 'invalid_scope'],
  ])('refuses an assertion %s', async (_what, act, error) => {
    expect(await act()).toEqual([400, error])
  })

  it('refuses a client without a rule, and a user whose address is not verified here', async () => {
    const foreign = await registerClient(device)
    expect(await errorOf(present(assertion({ client_id: foreign.client_id }), { ...foreign }))).toEqual([
      400,
      'unauthorized_client',
    ])
    expect(await errorOf(present(assertion(), { client_secret: 'wrong' }))).toEqual([401, 'invalid_client'])
    await signUp(app, { name: 'Una', email: 'una@example.com', password: 'a long password 12' })
    expect(await errorOf(present(assertion({ email: 'una@example.com' })))).toEqual([400, 'invalid_grant'])
  })
})
