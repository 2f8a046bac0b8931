import { exportJWK, generateKeyPair } from 'jose'
import * as openid from 'openid-client'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { administrator, auditRows } from '../../testing/admins.ts'
import { createAgent, exchangeToken, type TestAgent } from '../../testing/agents.ts'
import { type Device, env, TestApp } from '../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  basic,
  callback,
  claimsIn,
  codeOf,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../testing/oauth.ts'
import { openidClient } from '../../testing/openid-client.ts'
import { colleague, company, someone } from '../../testing/organizations.ts'
import { alice, signIn, signUp } from '../../testing/people.ts'
import { rowsOf, storedRows } from '../../testing/rows.ts'
import { exchangeGrantType, tokenTypes } from '../identity-provider/model/clients/client.ts'
import { maxChain } from '../identity-provider/model/grants/chain.ts'

const shop = 'https://shop.example.com'
const mail = 'https://mail.example.com'
const names = ['read', 'write', 'pay', 'refund', 'export']
const settings: Config = {
  rateLimit: { enabled: false },
  identityProvider: {
    resources: [
      { identifier: shop, scopes: Object.fromEntries(names.map((name) => [name, `May ${name}`])), tokenFormat: 'jwt' },
      { identifier: mail, scopes: { send: 'Send mail' } },
    ],
  },
}

let app: TestApp
let device: Device
let client: RegisteredClient
beforeEach(async () => {
  app = new TestApp(settings)
  device = await signUp(app, alice)
  client = await registerClient(device)
})

const bodyOf = (access: Record<string, string[]>, more: object = {}) => ({
  ...{ name: 'Buyer', purpose: 'Buys office supplies', access },
  ...more,
})

/** Creates an agent of the user of a device. */
const agent = (access: Record<string, string[]>, more: object = {}, by = device) =>
  createAgent(by, access, { purpose: 'Buys office supplies', ...more })

/** A token of the user for a client at a resource. */
async function userToken(scope: string, resource = shop, by = device): Promise<string> {
  const code = codeOf(await agree(by, authorizationRequest(client, { scope, resource, prompt: 'consent' })))
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return (await postForm(app, '/oauth2/token', form, basic(client))).body.access_token
}

const exchange = (by: TestAgent, token: string, more: Record<string, string> = {}) =>
  exchangeToken(app, by, token, more)

const delegated = async (by: TestAgent, token: string, more: Record<string, string> = {}): Promise<string> => {
  const { status, body } = await exchange(by, token, more)
  expect({ status, body: status === 200 ? null : body }).toEqual({ status: 200, body: null })
  return body.access_token
}

const validate = (token: string, resource = shop) => app.serverApi().validateToken(resource, token)
const setState = (by: TestAgent, state: string) => device.post('/agents/set-state', { clientId: by.clientId, state })
const refusedWith = async (answer: Promise<{ status: number; body: any }>) => {
  const { status, body } = await answer
  return { status, error: body.error }
}

describe('an agent', () => {
  it('is created with a secret that is shown once, listed with what it may do, and counted', async () => {
    const { clientId, clientSecret } = await agent({ [shop]: ['read', 'pay'] }, { days: 7, callsPerDay: 3 })
    expect(clientSecret).toMatch(/^.{32}$/)
    const { body } = await device.get('/agents/list')
    expect(body).toEqual([
      expect.objectContaining({
        ...{ clientId, name: 'Buyer', purpose: 'Buys office supplies', state: 'active', callsPerDay: 3 },
        access: { [shop]: ['read', 'pay'] },
      }),
    ])
    expect(JSON.stringify([body, await rowsOf('oauth_applications')])).not.toContain(clientSecret)
    // It does not belong to the developer, whose endpoints must not change it.
    expect((await device.get('/oauth2/clients')).body.map((one: { clientId: string }) => one.clientId)).toEqual([
      client.client_id,
    ])
    expect((await device.post('/oauth2/rotate-client-secret', { clientId })).status).toBe(404)
    expect(
      (await device.get('/agents/resources')).body.resources.map((one: { resource: string }) => one.resource),
    ).toEqual([shop, mail])
  })

  it('needs scopes of configured resources, and a name of its own', async () => {
    const refused = async (body: object) => (await device.post('/agents/create', body)).body.code
    expect(await refused(bodyOf({}))).toBe('INVALID_AGENT_ACCESS')
    expect(await refused(bodyOf({ [shop]: [] }))).toBe('INVALID_AGENT_ACCESS')
    expect(await refused(bodyOf({ [shop]: ['send'] }))).toBe('INVALID_AGENT_ACCESS')
    expect(await refused(bodyOf({ 'https://other.example.com': ['read'] }))).toBe('INVALID_AGENT_ACCESS')
    expect(await refused(bodyOf({ [shop]: ['read'] }, { name: 'Gatehouse Support' }))).toBe('INVALID_AGENT_NAME')
  })

  it('acts for its owner: openid-client exchanges a token, whose `act` names the agent', async () => {
    const made = await agent({ [shop]: ['read', 'pay'] })
    const config = await openidClient(app, made.clientId, made.clientSecret)
    const subject = await userToken('read write')
    const tokens = await openid.genericGrantRequest(config, exchangeGrantType, {
      subject_token: subject,
      subject_token_type: tokenTypes.access,
    })
    expect(tokens).toMatchObject({ scope: 'read', issued_token_type: tokenTypes.access })
    expect(tokens.refresh_token).toBeUndefined()
    const { sub } = claimsIn(subject)
    expect(claimsIn(tokens.access_token)).toMatchObject({ sub, act: { sub: made.clientId }, client_id: made.clientId })
    expect((await openid.tokenIntrospection(config, tokens.access_token)).act).toEqual({ sub: made.clientId })
    expect(await validate(tokens.access_token)).toMatchObject({
      props: { sub, kind: 'user', scope: ['read'], actors: [made.clientId] },
    })
    const { body } = await device.get('/agents/activity', { query: { clientId: made.clientId } })
    expect(body.lines.map(({ event, scopes }: { event: string; scopes: string[] }) => [event, scopes])).toEqual([
      ['token', ['read']],
      ['created', []],
    ])
  })

  it('authenticates with a key in place of a secret, by its key set', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }
    const given = bodyOf({ [shop]: ['read'] }, { jwks: { keys: [jwk] } })
    const { body } = await device.post('/agents/create', given)
    expect(body).toMatchObject({ clientSecret: null, agent: { credential: 'key' } })
    const key = openid.PrivateKeyJwt({ key: privateKey, kid: 'k1' })
    const config = await openidClient(app, body.agent.clientId, {}, key)
    const subject = { subject_token: await userToken('read'), subject_token_type: tokenTypes.access }
    expect(await openid.genericGrantRequest(config, exchangeGrantType, subject)).toMatchObject({ scope: 'read' })
    // The client id alone, or a secret, does not authenticate.
    const id = { client_id: body.agent.clientId }
    for (const form of [id, { ...id, client_secret: 'x' }]) {
      const answer = postForm(app, '/oauth2/token', { grant_type: exchangeGrantType, ...subject, ...form })
      expect(await refusedWith(answer)).toEqual({ status: 401, error: 'invalid_client' })
    }
    const refused = async (more: object) => {
      const answer = await device.post('/agents/create', bodyOf({ [shop]: ['read'] }, more))
      return answer.body.code
    }
    const privateJwk = { ...jwk, ...(await exportJWK(privateKey)) }
    expect(await refused({ jwks: { keys: [privateJwk] } })).toBe('INVALID_AGENT_KEYS')
    expect(await refused({ jwks: { keys: ['k'] } })).toBe('VALIDATION_ERROR')
    expect(await refused({ jwksUri: 'http://keys.example.com/' })).toBe('INVALID_AGENT_KEYS')
    expect(await refused({ jwks: { keys: [jwk] }, jwksUri: 'https://keys.example.com/' })).toBe('INVALID_AGENT_KEYS')
    const profile = new TestApp({
      ...settings,
      identityProvider: { ...settings.identityProvider, securityProfile: 'fapi2' },
    })
    const user = await signIn(profile, alice)
    expect((await user.post('/agents/create', bodyOf({ [shop]: ['read'] }))).body.code).toBe('INVALID_AGENT_KEYS')
    expect((await user.post('/agents/create', given)).status).toBe(200)
  })

  it('of an organization acts for members who allow it, and only its managers see and change it', async () => {
    const stranger = await someone(app, 'Sam')
    const at = await company(app, 'acme')
    const { id: organizationId, owner } = at
    const member = await colleague(app, at, 'Mia')
    const made = await agent({ [mail]: ['send'] }, { organizationId }, owner.device)
    expect(
      (await member.device.post('/agents/create', bodyOf({ [mail]: ['send'] }, { organizationId }))).body.code,
    ).toBe('ORGANIZATION_REFUSES_AGENT')
    const list = async (by: Device) => (await by.get('/agents/list', { query: { organizationId } })).body.length
    expect([await list(owner.device), await list(member.device), await list(stranger.device)]).toEqual([1, 0, 0])
    client = await registerClient(device)
    const token = await userToken('send', mail, member.device)
    expect(await refusedWith(exchange(made, token))).toEqual({ status: 400, error: 'access_denied' })
    const { clientId } = made
    expect((await stranger.device.post('/agents/allow', { clientId })).status).toBe(404)
    expect((await member.device.post('/agents/allow', { clientId })).status).toBe(200)
    const derived = await delegated(made, token)
    expect(await validate(derived, mail)).toMatchObject({ scope: ['send'] })
    expect((await member.device.post('/agents/set-state', { clientId, state: 'paused' })).status).toBe(404)
    // The member withdraws: the token ends with the connection.
    expect((await member.device.post('/oauth2/delete-connection', { clientId })).status).toBe(200)
    expect(await validate(derived, mail)).toBeNull()
  })

  it('paused, resumed, revoked and expired: the states are effective at once', async () => {
    const made = await agent({ [shop]: ['read'] }, { days: 1 })
    const subject = await userToken('read')
    const derived = await delegated(made, subject)
    expect((await setState(made, 'paused')).body.state).toBe('paused')
    expect(await validate(derived)).toBeNull()
    expect(await refusedWith(exchange(made, subject))).toEqual({ status: 401, error: 'invalid_client' })
    await setState(made, 'active')
    expect(await validate(derived)).not.toBeNull()
    expect(await app.serverApi().setAgentState({ clientId: made.clientId, state: 'revoked' })).toMatchObject({
      result: { state: 'revoked' },
    })
    expect(await validate(derived)).toBeNull()
    expect((await setState(made, 'active')).status).toBe(404)
    const short = await agent({ [shop]: ['read'] }, { days: 1 })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 })
    expect(await refusedWith(exchange(short, subject))).toEqual({ status: 401, error: 'invalid_client' })
    vi.useRealTimers()
  })

  it('has a budget of calls and of cost units, which are counted exactly', async () => {
    const made = await agent({ [shop]: ['read'] }, { callsPerDay: 3, unitsPerDay: 10 })
    const subject = await userToken('read')
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(made, subject)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({ status: 429, body: { error: 'slow_down' } })
    const { clientId } = made
    const use = (units: number) => app.serverApi().recordAgentUse({ clientId, units, action: 'Bought paper' })
    expect(await use(7)).toEqual({ ok: true, result: { unitsLeft: 3 } })
    expect(await use(4)).toMatchObject({ ok: false, code: 'AGENT_BUDGET_USED' })
    expect(await use(3)).toEqual({ ok: true, result: { unitsLeft: 0 } })
    await setState(made, 'paused')
    expect(await use(0)).toMatchObject({ ok: false, code: 'AGENT_NOT_FOUND' })
  })
})

describe('administrators', () => {
  it('find an agent by a part of its name among the 5,000 newest, and each by its client id, in at most 30,000 rows', async () => {
    const first = await agent({ [shop]: ['read'] }, { name: 'Zebra' })
    const root = (await administrator(app)).device
    const search = async (text: string) => {
      const { body, rows } = await root.get('/admin/list-agents', { query: { search: text } })
      return { names: body.map(({ name }: { name: string }) => name), isCheap: rows.read < 30_000 }
    }
    expect(await search('zEBR')).toEqual({ names: ['Zebra'], isCheap: true })
    const columns = Object.keys((await storedRows('oauth_applications'))[0]!)
    const values: Record<string, string> = {
      client_id: "'c' || n",
      name: "'Other'",
      created_at: 'created_at + n',
      id: "'c' || n",
    }
    await env.DB.prepare(
      `insert into oauth_applications (${columns.join(', ')})
       with recursive counter (n) as (select 1 union all select n + 1 from counter where n < 5000)
       select ${columns.map((name) => values[name] ?? name).join(', ')}
       from (select * from oauth_applications where client_id = ?), counter`,
    )
      .bind(first.clientId)
      .run()
    expect(await search('zEBR')).toEqual({ names: [], isCheap: true })
    expect(await search(first.clientId)).toEqual({ names: ['Zebra'], isCheap: true })
  })

  it('see all agents with their owners and what they did, pause and revoke them; others do not', async () => {
    const at = await company(app, 'acme')
    const own = await agent({ [shop]: ['read'] })
    const shared = await agent({ [mail]: ['send'] }, { organizationId: at.id, name: 'Mailer' }, at.owner.device)
    const root = (await administrator(app)).device
    const { body } = await root.get('/admin/list-agents')
    expect(body.map(({ clientId, ownerName }: any) => [clientId, ownerName])).toEqual([
      [shared.clientId, 'ACME'],
      [own.clientId, alice.name],
    ])
    const { clientId } = own
    expect((await root.get('/admin/agent-activity', { query: { clientId } })).body.lines[0].event).toBe('created')
    const token = await delegated(own, await userToken('read'))
    const change = async (state: string, by = root) =>
      (await by.post('/admin/set-agent-state', { clientId, state })).status
    expect(await change('paused', device)).toBe(403)
    expect((await device.get('/admin/list-agents')).status).toBe(403)
    expect((await device.get('/admin/list-resources')).status).toBe(403)
    expect(await change('paused')).toBe(200)
    expect(await app.serverApi().validateToken(shop, token)).toBeNull()
    expect((await device.get('/agents/list')).body[0].state).toBe('paused')
    expect(await change('revoked')).toBe(200)
    expect(await change('active')).toBe(404)
    const changes = (await auditRows()).filter(({ action }: any) => action.endsWith('set-agent-state'))
    expect(changes.map(({ action, subject_id }: any) => [action, subject_id])).toEqual([
      ['set-agent-state', clientId],
      ['set-agent-state', clientId],
    ])
  })

  it('see the resources and services of the configuration without secrets', async () => {
    const secret = 'a secret of the configuration, 32+ chars'
    const services = [
      { clientId: 'job', clientSecret: secret, access: { [mail]: ['send'] } },
      { clientId: 'ci', workloads: [{ issuer: 'https://ci.example', claims: { repo: 'a' } }], access: { [mail]: [] } },
    ]
    const configured = { ...settings.identityProvider, services, resourceServers: { job: [mail] } }
    const { body } = await (await administrator(new TestApp({ identityProvider: configured } as Config))).device.get(
      '/admin/list-resources',
    )
    expect(body.resources[1]).toEqual({
      ...{ id: null, name: null, organization: null, ownLifetime: null, claims: [] },
      ...{ identifier: mail, scopes: { send: 'Send mail' }, tokenFormat: 'opaque', addsClaims: false },
      ...{ accessTokenExpiresIn: 3600, introspectedBy: ['job'] },
    })
    expect(body.services).toMatchObject([
      {
        clientId: 'job',
        name: 'job',
        credential: 'secret',
        access: { [mail]: ['send'] },
        limit: { max: 60, window: 60 },
      },
      { clientId: 'ci', credential: 'workload', issuers: ['https://ci.example'] },
    ])
    expect(JSON.stringify(body)).not.toContain(secret)
  })
})

it('members see the active agents of their organizations, and which of them may act for them', async () => {
  const at = await company(app, 'acme')
  const { clientId } = await agent({ [shop]: ['read'] }, { organizationId: at.id }, at.owner.device)
  const member = await colleague(app, at, 'Carol')
  const shared = async () => (await member.device.get('/agents/shared')).body
  expect(await shared()).toMatchObject([{ clientId, organizationName: 'ACME', allowed: false }])
  await member.device.post('/agents/allow', { clientId })
  expect(await shared()).toMatchObject([{ clientId, allowed: true }])
  expect((await device.get('/agents/shared')).body).toEqual([])
  await at.owner.device.post('/agents/set-state', { clientId, state: 'paused' })
  expect(await shared()).toEqual([])
})

describe('a token exchange is refused', () => {
  it.each<[string, () => Promise<{ status: number; body: any }>, string]>([
    [
      'for a resource of which the agent has no scope',
      async () => exchange(await agent({ [mail]: ['send'] }), await userToken('read')),
      'invalid_target',
    ],
    [
      'for another resource than that of the token',
      async () =>
        exchange(await agent({ [shop]: ['read'], [mail]: ['send'] }), await userToken('read'), { resource: mail }),
      'invalid_target',
    ],
    [
      'for another audience than that of the token',
      async () => exchange(await agent({ [shop]: ['read'] }), await userToken('read'), { audience: mail }),
      'invalid_target',
    ],
    [
      'for a token of this server itself',
      async () => {
        const code = codeOf(await agree(device, authorizationRequest(client)))
        const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
        const { body } = await postForm(app, '/oauth2/token', form, basic(client))
        return exchange(await agent({ [shop]: ['read'] }), body.access_token)
      },
      'invalid_target',
    ],
    [
      'for more than the user has granted',
      async () => exchange(await agent({ [shop]: ['read', 'pay'] }), await userToken('read'), { scope: 'read pay' }),
      'invalid_scope',
    ],
    [
      'for more than the agent may',
      async () => exchange(await agent({ [shop]: ['read'] }), await userToken('read pay'), { scope: 'pay' }),
      'invalid_scope',
    ],
    [
      'without a common scope',
      async () => exchange(await agent({ [shop]: ['read'] }), await userToken('pay')),
      'invalid_scope',
    ],
    [
      'for an agent of another user',
      async () => {
        const other = await someone(app, 'Bob')
        return exchange(await agent({ [shop]: ['read'] }, {}, other.device), await userToken('read'))
      },
      'access_denied',
    ],
    ['for an unknown token', async () => exchange(await agent({ [shop]: ['read'] }), 'unknown'), 'invalid_grant'],
    [
      'for another type of token',
      async () =>
        exchange(await agent({ [shop]: ['read'] }), 'x', {
          subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        }),
      'invalid_request',
    ],
    [
      'with an actor that is not the client',
      async () => exchange(await agent({ [shop]: ['read'] }), 'x', { actor_token: 'y' }),
      'invalid_request',
    ],
  ])('%s', async (_what, act, error) => {
    const { status, body } = await act()
    expect({ status, error: body.error }).toEqual({ status: 400, error })
  })

  it('for a client that is not an agent', async () => {
    const form = { grant_type: exchangeGrantType, subject_token: 'x', subject_token_type: tokenTypes.access }
    expect((await postForm(app, '/oauth2/token', form, basic(client))).body.error).toBe('unauthorized_client')
  })

  it('beyond the maximum length of a chain', async () => {
    const made = await agent({ [shop]: ['read'] })
    let token = await userToken('read')
    for (let links = 0; links < maxChain; links++) token = await delegated(made, token)
    expect((await exchange(made, token)).body.error).toBe('invalid_grant')
  })
})

describe('a chain of agents', () => {
  it('nests `act`, and ends with any of its links', async () => {
    const [first, second] = [await agent({ [shop]: ['read', 'pay'] }), await agent({ [shop]: ['read', 'write'] })]
    const subject = await userToken('read write pay')
    const middle = await delegated(first, subject)
    const last = await delegated(second, middle)
    expect(claimsIn(last)).toMatchObject({ scope: 'read', act: { sub: second.clientId, act: { sub: first.clientId } } })
    expect((await validate(last))?.props.actors).toEqual([second.clientId, first.clientId])
    // The agent in the middle.
    await setState(first, 'paused')
    expect(await validate(last)).toBeNull()
    expect(await refusedWith(exchange(second, last))).toEqual({ status: 400, error: 'invalid_grant' })
    await setState(first, 'active')
    expect(await validate(last)).not.toBeNull()
    // The token in the middle, and that of the user.
    await postForm(app, '/oauth2/revoke', { token: middle }, first.by)
    expect(await validate(last)).toBeNull()
    const again = await delegated(second, await delegated(first, subject))
    expect(await validate(again)).not.toBeNull()
    await device.post('/oauth2/delete-connection', { clientId: client.client_id })
    expect(await validate(again)).toBeNull()
  })

  it('never has more than its user and each of its agents, over generated chains', async () => {
    let seed = 20_261_124
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
      return Math.floor((seed / 0x80000000) * below)
    }
    const some = () => names.filter(() => random(10) < 7)
    const agents: { made: TestAgent; scopes: string[] }[] = []
    for (let n = 0; n < 5; n++) {
      const scopes = ['read', ...some().filter((name) => name !== 'read')]
      agents.push({ made: await agent({ [shop]: scopes }), scopes })
    }
    const outcomes = { issued: 0, refused: 0 }
    for (let chains = 0; chains < 6; chains++) {
      const granted = ['read', ...some().filter((name) => name !== 'read')]
      let token = await userToken(granted.join(' '))
      let held = granted
      for (let links = 0; links < 4; links++) {
        const { made, scopes } = agents[random(agents.length)]!
        const limit = held.filter((name) => scopes.includes(name))
        const wanted = random(3) === 0 ? undefined : some()
        const asked: Record<string, string> = wanted && wanted.length > 0 ? { scope: wanted.join(' ') } : {}
        const { status, body } = await exchange(made, token, asked)
        const isMore = 'scope' in asked && wanted!.some((name) => !limit.includes(name))
        expect({ status, wanted, limit }).toEqual({ status: isMore ? 400 : 200, wanted, limit })
        if (isMore) {
          outcomes.refused++
          continue
        }
        outcomes.issued++
        held = (body.scope as string).split(' ')
        expect([...held].sort()).toEqual(('scope' in asked ? [...wanted!] : [...limit]).sort())
        token = body.access_token
        const seen = await validate(token)
        expect(seen?.scope).toEqual(held)
      }
    }
    expect(outcomes.issued).toBeGreaterThan(5)
    expect(outcomes.refused).toBeGreaterThan(3)
  })
})
