import type { Scope } from '../../../identity/scope.ts'
import { endpointUrl } from '../../../identity/settings.ts'
import { commonMetadata } from '../discovery/discovery.ts'
import { areDocumentsAllowed } from '../model/clients/metadata-document.ts'
import { supportedScopes } from '../model/protocol/known-resources.ts'
import { scopesAt } from '../model/protocol/resources.ts'
import { issuerOf, normalResource } from '../model/protocol/urls.ts'
import { resourcesOf } from './mcp.config.ts'

/** RFC 8414, section 2, with the fields that MCP clients need. */
export const authorizationServerMetadata = (scope: Scope) => ({
  issuer: issuerOf(scope),
  authorization_endpoint: endpointUrl(scope, '/mcp/authorize'),
  token_endpoint: endpointUrl(scope, '/mcp/token'),
  userinfo_endpoint: endpointUrl(scope, '/mcp/userinfo'),
  jwks_uri: endpointUrl(scope, '/mcp/jwks'),
  registration_endpoint: endpointUrl(scope, '/mcp/register'),
  ...commonMetadata(scope),
  client_id_metadata_document_supported: areDocumentsAllowed(scope),
  protected_resources: resourcesOf(scope),
})

/** RFC 9728, section 2. */
export const protectedResourceMetadata = (scope: Scope, resource: string = resourcesOf(scope)[0]) => ({
  resource,
  authorization_servers: [issuerOf(scope)],
  jwks_uri: endpointUrl(scope, '/mcp/jwks'),
  // An agent requests all of them, and a scope of another resource would be refused.
  scopes_supported: scopesAt(scope, supportedScopes(scope), normalResource(resource)),
  bearer_methods_supported: ['header'],
  resource_name: scope.settings.appName,
})

/** The metadata address of a tool server for its clients (RFC 9728, section 5.1). */
export function resourceMetadataUrl(scope: Scope, resource: string | undefined): string {
  const others = resourcesOf(scope).slice(1)
  const wanted = resource && others.find((one) => normalResource(one) === normalResource(resource))
  const path = wanted ? new URL(wanted).pathname : ''
  return `${scope.settings.baseUrl}/.well-known/oauth-protected-resource${path}`
}
