import { afterEach, describe, expect, vi } from 'vitest'
import { administrator } from '../../../testing/admins.ts'
import { createAgent, exchangeToken } from '../../../testing/agents.ts'
import { serverKey, verify } from '../../../testing/api-keys.ts'
import { codeOf as totpOf } from '../../../testing/authenticator.ts'
import type { Device, TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  basic,
  codeOf,
  exchange,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../../testing/oauth.ts'
import { anotherDevice } from '../../../testing/organizations.ts'
import { count, rowOf, updateRows } from '../../../testing/rows.ts'
import { address, password, type Ruled, ruled, signedInAs, testRows } from '../../../testing/sign-in-rules.ts'
import { addUser } from '../../../testing/states.ts'
import { stopClock } from '../../../testing/two-factor.ts'
import { approvalGrantType } from '../../identity-provider/model/clients/client.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const shop = 'https://shop.example.com'
const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'
const provider = {
  resources: [{ identifier: shop, scopes: { pay: 'Pay for orders' }, tokenFormat: 'jwt' as const }],
  approvalRequests: { max: 50, window: 600 },
}

/** The tokens of an application of a user. */
async function tokensOf(app: TestApp, device: Device, client: RegisteredClient, more: Record<string, string> = {}) {
  const asked = { scope: 'openid offline_access', prompt: 'consent', ...more }
  const { body } = await exchange(app, client, codeOf(await agree(device, authorizationRequest(client, asked))))
  return body as { access_token: string; refresh_token: string }
}

const refresh = (app: TestApp, client: RegisteredClient, refresh_token: string) =>
  postForm(app, '/oauth2/token', { grant_type: 'refresh_token', refresh_token }, basic(client))

const isActive = async (app: TestApp, client: RegisteredClient, token: string): Promise<boolean> =>
  (await postForm(app, '/oauth2/introspect', { token }, basic(client))).body.active

/** A client, and tokens of a session with a password and of one through the connection. */
async function withTokens(more: Record<string, string> = {}) {
  const at = await ruled({ identityProvider: provider })
  const client = await registerClient(at.acme.owner.device)
  const tokens = await tokensOf(at.app, await at.byPassword(), client, more)
  const allowed = await tokensOf(at.app, await at.bySingleSignOn(), client, more)
  return { ...at, client, tokens, allowed }
}

const createKey = async (device: Device, more: object = {}) =>
  (await device.post('/api-key/create', { name: 'k', ...more })).body

const withKey = ({ app }: Ruled, key: string) => app.device().get('/list-accounts', { headers: { 'x-api-key': key } })

const refusedKey = { status: 401, body: { code: 'KEY_FORBIDDEN_BY_ORGANIZATION' } }

/** A rule in the table that no request has applied yet: only the use of a credential decides. */
const ruleUnapplied = async ({ rule }: Ruled) => {
  await rule({ allowedMethods: null })
  await updateRows('sign_in_policies', { allowedMethods: [] })
}

describe('the rules of an organization, for a member with another address, and what a sign-in has led to', () => {
  testRows('session, key or token', {
    async session() {
      const at = await ruled()
      const [before, after] = [await at.byPassword(), await at.byPassword()]
      await at.rule()
      expect(await count('sessions', { userId: at.ada.id, method: 'email' })).toBe(0)
      // Also for a session data cookie, whose session has ended.
      expect((await before.get('/get-session')).body).toBeNull()
      expect(await signedInAs(at.ada.device)).toBe(address)
      await at.rule({ allowedMethods: ['password'] })
      const unseen = await at.byPassword()
      await ruleUnapplied(at)
      expect((await unseen.get('/list-sessions')).status).toBe(401)
      expect(await signedInAs(unseen)).toBeNull()
      expect(await count('sessions', { userId: at.ada.id, method: 'email' })).toBe(0)
      expect(await signedInAs(after)).toBeNull()
    },
    async 'session of a user of the domain without a membership'() {
      const { app, rule } = await ruled()
      const { id } = await addUser({ email: 'new@example.com', emailVerified: true })
      const device = await anotherDevice(app, id)
      expect(await signedInAs(device)).toBe('new@example.com')
      await rule()
      expect(await count('sessions', { userId: id })).toBe(0)
      expect((await device.get('/get-session')).body).toBeNull()
    },
    async 'bearer token'() {
      const at = await ruled()
      const { headers } = await at.app.device().post('/sign-in/email', { email: address, password })
      const authorization = `Bearer ${headers.get('set-auth-token')}`
      const use = () => at.app.device().get('/list-sessions', { headers: { authorization } })
      expect((await use()).status).toBe(200)
      await ruleUnapplied(at)
      expect((await use()).status).toBe(401)
    },
    async 'other session of the same browser'() {
      const at = await ruled()
      const device = await at.byPassword()
      const { token } = (await device.get('/get-session')).body.session
      await device.post('/sign-in/email', { email: at.acme.owner.email, password })
      await ruleUnapplied(at)
      expect((await device.post('/multi-session/set-active', { sessionToken: token })).status).toBe(401)
    },
    async 'one-time token'() {
      const at = await ruled()
      const { token } = (await (await at.byPassword()).get('/one-time-token/generate')).body
      await ruleUnapplied(at)
      expect((await at.app.device().post('/one-time-token/verify', { token })).status).toBeGreaterThanOrEqual(400)
    },
    async 'session with another active organization'() {
      const at = await ruled()
      const device = await at.byPassword()
      await device.post('/organization/create', { name: 'Own', slug: 'own' })
      await device.post('/organization/set-active', { organizationSlug: 'own' })
      await ruleUnapplied(at)
      expect((await device.post('/organization/set-active', { organizationSlug: 'own' })).status).toBe(401)
      expect((await device.get('/organization/get-full-organization')).status).toBe(401)
    },
    async 'step-up'() {
      const at = await ruled()
      const device = await at.byPassword()
      expect((await device.post('/step-up', { method: 'password', password })).status).toBe(200)
      await ruleUnapplied(at)
      expect((await device.post('/step-up', { method: 'password', password })).status).toBe(401)
      expect(await signedInAs(device)).toBeNull()
    },
    async 'set-up of a second factor'() {
      stopClock()
      const { rule, byPassword } = await ruled()
      await rule({ allowedMethods: null, requiresSecondFactor: true })
      const device = await byPassword()
      const { totpURI } = (await device.post('/two-factor/enable', { password })).body
      expect((await device.post('/two-factor/verify-totp', { code: await totpOf(totpURI, -1) })).status).toBe(200)
      expect(await signedInAs(device)).toBe(address)
    },
    async impersonation() {
      const { app, rule, ada } = await ruled()
      await rule()
      const { device } = await administrator(app)
      expect((await device.post('/admin/impersonate-user', { userId: ada.id })).status).toBe(200)
      expect(await signedInAs(device)).toBe(address)
      await rule()
      expect(await signedInAs(device)).toBe(address)
    },
    async 'refresh token'() {
      const { app, client, tokens, allowed, rule } = await withTokens()
      await rule()
      const refused = { status: 400, body: { error: 'invalid_grant' } }
      expect(await refresh(app, client, tokens.refresh_token)).toMatchObject(refused)
      const { status, body } = await refresh(app, client, allowed.refresh_token)
      expect(status).toBe(200)
      // A rule that nothing has applied: the exchange itself decides.
      await updateRows('oauth_access_tokens', { method: 'email' })
      expect(await refresh(app, client, body.refresh_token)).toMatchObject(refused)
    },
    async 'access token, also of MCP'() {
      const { app, client, tokens, allowed, rule } = await withTokens({ scope: 'openid pay', resource: shop })
      const validate = (token: string) => app.serverApi().validateToken(shop, token)
      expect(await validate(tokens.access_token)).not.toBeNull()
      await rule()
      expect(await validate(tokens.access_token)).toBeNull()
      expect(await isActive(app, client, tokens.access_token)).toBe(false)
      expect(await validate(allowed.access_token)).not.toBeNull()
      expect((await app.device().get('/oauth2/ended-tokens')).body.ended).toHaveLength(1)
      await updateRows('oauth_access_tokens', { method: 'email' })
      expect(await validate(allowed.access_token)).toBeNull()
      expect(await isActive(app, client, allowed.access_token)).toBe(false)
    },
    async 'authorization code'() {
      const { app, rule, byPassword, acme } = await ruled({ identityProvider: provider })
      const client = await registerClient(acme.owner.device)
      const code = codeOf(await agree(await byPassword(), authorizationRequest(client)))
      await rule()
      expect(await exchange(app, client, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    },
    async 'device that waits for an approval'() {
      vi.useFakeTimers({ toFake: ['Date'] })
      const { app, rule, byPassword, acme } = await ruled({ identityProvider: provider })
      const public_ = { grant_types: [deviceGrantType], token_endpoint_auth_method: 'none', redirect_uris: [] }
      const { client_id } = await registerClient(acme.owner.device, public_)
      const asked = await postForm(app, '/oauth2/device_authorization', { client_id, scope: 'openid' })
      const { device_code, user_code } = asked.body
      const answer = await (await byPassword()).post('/oauth2/device/answer', { user_code, accept: true })
      expect(answer.status).toBe(200)
      await rule()
      vi.setSystemTime(Date.now() + 6000)
      const given = { grant_type: deviceGrantType, device_code, client_id }
      expect(await postForm(app, '/oauth2/token', given)).toMatchObject({ body: { error: 'invalid_grant' } })
    },
    async 'approval (CIBA)'() {
      vi.useFakeTimers({ toFake: ['Date'] })
      const { app, rule, byPassword, acme, ada } = await ruled({ identityProvider: provider })
      const grant_types = ['authorization_code', 'refresh_token', approvalGrantType]
      const client = await registerClient(acme.owner.device, { grant_types })
      const device = await byPassword()
      await agree(device, authorizationRequest(client, { scope: 'openid' }))
      const given = { scope: 'openid', login_hint: ada.id }
      const { auth_req_id } = (await postForm(app, '/oauth2/bc-authorize', given, basic(client))).body
      const [{ id }] = (await device.get('/approvals/list')).body
      expect((await device.post('/approvals/approve', { id })).status).toBe(200)
      await rule()
      vi.setSystemTime(Date.now() + 6000)
      const poll = { grant_type: approvalGrantType, auth_req_id }
      expect(await postForm(app, '/oauth2/token', poll, basic(client))).toMatchObject({
        body: { error: 'invalid_grant' },
      })
    },
    async 'token of an agent'() {
      const { app, client, rule, byPassword } = await withTokens()
      const device = await byPassword()
      const agent = await createAgent(device, { [shop]: ['pay'] })
      const { access_token } = await tokensOf(app, device, client, { scope: 'pay', resource: shop })
      const derived = (await exchangeToken(app, agent, access_token, { resource: shop })).body.access_token
      const validate = (token: string) => app.serverApi().validateToken(shop, token)
      expect(await validate(derived)).not.toBeNull()
      await rule()
      expect(await validate(derived)).toBeNull()
      const again = await exchangeToken(app, agent, access_token, { resource: shop })
      expect(again.body.error).toBe('invalid_grant')
    },
    async 'API key of the user'() {
      const at = await ruled()
      const { key } = await createKey(await at.byPassword())
      expect((await withKey(at, key)).status).toBe(200)
      await at.rule()
      expect(await withKey(at, key)).toMatchObject(refusedKey)
      expect((await verify(at.app, key)).code).toBe('KEY_FORBIDDEN_BY_ORGANIZATION')
      await at.rule({ allowedMethods: ['password'] })
      expect((await withKey(at, key)).status).toBe(200)
    },
    async 'API key that a server created for the user'() {
      const at = await ruled()
      const { key, id } = await serverKey(at.app, { userId: at.ada.id })
      const counted = await serverKey(at.app, { userId: at.ada.id }, { remaining: 5 })
      expect((await withKey(at, key)).status).toBe(200)
      await at.rule()
      expect(await withKey(at, key)).toMatchObject(refusedKey)
      expect(await withKey(at, counted.key)).toMatchObject(refusedKey)
      expect(await rowOf('api_keys', { id })).toMatchObject({ method: null, amr: [] })
    },
    async 'API key from a session of the connection'() {
      const at = await ruled()
      const { key } = await createKey(at.ada.device)
      await at.rule({ requiresSecondFactor: true })
      expect((await withKey(at, key)).status).toBe(200)
      expect((await verify(at.app, key)).code).toBe('valid')
    },
    async 'API key of an organization'() {
      const at = await ruled()
      const { key } = await createKey(at.acme.owner.device, { organizationId: at.acme.id })
      await at.rule()
      expect((await verify(at.app, key)).code).toBe('valid')
    },
    async 'session, tokens and keys of a disabled connection'() {
      const { app, client, allowed, ada, acme, connectionId } = await withTokens()
      const { key } = await createKey(ada.device)
      const given = { connectionId, state: 'disabled' }
      expect((await acme.owner.device.post('/sso/update-connection', given)).status).toBe(200)
      expect(await signedInAs(ada.device)).toBeNull()
      expect((await refresh(app, client, allowed.refresh_token)).body.error).toBe('invalid_grant')
      expect((await verify(app, key)).code).toBe('valid')
      await updateRows('sign_in_policies', { allowedMethods: [] })
    },
  })
})
