import type { Scope } from '../../../identity/scope.ts'
import { identityProviderOptions, supportedScopes } from '../identity-provider.config.ts'
import { normalResource } from '../resources.ts'
import type { Rules } from './request.ts'

/** One of the places where requests arrive: OpenID Connect's, or MCP's with its resources. */
export interface AuthorizationEndpoint {
  path: '/oauth2/authorize' | '/mcp/authorize'
  resources: readonly string[]
}

export const rulesOf = (scope: Scope, resources: readonly string[]): Rules => {
  const { requirePKCE, allowPlainCodeChallengeMethod } = identityProviderOptions.of(scope)
  return {
    scopes: supportedScopes(scope),
    resources: resources.map(normalResource),
    requirePKCE,
    allowPlain: allowPlainCodeChallengeMethod,
  }
}
