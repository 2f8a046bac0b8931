import * as z from 'zod'
import { validate } from '../../http/body.ts'
import { Operations, type RpcAnswer, run, within } from '../../http/operations.ts'
import { maxClientIdLength } from './clients/find-client.ts'
import { identityProviderErrors } from './identity-provider.errors.ts'
import { setResources } from './own-clients/own-clients.store.ts'
import { type ValidatedToken, validateToken } from './validate-token.ts'

const resourcesInput = z.object({
  clientId: z.string().max(maxClientIdLength),
  resources: z.array(z.url().max(2000)).max(20),
})

type ResourcesInput = z.input<typeof resourcesInput>

export class IdentityProviderOperations extends Operations {
  /**
   * Makes a registered client a resource server: it may introspect the tokens of all clients for these resources (RFC
   * 7662, section 2.1). The list replaces the earlier one; an empty list ends it. Clients of the configuration have
   * `identityProvider.resourceServers`. Errors: CLIENT_NOT_FOUND.
   */
  setClientResources(input: ResourcesInput): Promise<RpcAnswer<{ clientId: string; resources: string[] }>> {
    return this[run](async (scope) => {
      const { clientId, resources } = validate(resourcesInput, input, 'body')
      if (!(await setResources(scope.db, clientId, resources, scope.now())))
        throw identityProviderErrors.CLIENT_NOT_FOUND()
      return { clientId, resources }
    })
  }

  /**
   * Returns what a bearer token permits at a resource, or null for a token that is not valid there: the `validateToken`
   * of an `OAuthResourceServer` of @cloudflare/workers-oauth-provider (worker/guides/resources.md).
   * @param resource the identifier in `identityProvider.resources`, or a tool server of `mcp.resource`
   */
  validateToken(resource: string, token: string): Promise<ValidatedToken | null> {
    return this[within](async (scope) =>
      typeof resource === 'string' && typeof token === 'string' ? validateToken(scope, resource, token) : null,
    )
  }
}
