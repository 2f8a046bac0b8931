import * as openid from 'openid-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAgent, type TestAgent } from '../../../testing/agents.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  basic,
  callback,
  codeOf,
  postForm,
  registerClient,
} from '../../../testing/oauth.ts'
import { openidClient } from '../../../testing/openid-client.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { google } from '../../../testing/outside/social/google.ts'
import { walk } from '../../../testing/outside/walk.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { count, rowOf, rowsOf, updateRows } from '../../../testing/rows.ts'
import { banUsers, expireAccessTokens } from '../../../testing/states.ts'
import { exchangeGrantType, tokenTypes } from '../../identity-provider/model/clients/client.ts'

const shop = 'https://shop.example.com'
const drive = 'https://www.googleapis.com/auth/drive'
const held = ['email', 'profile', 'openid', drive]

const offered = { google: { [drive]: 'See and change your files' } }

let provider: OAuthProvider
let app: TestApp
let device: Device
let printed: string[]

beforeEach(async () => {
  provider = new OAuthProvider(google).install()
  app = offering(offered)
  device = app.device()
  await walk(device, provider, { scopes: [drive] })
  printed = []
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...line) => void printed.push(JSON.stringify(line)))
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** @param agentProviders the scopes of providers that agents can have */
const offering = (agentProviders: Record<string, Record<string, string>>) =>
  new TestApp({
    rateLimit: { enabled: false },
    account: { accountLinking: { allowUnlinkingAll: true } },
    socialProviders: { google: provider.options },
    identityProvider: { resources: [{ identifier: shop, scopes: { read: 'See your orders' } }], agentProviders },
  })

const agent = (more: object = {}, by = device) => createAgent(by, { [shop]: ['read'] }, { name: 'Filer', ...more })

async function userToken(by = device): Promise<string> {
  const client = await registerClient(by)
  const code = codeOf(await agree(by, authorizationRequest(client, { scope: 'read', resource: shop })))
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return (await postForm(app, '/oauth2/token', form, basic(client))).body.access_token
}

const choices = async (by = device) => (await by.get('/agents/providers')).body
const allow = async ({ clientId }: TestAgent, scopes = held, by = device) =>
  by.post('/agents/allow-provider', { clientId, accountId: (await rowOf('accounts'))!.id, scopes })

/** An agent that may use the user's Google account. */
async function allowed(more: object = {}): Promise<TestAgent> {
  const made = await agent(more)
  expect((await allow(made)).body).toEqual({ status: true })
  return made
}

const parameters = (token: string, more: Record<string, string | undefined> = {}) => ({
  grant_type: exchangeGrantType,
  subject_token: token,
  subject_token_type: tokenTypes.access,
  requested_token_type: tokenTypes.provider,
  audience: 'google',
  ...more,
})
const exchange = (by: TestAgent, token: string, more: Record<string, string | undefined> = {}) =>
  postForm(app, '/oauth2/token', parameters(token, more), by.by)
const refusal = async (answer: ReturnType<typeof exchange>) => {
  const { status, body } = await answer
  return [status, body.error]
}
const refreshes = () => provider.requests.filter(({ form }) => form.get('grant_type') === 'refresh_token').length

describe('an agent with the consent of the user', () => {
  it("receives the provider's token: openid-client exchanges; the page shows the use, and no record has the token", async () => {
    expect(await choices()).toEqual({
      accounts: [{ id: expect.any(String), providerId: 'google', name: 'Google', scopes: held, withheld: [] }],
      words: { [drive]: 'See and change your files' },
      grants: [],
    })
    const made = await allowed()
    const config = await openidClient(app, made.clientId, made.clientSecret)
    const { grant_type: _, ...form } = parameters(await userToken(), { scope: drive })
    const tokens = await openid.genericGrantRequest(config, exchangeGrantType, form as Record<string, string>)
    expect(tokens).toMatchObject({
      access_token: 'google-access-2',
      token_type: 'bearer',
      scope: held.join(' '),
      issued_token_type: tokenTypes.access,
    })
    expect(tokens.expires_in).toBeGreaterThan(3500)
    expect(tokens.refresh_token).toBeUndefined()
    const { grants } = await choices()
    expect(grants).toEqual([
      expect.objectContaining({
        ...{ clientId: made.clientId, agent: 'Filer', providerId: 'google', name: 'Google', scopes: held },
        lastUsedAt: expect.any(String),
      }),
    ])
    const { body } = await device.get('/agents/activity', { query: { clientId: made.clientId } })
    expect(body.lines[0]).toMatchObject({ event: 'provider', resource: 'google', scopes: held })
    const stored = [await rowsOf('oauth_provider_grants'), await rowsOf('agent_activity'), await rowsOf('accounts')]
    const others = [await rowsOf('jobs'), await rowsOf('security_events')]
    expect(JSON.stringify([stored, others, printed, body, grants])).not.toContain('google-access')
  })

  it('of twenty parallel exchanges with an expired token one refreshes at the provider', async () => {
    const made = await allowed()
    const token = await userToken()
    await expireAccessTokens()
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(made, token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(1)
    expect(refreshes()).toBe(1)
  })

  it('accepts its own derived token, and no token of another agent', async () => {
    const [made, other] = [await allowed(), await agent()]
    const token = await userToken()
    const plain = { requested_token_type: undefined, audience: undefined }
    const own = (await exchange(made, token, plain)).body.access_token
    expect((await exchange(made, own)).status).toBe(200)
    const derived = (await exchange(other, token, plain)).body.access_token
    expect(await refusal(exchange(made, derived))).toEqual([400, 'access_denied'])
  })
})

describe('a token of a provider is refused', () => {
  it.each<[string, () => Promise<unknown>, unknown[]]>([
    [
      'to an agent that is not allowed',
      async () => refusal(exchange(await agent(), await userToken())),
      [400, 'access_denied'],
    ],
    [
      'with more scopes than granted',
      async () =>
        refusal(exchange(await allowed(), await userToken(), { scope: 'https://www.googleapis.com/auth/gmail' })),
      [400, 'invalid_scope'],
    ],
    [
      "for another user's token",
      async () => refusal(exchange(await allowed(), await userToken(await signUp(app, alice)))),
      [400, 'access_denied'],
    ],
    [
      'of a provider that agents do not get',
      async () => refusal(exchange(await allowed(), await userToken(), { audience: 'github' })),
      [400, 'invalid_target'],
    ],
    [
      'without the name of a provider',
      async () => refusal(exchange(await allowed(), await userToken(), { audience: undefined })),
      [400, 'invalid_request'],
    ],
    [
      'to a revoked agent, whose grants end',
      async () => {
        const [made, token] = [await allowed(), await userToken()]
        await device.post('/agents/set-state', { clientId: made.clientId, state: 'revoked' })
        return [...(await refusal(exchange(made, token))), await count('oauth_provider_grants')]
      },
      [401, 'invalid_client', 0],
    ],
    [
      'to an expired agent',
      async () => {
        const [made, token] = [await allowed({ days: 1 }), await userToken()]
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 })
        return refusal(exchange(made, token))
      },
      [401, 'invalid_client'],
    ],
    [
      'to an agent without budget',
      async () => {
        const [made, token] = [await allowed({ callsPerDay: 1 }), await userToken()]
        await exchange(made, token)
        return refusal(exchange(made, token))
      },
      [429, 'slow_down'],
    ],
    [
      'for a banned user',
      async () => {
        const [made, token] = [await allowed(), await userToken()]
        await banUsers()
        return refusal(exchange(made, token))
      },
      [400, 'invalid_grant'],
    ],
    [
      'after the user has ended it',
      async () => {
        const [made, token] = [await allowed(), await userToken()]
        const body = { clientId: made.clientId, providerId: 'google' }
        const ended = await device.post('/agents/end-provider', body)
        const again = await device.post('/agents/end-provider', body)
        return [ended.status, again.status, ...(await refusal(exchange(made, token)))]
      },
      [200, 404, 400, 'access_denied'],
    ],
    [
      'after the connection with the agent has ended',
      async () => {
        const [made, token] = [await allowed(), await userToken()]
        await device.post('/oauth2/delete-connection', { clientId: made.clientId })
        return [...(await refusal(exchange(made, token))), await count('oauth_provider_grants')]
      },
      [400, 'access_denied', 0],
    ],
    [
      'after the account is unlinked',
      async () => {
        const [made, token] = [await allowed(), await userToken()]
        const unlinked = await device.post('/unlink-account', { providerId: 'google' })
        return [unlinked.status, ...(await refusal(exchange(made, token))), await count('oauth_provider_grants')]
      },
      [200, 400, 'access_denied', 0],
    ],
    [
      'of an account that has received more scopes since',
      async () => {
        const [made, token] = [await allowed(), await userToken()]
        await updateRows('accounts', { scope: [...held, 'more'].join(',') })
        return refusal(exchange(made, token))
      },
      [400, 'access_denied'],
    ],
    [
      'with a scope that the deployment no longer offers, until it offers the scope again',
      async () => {
        const [made, token] = [await allowed(), await userToken()]
        app = offering({ google: {} })
        const withoutScope = await refusal(exchange(made, token))
        app = offering({})
        const withoutProvider = await refusal(exchange(made, token))
        app = offering(offered)
        return [withoutScope, withoutProvider, (await exchange(made, token)).status]
      },
      [[400, 'access_denied'], [400, 'invalid_target'], 200],
    ],
    [
      'that the provider does not renew',
      async () => {
        const [made, token] = [await allowed(), await userToken()]
        await updateRows('accounts', { accessToken: 'eyJ.garbage' })
        return refusal(exchange(made, token))
      },
      [400, 'invalid_target'],
    ],
  ])('%s', async (_what, act, expected) => {
    expect(await act()).toEqual(expected)
    expect(JSON.stringify(printed)).not.toContain('google-access')
  })
})

describe('/agents/allow-provider', () => {
  it('refuses other scopes than the account has, accounts of others, unknown agents, and what is not offered', async () => {
    const made = await agent()
    const other = await signUp(app, alice)
    expect((await allow(made, ['email'])).body.code).toBe('AGENT_PROVIDER_SCOPES_CHANGED')
    expect((await allow(made, held, other)).body.code).toBe('AGENT_ACCOUNT_NOT_FOUND')
    expect((await allow(await agent({}, other))).body.code).toBe('AGENT_NOT_FOUND')
    await updateRows('accounts', { scope: [...held, 'more'].join(',') }, { providerId: 'google' })
    expect((await choices()).accounts[0].withheld).toEqual(['more'])
    expect((await allow(made, [...held, 'more'])).body.code).toBe('AGENT_PROVIDER_NOT_OFFERED')
    expect(await count('oauth_provider_grants')).toBe(0)
  })
})
