import { sql } from 'drizzle-orm'
import { maxLines } from '../../features/agents/agents.table.ts'
import { maxServices } from '../../features/agents/services/services.store.ts'
import { identityProviderOptions } from '../../features/identity-provider/identity-provider.config.ts'
import { maxDailyRefreshes, maxRefreshes } from '../../features/identity-provider/model/grants/tokens.store.ts'
import { maxResources } from '../../features/identity-provider/model/protocol/resources.table.ts'
import { administrator } from '../admins.ts'
import { createAgent } from '../agents.ts'
import type { Device, TestApp } from '../harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  basic,
  callback,
  codeOf,
  exchange,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../oauth.ts'
import { company, someone } from '../organizations.ts'
import { OAuthProvider } from '../outside/oauth-provider.ts'
import { google } from '../outside/social/google.ts'
import { walk } from '../outside/walk.ts'
import { deleteRows, rowOf, updateRows } from '../rows.ts'
import { backEnd } from '../server-keys.ts'
import {
  type Bound,
  type Bounds,
  daily,
  insertCopies,
  post,
  spendCounter,
  spendDay,
  tooMany,
  written,
} from './bounds.ts'

/** Bounds of OAuth clients, agents, services and tokens. */

const { clientsPerUser, agentsPerOwner, anonymousClientsPerAddress } = identityProviderOptions.defaults

const shop = 'https://shop.example.com'
const withShop = { identityProvider: { resources: [{ identifier: shop, scopes: { buy: 'Buy' } }] } }
const perOrganization = 5
const resourcesOn = { identityProvider: { resourcesPerOrganization: perOrganization } }

const clientRow = {
  ...{ id: 'c#', clientId: 'c#', name: 'C', redirectURLs: [], type: 'web' as const },
  ...{ authenticationScheme: 'none' as const, registration: { grant_types: [], response_types: [] } },
  ...written(),
}
const agentRow = {
  ...clientRow,
  agent: { purpose: 'P', access: {}, callsPerDay: 1, unitsPerDay: 1 },
  state: 'active' as const,
  expiresAt: new Date(9_000_000_000_000),
}
const resourceRow = {
  ...{ id: 'r#', identifier: 'https://r#.example.com', name: 'R', scopes: {}, introspectedBy: [] },
  ...written(),
}
const resource = (n: number) => ({
  ...{ identifier: `https://new-${n}.example.com`, name: 'N', scopes: { [`scope-${n}`]: 'See' } },
  ...{ accessTokenExpiresIn: null, introspectedBy: [] },
})

/** What an administrator creates up to a maximum of the deployment. */
const ofAdministrator = (
  path: `/${string}`,
  max: number,
  code: string,
  fillTo: (have: number, device: Device) => Promise<void>,
  body: (n: number) => object,
): Bound => ({
  by: `an administrator: POST ${path}`,
  max,
  per: 'deployment',
  config: withShop,
  beyond: { status: 403, code },
  async reach(app, have) {
    const { device } = await administrator(app)
    await fillTo(have, device)
    return post(device, path, body)
  },
})

const newAgent = () => ({ name: 'Buyer', purpose: 'Buys paper', access: { [shop]: ['buy'] } })

/** A user, a client of them, and the codes that the user gives to it. */
async function withClient(app: TestApp) {
  const user = await someone(app, 'Max')
  const client = await registerClient(user.device)
  const request = authorizationRequest(client, { scope: 'openid offline_access', prompt: 'consent' })
  const code = async () => codeOf(await agree(user.device, request))
  return { ...user, client, code }
}

const refreshWith = (app: TestApp, client: RegisteredClient, token: string) =>
  postForm(app, '/oauth2/token', { grant_type: 'refresh_token', refresh_token: token }, basic(client))

/** Each call uses the refresh token of the one before. */
function refreshing(app: TestApp, client: RegisteredClient, first: string) {
  let token = first
  return async () => {
    const answer = await refreshWith(app, client, token)
    if (answer.status === 200) token = answer.body.refresh_token
    return answer
  }
}

const atGoogle = new OAuthProvider(google)

export const clientBounds: Bounds = {
  oauth_applications: [
    {
      by: 'a user: POST /oauth2/register',
      max: clientsPerUser!,
      per: 'user',
      beyond: { status: 403, code: 'access_denied' },
      async reach(app, have) {
        const { id, device } = await someone(app, 'Max')
        await insertCopies('oauth_applications', have, { ...clientRow, userId: id })
        return post(device, '/oauth2/register', () => ({ redirect_uris: [callback] }))
      },
    },
    ...(['/oauth2/register', '/mcp/register'] as const).map(
      (path): Bound => ({
        by: `a visitor: POST ${path}`,
        max: anonymousClientsPerAddress.max,
        per: `address and ${anonymousClientsPerAddress.window} s`,
        config: { mcp: { enabled: true }, identityProvider: { allowDynamicClientRegistration: true } },
        beyond: tooMany,
        async reach(app, have) {
          const { ip } = app.device()
          await spendCounter(`clients:address:${ip}`, anonymousClientsPerAddress, have)
          return () => app.device(ip).post(path, { redirect_uris: [callback] })
        },
      }),
    ),
    {
      by: 'a user: POST /agents/create',
      max: agentsPerOwner!,
      per: 'user',
      config: withShop,
      beyond: { status: 403, code: 'AGENT_LIMIT_REACHED' },
      async reach(app, have) {
        const { id, device } = await someone(app, 'Max')
        await insertCopies('oauth_applications', have, { ...agentRow, userId: id })
        return post(device, '/agents/create', newAgent)
      },
    },
    {
      by: 'an owner: POST /agents/create',
      max: agentsPerOwner!,
      per: 'organization',
      config: withShop,
      beyond: { status: 403, code: 'AGENT_LIMIT_REACHED' },
      async reach(app, have) {
        const { id, owner } = await company(app, 'acme')
        await insertCopies('oauth_applications', have, { ...agentRow, organizationId: id })
        return post(owner.device, '/agents/create', () => ({ ...newAgent(), organizationId: id }))
      },
    },
    ofAdministrator(
      '/admin/create-service',
      maxServices,
      'SERVICE_LIMIT_REACHED',
      (have) =>
        insertCopies('oauth_applications', have, {
          ...clientRow,
          service: { access: {}, limit: { max: 1, window: 1 }, requireDPoP: false, workloads: [] } as never,
        }),
      (n) => ({ name: `Job ${n}`, access: { [shop]: ['buy'] } }),
    ),
  ],
  oauth_resources: [
    ofAdministrator(
      '/admin/create-resource',
      maxResources.deployment,
      'RESOURCE_LIMIT_REACHED',
      (have) => insertCopies('oauth_resources', have, resourceRow),
      resource,
    ),
    {
      by: 'an owner: POST /organization/create-resource',
      max: perOrganization,
      per: 'organization (identityProvider.resourcesPerOrganization)',
      config: resourcesOn,
      beyond: { status: 403, code: 'RESOURCE_LIMIT_REACHED' },
      async reach(app, have) {
        const { id, owner } = await company(app, 'acme')
        await insertCopies('oauth_resources', have, { ...resourceRow, organizationId: id })
        return post(owner.device, '/organization/create-resource', (n) => ({
          ...resource(n),
          ...{ organizationId: id, identifier: `files-${n}` },
        }))
      },
    },
    {
      by: 'an owner: POST /organization/create-resource',
      max: maxResources.organizations,
      per: 'deployment',
      config: resourcesOn,
      beyond: { status: 403, code: 'RESOURCE_LIMIT_REACHED' },
      async reach(app, have) {
        const { id, owner } = await company(app, 'acme')
        await insertCopies('oauth_resources', have, { ...resourceRow, organizationId: 'other' })
        return post(owner.device, '/organization/create-resource', (n) => ({
          ...resource(n),
          ...{ organizationId: id, identifier: `files-${n}` },
        }))
      },
    },
  ],
  oauth_access_tokens: [
    {
      by: 'a client: POST /oauth2/token with codes',
      max: daily.client,
      per: 'user and day',
      beyond: tooMany,
      async reach(app, have) {
        const { id, client, code } = await withClient(app)
        const codes = [await code(), await code()]
        await spendDay(`client:${id}`, have)
        return (n) => exchange(app, client, codes[n - 1]!)
      },
    },
    {
      by: 'a client: POST /oauth2/token with refresh tokens',
      max: maxRefreshes,
      per: 'authorization and 10 minutes',
      beyond: { status: 429, code: 'slow_down' },
      async reach(app, have) {
        const { client, code } = await withClient(app)
        const { body } = await exchange(app, client, await code())
        const row = (await rowOf('oauth_access_tokens'))!
        // The first pair counts too.
        const copy = { ...row, id: 't#', accessToken: 'a#', refreshToken: 'r#' }
        await insertCopies('oauth_access_tokens', have - 1, copy)
        return refreshing(app, client, body.refresh_token)
      },
    },
    {
      by: 'a client: POST /oauth2/token with refresh tokens',
      max: maxDailyRefreshes,
      per: 'user, client and day',
      beyond: { status: 429, code: 'slow_down' },
      async reach(app, have) {
        const { id, client, code } = await withClient(app)
        const { body } = await exchange(app, client, await code())
        await spendDay(`refreshes:${client.client_id}:${id}`, have)
        return refreshing(app, client, body.refresh_token)
      },
    },
  ],
  oauth_service_tokens: [
    {
      by: 'a service: POST /oauth2/token',
      max: 60,
      per: 'service and minute (its limit)',
      config: withShop,
      beyond: { status: 429, code: 'slow_down' },
      async reach(app, have) {
        const { device } = await administrator(app)
        const given = { name: 'Job', access: { [shop]: ['buy'] }, limit: { max: 60, window: 60 } }
        const { body } = await device.post('/admin/create-service', given)
        const { clientId } = body.service
        await spendCounter(`service-tokens:${clientId}`, given.limit, have)
        const by = basic({ client_id: clientId, client_secret: body.clientSecret })
        return () => postForm(app, '/oauth2/token', { grant_type: 'client_credentials', resource: shop }, by)
      },
    },
  ],
  oauth_consents: [
    {
      by: 'a user: POST /oauth2/consent',
      max: 1,
      per: 'user and client',
      beyond: 'none',
      async reach(app) {
        const { device } = await someone(app, 'Max')
        const client = await registerClient(device)
        const request = authorizationRequest(client, { prompt: 'consent' })
        const consent = async () => {
          await authorize(device, request)
          return device.post('/oauth2/consent', { accept: true })
        }
        await consent()
        return consent
      },
    },
    {
      by: 'a user: POST /oauth2/consent',
      max: daily.user,
      per: 'user and day',
      beyond: tooMany,
      async reach(app, have) {
        const { device, id } = await someone(app, 'Max')
        const clients = [await registerClient(device), await registerClient(device)]
        await spendDay(`user:${id}`, have)
        return async (n) => {
          await authorize(device, authorizationRequest(clients[n - 1]!))
          return device.post('/oauth2/consent', { accept: true })
        }
      },
    },
  ],
  oauth_provider_grants: [
    {
      by: 'a user: POST /agents/allow-provider',
      max: 1,
      per: 'agent and provider of a user',
      config: {
        socialProviders: { google: atGoogle.options },
        identityProvider: { ...withShop.identityProvider, agentProviders: { google: { email: 'See your address' } } },
      },
      beyond: 'none',
      async reach(app) {
        atGoogle.install()
        const device = app.device()
        await walk(device, atGoogle)
        const { clientId } = await createAgent(device, { [shop]: ['buy'] })
        const { id: accountId, scope } = (await rowOf('accounts'))!
        const scopes = scope!.split(/[ ,]/)
        const allow = () => device.post('/agents/allow-provider', { clientId, accountId, scopes })
        await allow()
        return allow
      },
    },
  ],
  agent_activity: [
    {
      by: 'a server key: record-agent-use',
      max: maxLines,
      per: 'agent',
      config: withShop,
      beyond: 'none',
      async reach(app, have) {
        const { device } = await someone(app, 'Max')
        const { clientId } = await createAgent(device, { [shop]: ['buy'] })
        const { call } = await backEnd(app)
        await deleteRows('agent_activity')
        await insertCopies('agent_activity', have, { id: 'l#', clientId, event: 'use', createdAt: new Date(1) })
        // Lines of the same millisecond are deleted together.
        await updateRows('agent_activity', { createdAt: sql`${Date.now() - 10_000} + rowid` })
        return () => call('recordAgentUse', { clientId, units: 1, action: 'buys' })
      },
    },
  ],
}
