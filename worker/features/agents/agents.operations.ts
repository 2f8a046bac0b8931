import * as z from 'zod'
import { operation } from '../../http/operations.ts'
import { listOf, pageOf, pageQuery } from '../../kit/page.ts'
import { identityProviderErrors as errors } from '../identity-provider/identity-provider.errors.ts'
import { agentAnswer, newState } from './agents.contract.ts'
import { selectAllAgents } from './agents.store.ts'
import { presentAgent, recordAgentUse, setAgentState } from './agents.ts'

const clientId = z.string().min(1).max(512)

export const agentsOperations = {
  listAgents: operation(
    {
      summary: 'Lists the agents of all users and organizations, newest first.',
      permission: 'clients:write',
      input: z.object(pageQuery),
      answer: z.object({ agents: listOf(agentAnswer) }),
      errors: [],
      budget: { d1: 1 },
      changes: [],
    },
    async (scope, page) => {
      const rows = await selectAllAgents(scope.db, pageOf(page))
      return { agents: rows.map(({ row }) => presentAgent(row, scope.now())) }
    },
  ),
  setAgentState: operation(
    {
      limits: { whenFull: 'secures' },
      summary:
        'Pauses, resumes or revokes an agent. Its tokens, and those of agents that act through it, are invalid at once while it is not active.',
      permission: 'clients:write',
      input: z.object({ clientId, state: newState }),
      answer: agentAnswer,
      errors: [errors.AGENT_NOT_FOUND],
      budget: { d1: 2 },
      changes: ['oauth-client'],
      audit: 'server.set-agent-state',
    },
    (scope, { clientId: id, state }) => setAgentState(scope, null, id, state),
  ),
  recordAgentUse: operation(
    {
      summary:
        'Records what an agent did and what it cost, in units, against its budget of the day. A use beyond the budget is refused.',
      permission: 'tokens:verify',
      input: z.object({
        clientId,
        units: z.number().int().min(0).max(1_000_000),
        action: z.string().trim().min(1).max(200),
      }),
      answer: z.object({ unitsLeft: z.number() }),
      errors: [errors.AGENT_NOT_FOUND, errors.AGENT_BUDGET_USED],
      budget: { d1: 2, durable: 1 },
      changes: ['oauth-client'],
      audit: 'server.record-agent-use',
    },
    recordAgentUse,
  ),
}
