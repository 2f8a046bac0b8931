import { httpErrors } from '../../../http/http.errors.ts'
import { routes } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import { authorize } from '../authorize/authorize.ts'
import { idTokenKeys } from '../discovery/discovery.ts'
import { readResources, resourceIdentifiers, tryToReadResources } from '../model/protocol/known-resources.ts'
import { goTo, noStore, queryStringOf } from '../model/protocol/responses.ts'
import { normalResource } from '../model/protocol/urls.ts'
import type { AuthorizationEndpoint } from '../model/requests/authorization-request.ts'
import { register } from '../registration/registration.ts'
import { token } from '../token/token.ts'
import { readPresented, userinfo } from '../userinfo/userinfo.ts'
import { getMcpSession } from './get-session.ts'
import { resourcesOf } from './mcp.config.ts'
import { mcpContract } from './mcp.contract.ts'
import { authorizationServerMetadata, protectedResourceMetadata } from './metadata.ts'

const endpointOf = (scope: Scope): AuthorizationEndpoint => ({
  path: '/mcp/authorize',
  resources: [...resourcesOf(scope), ...resourceIdentifiers(scope)],
})

/** A tool server by the path of its address. @throws NOT_FOUND */
function resourceAt(scope: Scope, path: string): string {
  const resource = resourcesOf(scope).find((one) => new URL(one).pathname === `/${path}`)
  if (!resource) throw httpErrors.NOT_FOUND()
  return resource
}

export const mcpRoutes = routes(mcpContract, {
  authorizationServerMetadata: async ({ scope }) => {
    await tryToReadResources(scope)
    return authorizationServerMetadata(scope)
  },
  protectedResourceMetadata: async ({ scope }) => {
    await tryToReadResources(scope)
    return protectedResourceMetadata(scope)
  },
  protectedResourceMetadataByPath: async ({ scope, params }) => {
    const resource = resourceAt(scope, params.resource)
    await tryToReadResources(scope)
    return protectedResourceMetadata(scope, resource)
  },
  mcpAuthorize: async ({ scope, request }) => {
    await readResources(scope)
    return goTo(request, await authorize(scope, queryStringOf(request), endpointOf(scope)))
  },
  mcpToken: async ({ scope, request, raw }) => noStore(await token(scope, request, raw)),
  mcpRegister: ({ scope, request, raw }) =>
    register(scope, { raw, contentType: request.headers.get('content-type') }, { caller: null, anonymous: true }),
  mcpGetSession: ({ scope, request, query }) => getMcpSession(scope, request, query),
  mcpUserinfo: ({ scope, request }) => userinfo(scope, readPresented(request), resourcesOf(scope).map(normalResource)),
  mcpJwks: async ({ scope }) => Response.json(await idTokenKeys(scope)),
})
