import type { Scope } from '../../../../identity/scope.ts'
import type { DetailType } from '../../detail-types.config.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'
import type { Client } from '../clients/client.ts'
import { detailTypesOf } from '../protocol/authorization-details.ts'
import { supportedScopes } from '../protocol/known-resources.ts'
import { type Parameters, words } from '../protocol/parameters.ts'
import { acceptedScope } from '../protocol/requested-scopes.ts'
import { scopeOwners } from '../protocol/resources.ts'
import { isFapi } from '../protocol/security-profile.ts'
import { normalResource } from '../protocol/urls.ts'

/** An endpoint that accepts authorization requests: that of OpenID Connect, or that of MCP with its resources. */
export interface AuthorizationEndpoint {
  path: '/oauth2/authorize' | '/mcp/authorize'
  resources: readonly string[]
}

/** What the checks of a request depend on in addition to the request. */
export interface RequestRules {
  scopes: readonly string[]
  /** The scopes of resource servers, with the identifier of the server. */
  scopeOwners: ReadonlyMap<string, string>
  resources: readonly string[]
  detailTypes: readonly DetailType[]
  requirePKCE: boolean
  allowPlain: boolean
  requirePushed: boolean
}

export const requestRulesOf = (scope: Scope, resources: readonly string[]): RequestRules => {
  const { requirePKCE, allowPlainCodeChallengeMethod } = identityProviderOptions.of(scope)
  return {
    scopes: supportedScopes(scope),
    scopeOwners: scopeOwners(scope),
    resources: resources.map(normalResource),
    detailTypes: detailTypesOf(scope),
    requirePKCE: requirePKCE || isFapi(scope),
    allowPlain: allowPlainCodeChallengeMethod && !isFapi(scope),
    requirePushed: isFapi(scope),
  }
}

/** An authorization request with a proven client and redirect URI. */
export interface AuthorizationRequest {
  given: Parameters
  repeated: readonly string[]
  client: Client
  redirectUri: string
  rules: RequestRules
  /** Whether it was pushed (RFC 9126). */
  pushed: boolean
}

/** The parameters with the scopes that count; `offline_access` needs `prompt=consent` (OpenID Connect Core, section 11). */
export const withAcceptedScope = (given: Parameters, { scopes }: RequestRules): Parameters => ({
  ...given,
  scope: acceptedScope(given.scope, { supported: scopes, offline: words(given.prompt).includes('consent') }),
})

/** The reason of a rejection. `page`: the user sees the error, and the client does not. */
export interface RequestRefusal {
  error: string
  description: string
  page?: true
}

export const refusal = (error: string, description: string): RequestRefusal => ({ error, description })

/** A pushed request that does not exist, has expired, or was used. */
export const unknownRequest: RequestRefusal = {
  error: 'invalid_request_uri',
  description: 'request not found',
  page: true,
}
