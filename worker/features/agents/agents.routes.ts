import { type Handlers, reading } from '../../http/routes.ts'
import { pageOf } from '../../kit/page.ts'
import {
  readResources,
  resourceIdentifiers,
  resourceServers,
} from '../identity-provider/model/protocol/known-resources.ts'
import { openTo } from '../identity-provider/model/protocol/organization-resources.ts'
import { words } from '../identity-provider/model/protocol/parameters.ts'
import { normalResource } from '../identity-provider/model/protocol/urls.ts'
import type { agentsContract } from './agents.contract.ts'
import { selectActivity, selectAgents, selectAllAgents, selectSharedAgents } from './agents.store.ts'
import type { AgentActivity } from './agents.table.ts'
import { agentRolesThatMay, allowAgent, createAgent, presentAgent, setAgentState } from './agents.ts'

export const agentsHandlers: Handlers<typeof agentsContract> = {
  listAgents: reading(
    ({ scope, own, query }) => {
      const organizationId = query.organizationId ?? null
      const owner = { userId: own.userId, organizationId, roles: agentRolesThatMay(scope, 'read') }
      return { agents: selectAgents(scope.db, owner, pageOf(query)) }
    },
    ({ scope }, { agents }) => agents.map((row) => presentAgent(row, scope.now())),
  ),
  agentResources: async ({ scope, caller }) => {
    await readResources(scope)
    const servers = resourceServers(scope)
    const known = await openTo(scope, caller.user.id, resourceIdentifiers(scope).map(normalResource))
    const resources = servers
      .filter(({ identifier }) => known.includes(normalResource(identifier)))
      .map(({ identifier, scopes }) => ({ resource: identifier, scopes }))
    return { resources }
  },
  createAgent: ({ scope, caller, body }) => createAgent(scope, caller, body),
  setAgentState: ({ scope, caller, body }) => setAgentState(scope, caller, body.clientId, body.state),
  allowAgent: async ({ scope, caller, body }) => {
    await allowAgent(scope, caller, body.clientId)
    return { status: true }
  },
  sharedAgents: reading(
    ({ scope, own, query }) => ({ agents: selectSharedAgents(scope.db, own.userId, scope.now(), pageOf(query)) }),
    (_call, { agents }) =>
      agents.map(({ agent, consent, expiresAt, ...shown }) => {
        const { purpose, access } = agent!
        return { ...shown, purpose, access, expiresAt: expiresAt!, allowed: consent !== null }
      }),
  ),
  agentActivity: reading(
    ({ scope, own, query }) => {
      const managed = { userId: own.userId, roles: agentRolesThatMay(scope, 'read') }
      return { lines: selectActivity(scope.db, query.clientId, managed) }
    },
    (_call, { lines }) => presentActivity(lines),
  ),
  listAllAgents: reading(
    ({ scope, query }) => ({ agents: selectAllAgents(scope.db, pageOf(query), query.search) }),
    ({ scope }, { agents }) => agents.map(({ row, ownerName }) => ({ ...presentAgent(row, scope.now()), ownerName })),
  ),
  anyAgentActivity: reading(
    ({ scope, query }) => ({ lines: selectActivity(scope.db, query.clientId, null) }),
    (_call, { lines }) => presentActivity(lines),
  ),
  setAnyAgentState: ({ scope, caller, body }) =>
    setAgentState(scope, caller, body.clientId, body.state, 'administrator'),
}

const presentActivity = (lines: readonly AgentActivity[]) => ({
  lines: lines.map(({ clientId: _, scopes, through, ...line }) => ({
    ...line,
    scopes: words(scopes ?? undefined),
    through: words(through ?? undefined),
  })),
})
