import { type Handlers, reading } from '../../../http/routes.ts'
import { pageOf } from '../../../kit/page.ts'
import { asResourceServer, identityProviderOptions } from '../identity-provider.config.ts'
import { words } from '../protocol/parameters.ts'
import type { agentsContract } from './agents.contract.ts'
import { selectActivity, selectAgents } from './agents.store.ts'
import { allowAgent, createAgent, presentAgent, rolesThatMay, setAgentState } from './agents.ts'

export const agentsHandlers: Handlers<typeof agentsContract> = {
  listAgents: reading(
    ({ scope, own, query }) => {
      const organizationId = query.organizationId ?? null
      const owner = { userId: own.userId, organizationId, roles: rolesThatMay(scope, 'read') }
      return { agents: selectAgents(scope.db, owner, pageOf(query)) }
    },
    ({ scope }, { agents }) => agents.map((row) => presentAgent(row, scope.now())),
  ),
  agentResources: ({ scope }) => ({
    resources: identityProviderOptions
      .of(scope)
      .resources.map(asResourceServer)
      .map(({ identifier, scopes }) => ({ resource: identifier, scopes })),
  }),
  createAgent: ({ scope, caller, body }) => createAgent(scope, caller, body),
  setAgentState: ({ scope, caller, body }) => setAgentState(scope, caller, body.clientId, body.state),
  allowAgent: async ({ scope, caller, body }) => {
    await allowAgent(scope, caller, body.clientId)
    return { status: true }
  },
  agentActivity: reading(
    ({ scope, own, query }) => {
      const managed = { userId: own.userId, roles: rolesThatMay(scope, 'read') }
      return { lines: selectActivity(scope.db, query.clientId, managed) }
    },
    (_call, { lines }) => ({
      lines: lines.map(({ clientId: _, scopes, through, ...line }) => ({
        ...line,
        scopes: words(scopes ?? undefined),
        through: words(through ?? undefined),
      })),
    }),
  ),
}
