import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { statusAnswer } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { listOf } from '../../../kit/page.ts'
import { seconds } from '../../../kit/time.ts'
import { identityProviderErrors as errors } from '../../identity-provider/identity-provider.errors.ts'

const clientId = z.string().min(1).max(512)
const providerId = z.string().min(1).max(256)

export const vaultContract = {
  agentProviders: get('/agents/providers', {
    summary: 'Lists the linked accounts whose tokens agents can use, and which agent of the caller may use which one',
    access: 'session',
    answer: z.object({
      accounts: listOf(
        z.object({
          id: z.string(),
          providerId: z.string(),
          name: z.string(),
          /** The scopes of its tokens. An agent gets all of them, because a token cannot be divided. */
          scopes: listOf(z.string()),
          /** Those that the deployment gives to no agent: while there is one, the account cannot be allowed. */
          withheld: listOf(z.string()),
        }),
      ),
      /** The configured words of scopes. */
      words: z.record(z.string(), z.string()),
      grants: listOf(
        z.object({
          clientId: z.string(),
          agent: z.string(),
          accountId: z.string(),
          providerId: z.string(),
          name: z.string(),
          scopes: listOf(z.string()),
          createdAt: z.date(),
          lastUsedAt: z.date().nullable(),
        }),
      ),
    }),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  allowProvider: post('/agents/allow-provider', {
    summary: 'Lets an agent that acts for the caller use the tokens of a linked account, until the caller ends it',
    access: 'recent-authentication',
    input: {
      body: z.object({
        clientId,
        /** `id` of an account in GET /agents/providers. */
        accountId: z.string().min(1).max(256),
        /** The scopes that the caller has seen: exactly those of the account. */
        scopes: z.array(z.string().min(1).max(500)).min(1).max(100),
      }),
    },
    answer: statusAnswer,
    errors: [
      core.UNAUTHORIZED,
      errors.AGENT_NOT_FOUND,
      errors.AGENT_ACCOUNT_NOT_FOUND,
      errors.AGENT_PROVIDER_NOT_OFFERED,
      errors.AGENT_PROVIDER_SCOPES_CHANGED,
    ],
    limits: { rate: { max: 30, window: seconds(60) } },
    budget: { d1: 3, durable: 1 },
    changes: ['oauth-consent'],
    audit: 'agents.allow-provider',
  }),
  endProvider: post('/agents/end-provider', {
    summary: 'Ends the use of a provider by an agent. It receives no further token of the provider',
    access: 'own-session',
    input: { body: z.object({ clientId, providerId }) },
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED, errors.CONNECTION_NOT_FOUND],
    budget: { d1: 2 },
    changes: ['oauth-consent'],
    audit: 'agents.end-provider',
    limits: { creates: 'ends' },
  }),
}
