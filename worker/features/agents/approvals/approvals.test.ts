import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { createAgent, exchangeToken } from '../../../testing/agents.ts'
import { type Device, origin, TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  basic,
  claimsIn,
  codeOf,
  exchange,
  fetchInto,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../../testing/oauth.ts'
import { openidClient } from '../../../testing/openid-client.ts'
import { interceptOutside } from '../../../testing/outside/intercept.ts'
import { alice, bob, signIn, signUp } from '../../../testing/people.ts'
import { rowsOf, updateRows } from '../../../testing/rows.ts'
import { makeSessionsStale, updateUsers } from '../../../testing/states.ts'
import { approvalGrantType } from '../../identity-provider/model/clients/client.ts'
import { maxPending } from './approvals.store.ts'

const shop = 'https://shop.example.com'
const settings: Config = {
  rateLimit: { enabled: false },
  identityProvider: {
    approvalRequests: { max: 50, window: 600 },
    resources: [{ identifier: shop, scopes: { pay: 'Pay for orders', read: 'Read' }, tokenFormat: 'jwt' }],
    authorizationDetailTypes: [
      {
        type: 'payment',
        resource: shop,
        scope: 'pay',
        fields: { amount: { kind: 'number', max: 500, limit: true }, to: { kind: 'text' } },
        sentence: { en: 'pay at most {amount} EUR to {to}' },
      },
    ],
  },
}
const payment = (amount: number) => JSON.stringify([{ type: 'payment', amount, to: 'Paper' }])

let app: TestApp
let device: Device
let client: RegisteredClient
let userId: string

const grantTypes = ['authorization_code', 'refresh_token', approvalGrantType]
const consent = (by: RegisteredClient, who = device) => agree(who, authorizationRequest(by, { scope: 'openid' }))

beforeEach(async () => {
  app = new TestApp(settings)
  device = await signUp(app, alice)
  userId = (await device.get('/get-session')).body.user.id
  client = await registerClient(device, { grant_types: grantTypes })
  await consent(client)
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const ask = (more: Record<string, string | undefined> = {}, by: Record<string, string> = basic(client)) =>
  postForm(app, '/oauth2/bc-authorize', { scope: 'openid', login_hint: userId, ...more }, by)

/** The id of a new request. */
async function asked(more: Record<string, string | undefined> = {}, by?: Record<string, string>): Promise<string> {
  const { status, body } = await ask(more, by)
  expect({ status, body }).toEqual({
    status: 200,
    body: { auth_req_id: expect.any(String), expires_in: expect.any(Number), interval: 5 },
  })
  return body.auth_req_id
}

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

async function poll(auth_req_id: string, by: Record<string, string> = basic(client), more: object = {}) {
  later(5)
  return postForm(app, '/oauth2/token', { grant_type: approvalGrantType, auth_req_id, ...more }, by)
}

const errorOf = async (answer: ReturnType<typeof poll>) => (await answer).body.error
const listed = async (by = device) => (await by.get('/approvals/list')).body
const answer = async (how: 'approve' | 'deny', by = device, id?: string) =>
  by.post(`/approvals/${how}`, { id: id ?? (await listed())[0].id })

const agent = (scopes: string[], more: object = {}) => createAgent(device, { [shop]: scopes }, more)

const configure = (clientId: string, secret: string) => openidClient(app, clientId, secret)

describe('an approval (OpenID Connect CIBA)', () => {
  it('an agent asks with openid-client; the user sees in words what for, approves, and the agent pays', async () => {
    const { clientId, clientSecret } = await agent(['pay'])
    const config = await configure(clientId, clientSecret)
    const started = await openid.initiateBackchannelAuthentication(config, {
      ...{ scope: 'openid pay', resource: shop, login_hint: userId, binding_message: 'Order 4711' },
      authorization_details: payment(50),
    })
    expect(await listed()).toEqual([
      {
        id: expect.any(String),
        client: { clientId, name: 'Buyer' },
        scopes: ['openid', 'pay'],
        scopeWords: { pay: 'Pay for orders' },
        authorizationDetails: [{ type: 'payment', sentence: { en: 'pay at most 50 EUR to \u2068Paper\u2069' } }],
        resource: shop,
        bindingMessage: 'Order 4711',
        origin: { ipAddress: '203.0.113.9', place: { city: null, country: null } },
        state: 'pending',
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        answeredAt: null,
      },
    ])
    expect(await errorOf(poll(started.auth_req_id, basic({ client_id: clientId, client_secret: clientSecret })))).toBe(
      'authorization_pending',
    )
    expect((await answer('approve')).status).toBe(200)
    later(5)
    const tokens = await openid.pollBackchannelAuthenticationGrant(config, { ...started, interval: 0.01 })
    expect(tokens.claims()?.sub).toBe(userId)
    expect(claimsIn(tokens.access_token)).toMatchObject({
      ...{ sub: userId, client_id: clientId, act: { sub: clientId } },
      authorization_details: JSON.parse(payment(50)),
    })
    expect((await listed())[0].state).toBe('used')
    expect((await device.get('/agents/activity', { query: { clientId } })).body.lines[0].event).toBe('token')
  })

  it('oauth4webapi polls with a registered client; a narrowed payment, refresh tokens, DPoP-free', async () => {
    const as = await oauth
      .discoveryRequest(new URL(origin), { [oauth.customFetch]: fetchInto(app), [oauth.allowInsecureRequests]: true })
      .then((response) => oauth.processDiscoveryResponse(new URL(origin), response))
    expect(as).toMatchObject({
      backchannel_authentication_endpoint: `${origin}/api/auth/oauth2/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll', 'ping'],
      backchannel_user_code_parameter_supported: false,
    })
    const own = { client_id: client.client_id }
    const secret = oauth.ClientSecretPost(client.client_secret)
    const options = { [oauth.customFetch]: fetchInto(app), [oauth.allowInsecureRequests]: true }
    const parameters = { scope: 'openid pay offline_access', resource: shop, authorization_details: payment(50) }
    const request = await oauth.backchannelAuthenticationRequest(
      as,
      own,
      secret,
      { ...parameters, login_hint: userId },
      options,
    )
    const { auth_req_id } = await oauth.processBackchannelAuthenticationResponse(as, own, request)
    await answer('approve')
    later(5)
    const response = await oauth.backchannelAuthenticationGrantRequest(as, own, secret, auth_req_id, {
      ...options,
      additionalParameters: { authorization_details: payment(20) },
    })
    vi.useRealTimers()
    const tokens = await oauth.processBackchannelAuthenticationGrantResponse(as, own, response)
    expect(tokens).toMatchObject({ refresh_token: expect.any(String), authorization_details: JSON.parse(payment(20)) })
  })

  it('hints: a verified address, an id token of the client; a signed-in user only sees their own requests', async () => {
    await updateUsers({ emailVerified: true })
    await asked({ login_hint: alice.email.toUpperCase() })
    const { body } = await exchange(app, client, codeOf(await consent(client)))
    await asked({ login_hint: undefined, id_token_hint: body.id_token })
    expect(await listed()).toHaveLength(2)
    expect(await listed(await signUp(app, bob))).toEqual([])
    await updateUsers({ emailVerified: false })
    await asked({ login_hint: alice.email })
    expect(await listed()).toHaveLength(2)
  })

  it('an unknown user, one without consent and one with too many requests get the same answers', async () => {
    const stranger = await signUp(app, bob)
    const bobId = (await stranger.get('/get-session')).body.user.id
    for (let n = 0; n < maxPending.ofClient; n++) await asked()
    for (const login_hint of ['unknown', 'unknown@example.com', bobId, userId]) {
      const id = await asked({ login_hint, requested_expiry: '60' })
      expect(await errorOf(poll(id))).toBe('authorization_pending')
      later(60)
      expect(await errorOf(poll(id))).toBe('expired_token')
    }
    expect(await rowsOf('approval_requests')).toHaveLength(maxPending.ofClient)
    expect(await listed(stranger)).toEqual([])
  })

  it('429 above the budget of a client for a user, known or not', async () => {
    app = new TestApp({ ...settings, identityProvider: { approvalRequests: { max: 2, window: 600 } } } as Config)
    for (const login_hint of [userId, 'unknown']) {
      for (const _ of [1, 2]) await asked({ login_hint })
      const { status, body, headers } = await ask({ login_hint })
      expect({ status, error: body.error }).toEqual({ status: 429, error: 'slow_down' })
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  const requests: [string, Record<string, string | undefined>, string][] = [
    ['no hint', { login_hint: undefined }, 'invalid_request'],
    ['two hints', { id_token_hint: 'x' }, 'invalid_request'],
    ['a login_hint_token', { login_hint: undefined, login_hint_token: 'x' }, 'invalid_request'],
    ['an invalid id token', { login_hint: undefined, id_token_hint: 'x' }, 'invalid_request'],
    ['no openid', { scope: 'email' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'openid wizard' }, 'invalid_scope'],
    ['a scope without its resource', { scope: 'openid pay' }, 'invalid_scope'],
    ['an unknown resource', { resource: 'https://x.example' }, 'invalid_target'],
    [
      'details beyond the bounds',
      { scope: 'openid pay', resource: shop, authorization_details: payment(501) },
      'invalid_authorization_details',
    ],
    ['a long message', { binding_message: 'x'.repeat(121) }, 'invalid_binding_message'],
    ['a message on two lines', { binding_message: 'a\nb' }, 'invalid_binding_message'],
    ['an expiry in words', { requested_expiry: 'soon' }, 'invalid_request'],
    ['long acr_values', { acr_values: 'x'.repeat(501) }, 'invalid_request'],
  ]
  it.each(requests)('refuses %s', async (_, more, error) => {
    const { status, body } = await ask(more)
    expect({ status, error: body.error }).toEqual({ status: 400, error })
    expect(await rowsOf('approval_requests')).toEqual([])
  })

  it('refuses a client without the grant, a public client, and more than an agent may have', async () => {
    const plain = await registerClient(device)
    expect((await ask({}, basic(plain))).body.error).toBe('unauthorized_client')
    const open = {
      grant_types: grantTypes,
      token_endpoint_auth_method: 'none',
      redirect_uris: ['https://a.example/cb'],
    }
    expect((await device.post('/oauth2/register', open)).body.error).toBe('invalid_client_metadata')
    const { by } = await agent(['read'])
    expect((await ask({ scope: 'openid pay', resource: shop }, by)).body.error).toBe('invalid_scope')
    expect((await ask({ scope: 'openid read' }, by)).body.error).toBe('invalid_target')
    expect((await ask({ scope: 'openid email', resource: shop }, by)).body.error).toBe('invalid_scope')
  })

  it('refuses the auth_req_id of another client, a changed one, a replay, and polls that are too fast', async () => {
    const other = await registerClient(device, { grant_types: grantTypes })
    const id = await asked()
    expect(await errorOf(poll(id, basic(other)))).toBe('invalid_grant')
    expect(await errorOf(poll(id.replace(/\.\d/, '.9')))).toBe('invalid_grant')
    expect(await errorOf(poll(`${id}x`))).toBe('invalid_grant')
    await poll(id)
    const fast = { grant_type: approvalGrantType, auth_req_id: id }
    expect((await postForm(app, '/oauth2/token', fast, basic(client))).body.error).toBe('slow_down')
    await answer('approve')
    const { body } = await poll(id)
    const alive = async () =>
      (await postForm(app, '/oauth2/introspect', { token: body.access_token }, basic(client))).body.active
    expect(await alive()).toBe(true)
    expect(await errorOf(poll(id))).toBe('invalid_grant')
    // Two parties have the id: the tokens of the first use end.
    expect(await alive()).toBe(false)
  })

  it('of parallel polls one gets the tokens', async () => {
    const id = await asked()
    await answer('approve')
    const form = { grant_type: approvalGrantType, auth_req_id: id }
    const answers = await Promise.all([1, 2, 3, 4].map(() => postForm(app, '/oauth2/token', form, basic(client))))
    const [won, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    const { body } = await postForm(app, '/oauth2/introspect', { token: won!.body.access_token }, basic(client))
    expect(body.active).toBe(true)
  })

  it('a denial, an expiry and the answer of another user', async () => {
    const mallory = await signUp(app, bob)
    const id = await asked()
    const [{ id: requestId }] = await listed()
    for (const how of ['approve', 'deny'] as const) {
      const { status, body } = await answer(how, mallory, requestId)
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'APPROVAL_NOT_FOUND' })
    }
    expect((await answer('deny')).status).toBe(200)
    expect((await answer('approve', device, requestId)).status).toBe(404)
    expect(await errorOf(poll(id))).toBe('access_denied')
    const second = await asked({ requested_expiry: '30' })
    later(31)
    expect(await errorOf(poll(second))).toBe('expired_token')
    expect((await answer('approve')).status).toBe(404)
    expect((await listed()).map(({ state }: { state: string }) => state)).toEqual(['expired', 'denied'])
  })

  it('an approval that its client does not collect ends; a late one waits for five minutes', async () => {
    const id = await asked({ requested_expiry: '60' })
    later(59)
    await answer('approve')
    later(200)
    const late = await asked({ requested_expiry: '60' })
    later(59)
    await answer('approve')
    expect((await poll(id)).status).toBe(200)
    later(310)
    expect(await errorOf(poll(late))).toBe('expired_token')
  })

  it('an approval needs a recent authentication, a denial does not', async () => {
    await asked()
    await makeSessionsStale()
    const { status, body } = await answer('approve')
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'SESSION_IS_NOT_FRESH' })
    expect((await answer('deny')).status).toBe(200)
  })

  it('acr_values: the approval needs the second factor that the client requires', async () => {
    await asked({ acr_values: 'https://refeds.org/profile/mfa' })
    const { status, body } = await answer('approve')
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'APPROVAL_NEEDS_SECOND_FACTOR' })
    await updateRows('sessions', { amr: ['pwd', 'mfa'] })
    expect((await answer('approve')).status).toBe(200)
  })

  it('a new password, a withdrawn consent and a paused agent end an approval before its use', async () => {
    const first = await asked()
    await answer('approve')
    await updateUsers({ securityVersion: 9 })
    expect(await errorOf(poll(first))).toBe('invalid_grant')
    await updateUsers({ securityVersion: 0 })
    const second = await asked()
    await answer('approve')
    await device.post('/oauth2/delete-connection', { clientId: client.client_id })
    expect(await errorOf(poll(second))).toBe('invalid_grant')
    const { clientId, by } = await agent(['read'])
    const third = await asked({ scope: 'openid read', resource: shop }, by)
    await answer('approve')
    await device.post('/agents/set-state', { clientId, state: 'paused' })
    expect(await errorOf(poll(third, by))).toBe('invalid_client')
  })

  it('a paused agent ends what others derived from its approval; its budget counts approvals', async () => {
    const first = await agent(['read'], { callsPerDay: 1 })
    const second = await agent(['read'])
    const id = await asked({ scope: 'openid read', resource: shop }, first.by)
    await answer('approve')
    const { body } = await poll(id, first.by)
    const derived = await exchangeToken(app, second, body.access_token)
    const act = { sub: second.clientId, act: { sub: first.clientId } }
    expect(claimsIn(derived.body.access_token).act).toEqual(act)
    const valid = async () => (await app.serverApi().validateToken(shop, derived.body.access_token)) !== null
    expect(await valid()).toBe(true)
    await device.post('/agents/set-state', { clientId: first.clientId, state: 'paused' })
    expect(await valid()).toBe(false)
    await device.post('/agents/set-state', { clientId: first.clientId, state: 'active' })
    const more = await asked({ scope: 'openid read', resource: shop }, first.by)
    await answer('approve')
    const { status, body: refused } = await poll(more, first.by)
    expect({ status, error: refused.error }).toEqual({ status: 429, error: 'slow_down' })
  })

  it('ping: the client gets a signed-for notification of the answer, and then the tokens', async () => {
    const taken: { url: string; authorization: string | null; body: unknown }[] = []
    interceptOutside(async (request) => {
      taken.push({ url: request.url, authorization: request.headers.get('authorization'), body: await request.json() })
      return new Response(null, { status: 204 })
    })
    const endpoint = 'https://client.example.com/ciba'
    const pinged = await registerClient(device, {
      grant_types: grantTypes,
      backchannel_token_delivery_mode: 'ping',
      backchannel_client_notification_endpoint: endpoint,
    })
    await consent(pinged)
    expect((await ask({}, basic(pinged))).body.error).toBe('invalid_request')
    const id = await asked({ client_notification_token: 'secret-of-the-client' }, basic(pinged))
    expect(JSON.stringify(await rowsOf('approval_requests'))).not.toContain('secret-of-the-client')
    expect(taken).toEqual([])
    await answer('approve')
    expect(taken).toEqual([{ url: endpoint, authorization: 'Bearer secret-of-the-client', body: { auth_req_id: id } }])
    expect((await poll(id, basic(pinged))).status).toBe(200)
    const inside = { ...{ grant_types: grantTypes, redirect_uris: [] }, backchannel_token_delivery_mode: 'ping' }
    for (const address of ['https://10.0.0.1/', 'http://client.example.com/', 'https://client.example.com/#x']) {
      const given = { ...inside, backchannel_client_notification_endpoint: address }
      expect((await device.post('/oauth2/register', given)).body.error).toBe('invalid_redirect_uri')
    }
  })

  it('an agent with an address is notified in place of polling, at a public address only', async () => {
    const taken: { url: string; body: unknown }[] = []
    interceptOutside(async (request) => {
      taken.push({ url: request.url, body: await request.json() })
      return new Response(null, { status: 204 })
    })
    const notificationEndpoint = 'https://agent.example.com/ciba'
    const { by } = await agent(['read'], { notificationEndpoint })
    const parameters = { scope: 'openid read', resource: shop }
    expect((await ask(parameters, by)).body.error).toBe('invalid_request')
    const id = await asked({ ...parameters, client_notification_token: 'secret-of-the-agent' }, by)
    await answer('approve')
    expect(taken).toEqual([{ url: notificationEndpoint, body: { auth_req_id: id } }])
    expect((await poll(id, by)).status).toBe(200)
    for (const address of ['https://10.0.0.1/', 'http://agent.example.com/', 'https://agent.example.com/#x']) {
      const given = { name: 'B', purpose: 'B', access: { [shop]: ['read'] }, notificationEndpoint: address }
      expect((await device.post('/agents/create', given)).body.code).toBe('INVALID_AGENT_NOTIFICATION_ENDPOINT')
    }
  })

  it('under fapi2 an agent asks with a signed request and its key, and its tokens are bound to another key', async () => {
    app = new TestApp({
      ...settings,
      identityProvider: { ...settings.identityProvider, securityProfile: 'fapi2' },
    } as Config)
    device = await signIn(app, alice)
    const keys = await generateKeyPair('ES256', { extractable: true })
    const jwk = { ...(await exportJWK(keys.publicKey)), alg: 'ES256', kid: 'k1' }
    const given = { name: 'Buyer', purpose: 'Buys paper', access: { [shop]: ['pay'] } }
    expect((await device.post('/agents/create', given)).body.code).toBe('INVALID_AGENT_KEYS')
    const { body } = await device.post('/agents/create', { ...given, jwks: { keys: [jwk] } })
    const { clientId } = body.agent
    const key = openid.PrivateKeyJwt({ key: keys.privateKey, kid: 'k1' })
    const config = await openidClient(app, clientId, { id_token_signed_response_alg: 'EdDSA' }, key)
    const signed = (by: CryptoKey, more: object = {}) =>
      new SignJWT({
        ...{ scope: 'openid pay', resource: shop, login_hint: userId, binding_message: 'Order 4711' },
        authorization_details: JSON.parse(payment(50)),
        ...more,
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer(clientId)
        .setAudience(origin)
        .setIssuedAt()
        .setNotBefore('0s')
        .setExpirationTime('5m')
        .setJti(crypto.randomUUID())
        .sign(by)
    const start = async (by: CryptoKey, more: object = {}) =>
      openid.initiateBackchannelAuthentication(config, { request: await signed(by, more) })
    const forged = (await generateKeyPair('ES256')).privateKey
    await expect(start(forged)).rejects.toMatchObject({ status: 400 })
    const started = await start(keys.privateKey)
    expect((await listed())[0]).toMatchObject({ bindingMessage: 'Order 4711', client: { clientId } })
    await answer('approve')
    later(5)
    vi.useRealTimers()
    const poll = (options?: openid.DPoPOptions) =>
      openid.pollBackchannelAuthenticationGrant(config, { ...started, interval: 0.01 }, {}, options)
    await expect(poll()).rejects.toMatchObject({ error: 'invalid_dpop_proof' })
    const DPoP = openid.getDPoPHandle(config, await generateKeyPair('ES256'))
    const tokens = await poll({ DPoP })
    expect(tokens.token_type).toBe('dpop')
    expect(claimsIn(tokens.access_token)).toMatchObject({ sub: userId, cnf: { jkt: expect.any(String) } })
    await expect(poll({ DPoP })).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('a mail to the verified address names the client, its words and the permissions without links', async () => {
    await app.clearMailbox()
    await asked()
    expect(await app.mailbox()).toEqual([])
    await updateUsers({ emailVerified: true })
    const details = JSON.stringify([{ type: 'payment', amount: 5, to: 'https://evil.example' }])
    const parameters = { scope: 'openid pay', resource: shop, authorization_details: details }
    await asked({ ...parameters, binding_message: 'see evil.example/x' })
    const [mail] = await app.mailbox()
    expect(mail!.subject).toBe('Client One asks for your approval')
    expect(mail!.text).toContain('pay at most 5 EUR to https: / /evil. example; Pay for orders')
    expect(mail!.text).toContain('see evil. example/x')
    expect(mail!.text).toContain('http://localhost:8787/account/approvals')
  })

  it('the cron trigger deletes requests after 30 days', async () => {
    await asked()
    later(31 * 86_400)
    await app.runScheduled()
    expect(await rowsOf('approval_requests')).toEqual([])
  })
})
