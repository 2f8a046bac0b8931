import { createLocalJWKSet } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../../configuration/read-config.ts'
import { administrator } from '../../../../testing/admins.ts'
import { createAgent, exchangeToken, type TestAgent } from '../../../../testing/agents.ts'
import { FaultInjector } from '../../../../testing/faults.ts'
import { origin, TestApp } from '../../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  basic,
  callback,
  codeOf,
  postForm,
  registerClient,
} from '../../../../testing/oauth.ts'
import { type Company, company, join } from '../../../../testing/organizations.ts'
import { alice, signUp } from '../../../../testing/people.ts'
import { rowsOf } from '../../../../testing/rows.ts'
import { AccessTokenError, verifyAccessToken } from '../../verify-access-token.ts'

// The API asks one isolate of the deployment; users and clients use another. They share only the bindings and the cache.
const shop = 'https://shop.example.com'
const service = { client_id: 'job', client_secret: 'a secret of at least 32 characters, ok' }
const settings: Config = {
  rateLimit: { enabled: false },
  identityProvider: {
    resources: [{ identifier: shop, scopes: { read: 'See orders', pay: 'Pay' }, tokenFormat: 'jwt' }],
    services: [{ clientId: service.client_id, clientSecret: service.client_secret, access: { [shop]: ['read'] } }],
  },
}

/** The same, registered by an administrator. */
const withoutResources: Config = { rateLimit: { enabled: false }, identityProvider: { resourcesPerOrganization: 2 } }
const boss = { name: 'Boss', email: 'boss@example.com', password: 'password-of-boss' }
const registration = {
  ...{ identifier: shop, name: 'Shop', scopes: { read: 'See orders', pay: 'Pay' }, tokenFormat: 'jwt' },
  ...{ accessTokenExpiresIn: null, introspectedBy: [], claims: ['email'] },
}

let started = Date.now()
beforeEach(() => {
  started += 14_400_000
  vi.useFakeTimers({ toFake: ['Date'], now: started })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

async function scene(by: 'the configuration' | 'an administrator' = 'the configuration') {
  const faults = new FaultInjector()
  const config = by === 'the configuration' ? settings : withoutResources
  const app = new TestApp(config)
  const other = new TestApp(config, faults.bindings(), false)
  const admin = (await administrator(app, boss)).device
  const { id: resourceId = '' } =
    by === 'the configuration' ? {} : (await admin.post('/admin/create-resource', registration)).body
  const asked: string[] = []
  const request = async (input: unknown, init?: RequestInit) => {
    const asking = new Request(String(input), init)
    asked.push(new URL(asking.url).pathname.replace('/api/auth', ''))
    const { status, headers, body } = await other.fetch(asking)
    return new Response(JSON.stringify(body), { status, headers })
  }
  const device = await signUp(app, alice)
  const client = await registerClient(device)
  const authorized = async (scope = 'openid offline_access read pay', resource = shop) => {
    const query = authorizationRequest(client, { scope, resource, prompt: 'consent' })
    const form = { grant_type: 'authorization_code', code: codeOf(await agree(device, query)), redirect_uri: callback }
    const { body } = await postForm(app, '/oauth2/token', form, basic(client))
    return { token: body.access_token as string, refresh: body.refresh_token as string, form }
  }
  const agent = (name: string, more: object = {}) => createAgent(device, { [shop]: ['read'] }, { name, ...more })
  const exchanged = async (by: TestAgent, subject: string) =>
    (await exchangeToken(app, by, subject)).body.access_token as string
  const background: Promise<unknown>[] = []
  const ask = request as typeof fetch
  const isAccepted = async (token: string, resource = shop) => {
    // The first token makes the key.
    const keys = createLocalJWKSet((await other.device().get('/jwks')).body)
    const waitUntil = (work: Promise<unknown>) => void background.push(work)
    const found = await verifyAccessToken(token, { issuer: origin, resource, keys, fetch: ask, waitUntil }).then(
      () => true,
      (thrown) => {
        if (thrown instanceof AccessTokenError) return false
        throw thrown
      },
    )
    await Promise.all(background.splice(0))
    return found
  }
  const setState = (clientId: string, state: string) => device.post('/agents/set-state', { clientId, state })
  return { app, admin, resourceId, faults, asked, device, client, authorized, agent, exchanged, isAccepted, setState }
}

type Set = Awaited<ReturnType<typeof scene>>
type Tokens = Awaited<ReturnType<Set['authorized']>>

describe.each(['the configuration', 'an administrator'] as const)(
  'a JWT access token of a resource of %s, which the API verifies alone, is refused 5 seconds after',
  (by) => {
    it.each<[string, (set: Set, tokens: Tokens) => Promise<{ status: number }>]>([
      ['its revocation', ({ app, client }, { token }) => postForm(app, '/oauth2/revoke', { token }, basic(client))],
      [
        'the revocation of its refresh token',
        ({ app, client }, { refresh }) => postForm(app, '/oauth2/revoke', { token: refresh }, basic(client)),
      ],
      [
        'the user ends the connection',
        ({ device, client }) => device.post('/oauth2/delete-connection', { clientId: client.client_id }),
      ],
      [
        'the client is disabled',
        ({ device, client }) => device.post('/oauth2/update-client', { clientId: client.client_id, disabled: true }),
      ],
      [
        'the client is deleted',
        ({ device, client }) => device.post('/oauth2/delete-client', { clientId: client.client_id }),
      ],
      [
        'the user changes the password',
        ({ device }) =>
          device.post('/change-password', { currentPassword: alice.password, newPassword: 'another good phrase 7' }),
      ],
      ['the user revokes all access', ({ device }) => device.post('/revoke-sessions', { applications: true })],
      [
        'a ban',
        async ({ app, device }) => {
          const userId = (await device.get('/get-session')).body.user.id
          return (await administrator(app)).device.post('/admin/ban-user', { userId })
        },
      ],
      [
        'the account is deleted',
        async ({ app, device }) => {
          const userId = (await device.get('/get-session')).body.user.id
          return (await administrator(app)).device.post('/admin/remove-user', { userId })
        },
      ],
    ])('%s, with the token of an agent that was derived from it', async (_what, end) => {
      const set = await scene(by)
      const tokens = await set.authorized()
      const derived = await set.exchanged(await set.agent('Buyer'), tokens.token)
      expect([await set.isAccepted(tokens.token), await set.isAccepted(derived)]).toEqual([true, true])
      pass(10)
      expect(await end(set, tokens)).toMatchObject({ status: 200 })
      pass(5)
      expect([await set.isAccepted(tokens.token), await set.isAccepted(derived)]).toEqual([false, false])
      pass(1800)
      expect(await set.isAccepted(tokens.token)).toBe(false)
    })
  },
)

it('a JWT access token is refused after a repeated code, and after its revocation by a service; other tokens stay', async () => {
  const set = await scene()
  const [first, second] = [await set.authorized(), await set.authorized()]
  const form = { grant_type: 'client_credentials', resource: shop }
  const job = (await postForm(set.app, '/oauth2/token', form, basic(service))).body.access_token
  expect(await set.isAccepted(job)).toBe(true)
  pass(10)
  expect((await postForm(set.app, '/oauth2/token', first.form, basic(set.client))).status).toBe(400)
  await postForm(set.app, '/oauth2/revoke', { token: job }, basic(service))
  pass(5)
  expect(await Promise.all([first.token, second.token, job].map((token) => set.isAccepted(token)))).toEqual([
    false,
    true,
    false,
  ])
})

describe('a JWT access token of a registered resource is refused 5 seconds after', () => {
  it.each<[string, (set: Set) => Promise<{ status: number }>, boolean]>([
    [
      'the resource loses a scope; a refresh gets one without it',
      ({ admin, resourceId: id }) =>
        admin.post('/admin/update-resource', { ...registration, id, scopes: { read: 'See orders' } }),
      true,
    ],
    ['its deletion', ({ admin, resourceId: id }) => admin.post('/admin/delete-resource', { id }), false],
  ])('%s', async (_what, end, refreshes) => {
    const set = await scene('an administrator')
    const tokens = await set.authorized()
    const second = { ...registration, identifier: 'https://mail.example.com', scopes: { send: 'Send mail' } }
    await set.admin.post('/admin/create-resource', second)
    const mail = (await set.authorized('openid send', second.identifier)).token
    expect([await set.isAccepted(tokens.token), await set.isAccepted(mail, second.identifier)]).toEqual([true, true])
    pass(10)
    expect((await end(set)).status).toBe(200)
    pass(5)
    expect([await set.isAccepted(tokens.token), await set.isAccepted(mail, second.identifier)]).toEqual([false, true])
    // The issuer says the same while the list is unknown.
    expect((await set.app.device().post('/oauth2/token-status', { token: tokens.token })).body.active).toBe(false)
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh }
    const { status, body } = await postForm(set.app, '/oauth2/token', form, basic(set.client))
    expect(status).toBe(refreshes ? 200 : 400)
    if (refreshes) expect(await set.isAccepted(body.access_token)).toBe(true)
  })

  it.each<[string, (set: Set, clientId: string) => Promise<{ status: number }>]>([
    [
      'the pause of its service',
      ({ admin }, clientId) => admin.post('/admin/update-service', { clientId, state: 'paused' }),
    ],
    [
      'the service loses a scope',
      ({ admin }, clientId) => admin.post('/admin/update-service', { clientId, access: { [shop]: ['pay'] } }),
    ],
    ['the deletion of its service', ({ admin }, clientId) => admin.post('/admin/delete-service', { clientId })],
  ])('%s', async (_what, end) => {
    const set = await scene('an administrator')
    const made = await set.admin.post('/admin/create-service', { name: 'Job', access: { [shop]: ['read', 'pay'] } })
    const job = { client_id: made.body.service.clientId, client_secret: made.body.clientSecret }
    const form = { grant_type: 'client_credentials', resource: shop }
    const token = (await postForm(set.app, '/oauth2/token', form, basic(job))).body.access_token
    expect(await set.isAccepted(token)).toBe(true)
    pass(10)
    expect((await end(set, job.client_id)).status).toBe(200)
    pass(5)
    expect(await set.isAccepted(token)).toBe(false)
  })

  it.each<[string, (at: Company, member: string) => Promise<{ status: number }>]>([
    [
      'the end of a membership, at a resource of the organization',
      (at, memberIdOrEmail) =>
        at.owner.device.post('/organization/remove-member', { memberIdOrEmail, organizationId: at.id }),
    ],
    [
      'the deletion of the organization',
      (at) => at.owner.device.post('/organization/delete', { organizationId: at.id }),
    ],
  ])('%s', async (_what, end) => {
    const set = await scene('an administrator')
    const at = await company(set.app, 'acme')
    const made = await at.owner.device.post('/organization/create-resource', {
      ...registration,
      ...{ organizationId: at.id, identifier: 'files', scopes: { read: 'See files' } },
    })
    const { identifier } = made.body
    const member = await join(at, { id: '', email: alice.email, device: set.device })
    const scope = `openid ${identifier}:read`
    const { token } = await set.authorized(scope, identifier)
    expect(await set.isAccepted(token, identifier)).toBe(true)
    pass(10)
    expect((await end(at, member)).status).toBe(200)
    pass(5)
    expect(await set.isAccepted(token, identifier)).toBe(false)
  })
})

it('without a resource with JWTs nothing is written for the list, and no job runs', async () => {
  const app = new TestApp(withoutResources)
  const device = await signUp(app, alice)
  const client = await registerClient(device)
  await device.post('/oauth2/update-client', { clientId: client.client_id, disabled: true })
  await device.post('/revoke-sessions', { applications: true })
  expect((await rowsOf('jobs')).filter(({ kind }) => kind === 'ended-token')).toEqual([])
  expect((await app.device().get('/oauth2/ended-tokens')).body).toMatchObject({ ended: [], keep: 3660 })
})

describe('an agent', () => {
  it('that is paused: its tokens and those through it are refused 5 seconds later, that of the user is not', async () => {
    const set = await scene()
    const { token } = await set.authorized()
    const [buyer, helper] = [await set.agent('Buyer'), await set.agent('Helper')]
    const first = await set.exchanged(buyer, token)
    const through = await set.exchanged(helper, first)
    const own = await set.exchanged(helper, token)
    expect(await Promise.all([token, first, through, own].map((token) => set.isAccepted(token)))).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect((await set.setState(buyer.clientId, 'paused')).status).toBe(200)
    pass(5)
    expect(await Promise.all([token, first, through, own].map((token) => set.isAccepted(token)))).toEqual([
      true,
      false,
      false,
      true,
    ])
    await set.setState(buyer.clientId, 'active')
    pass(5)
    expect(await set.isAccepted(await set.exchanged(buyer, token))).toBe(true)
    await set.setState(buyer.clientId, 'revoked')
    pass(5)
    expect(await Promise.all([token, own].map((token) => set.isAccepted(token)))).toEqual([true, true])
  })

  it('that expires: its tokens end with it', async () => {
    const set = await scene()
    const short = await set.agent('Short', { days: 1 })
    pass(86_400 - 600)
    await set.device.post('/step-up', { password: alice.password })
    const token = await set.exchanged(short, (await set.authorized()).token)
    expect(await set.isAccepted(token)).toBe(true)
    pass(601)
    expect(await set.isAccepted(token)).toBe(false)
  })
})

describe('if the list does not answer', () => {
  it('a token is believed for 30 seconds, then the issuer is asked; without an answer the caller is unknown', async () => {
    const set = await scene()
    const { token } = await set.authorized()
    expect(await set.isAccepted(token)).toBe(true)
    set.faults.outage('ENDED_SESSIONS')
    pass(29)
    expect(await set.isAccepted(token)).toBe(true)
    expect(set.asked).not.toContain('/oauth2/token-status')
    pass(2)
    expect(await set.isAccepted(token)).toBe(true)
    expect(set.asked.at(-1)).toBe('/oauth2/token-status')
    await postForm(set.app, '/oauth2/revoke', { token }, basic(set.client))
    expect(await set.isAccepted(token)).toBe(false)
    const status = await set.app.device().post('/oauth2/token-status', { token: 'opaque' })
    expect(status.body).toEqual({ active: false })
  })
})
