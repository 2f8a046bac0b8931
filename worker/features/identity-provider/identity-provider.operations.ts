import * as z from 'zod'
import { operation } from '../../http/operations.ts'
import { identityProviderErrors as errors } from './identity-provider.errors.ts'
import { maxClientIdLength } from './model/clients/find-client.ts'
import { authorizationDetails } from './model/protocol/protocol.contract.ts'
import { setResources } from './own-clients/own-clients.store.ts'
import { validateToken } from './validate-token.ts'

const words = z.array(z.string()).max(100)

export const identityProviderOperations = {
  setClientResources: operation(
    {
      summary:
        'Makes a registered client a resource server: it may introspect the tokens of all clients for these resources (RFC 7662, section 2.1). The list replaces the earlier one; an empty list ends it. Clients of the configuration have `identityProvider.resourceServers`.',
      permission: 'clients:write',
      input: z.object({
        clientId: z.string().max(maxClientIdLength),
        resources: z.array(z.url().max(2000)).max(20),
      }),
      answer: z.object({ clientId: z.string(), resources: z.array(z.string()).max(20) }),
      errors: [errors.CLIENT_NOT_FOUND],
      budget: { d1: 1 },
      changes: ['oauth-client'],
      audit: 'server.set-client-resources',
    },
    async (scope, { clientId, resources }) => {
      if (!(await setResources(scope.db, clientId, resources, scope.now()))) throw errors.CLIENT_NOT_FOUND()
      return { clientId, resources }
    },
  ),
  validateToken: operation(
    {
      summary:
        'Returns what a bearer token permits at a resource, or null for a token that is not valid there: the `validateToken` of an `OAuthResourceServer` of @cloudflare/workers-oauth-provider. `resource` is an identifier in `identityProvider.resources`, or a tool server of `mcp.resource`.',
      permission: 'tokens:verify',
      input: z.object({ resource: z.string().max(2000), token: z.string().max(8192) }),
      answer: z
        .object({
          props: z.object({
            /** The client's identifier of the user, or the client id of a service. */
            sub: z.string(),
            clientId: z.string(),
            /** A service has no user. */
            kind: z.enum(['user', 'service']),
            scope: words,
            /** Unix seconds; null for a service. */
            authTime: z.number().nullable(),
            acr: z.string().nullable(),
            /** The agents that act for the user, the current one first; absent without agents. */
            actors: words.optional(),
            /** Authorization details (RFC 9396); absent without any. */
            authorizationDetails: authorizationDetails.optional(),
          }),
          audience: z.string(),
          /** Unix seconds. */
          expiresAt: z.number(),
          scope: words,
          /** Absent for a service. */
          userId: z.string().optional(),
          clientId: z.string(),
        })
        .nullable(),
      errors: [],
      budget: { d1: 2 },
      changes: [],
      method: { positional: ['resource', 'token'], bare: true, whenInvalid: () => null },
    },
    (scope, { resource, token }) => validateToken(scope, resource, token),
  ),
}
