import type { Scope } from '../../../identity/scope.ts'
import { identityProviderOptions } from '../../identity-provider/identity-provider.config.ts'
import { publicProviders } from '../../social/public-providers.ts'

/** OpenID Connect Core, section 5.4: the app has their words. */
const standard = ['openid', 'profile', 'email']

/** The scopes of a provider that agents can have; null for a provider whose tokens no agent gets. */
export function offeredScopes(scope: Scope, providerId: string): readonly string[] | null {
  const { agentProviders } = identityProviderOptions.of(scope)
  const words = Object.hasOwn(agentProviders, providerId) ? agentProviders[providerId] : undefined
  return words && providerNameOf(scope, providerId) !== null ? [...standard, ...Object.keys(words)] : null
}

/** The configured words of the scopes of all providers. */
export const scopeWordsOfProviders = (scope: Scope): Record<string, string> =>
  Object.assign({}, ...Object.values(identityProviderOptions.of(scope).agentProviders))

/** The name of a provider; null for one that is not configured. */
export const providerNameOf = (scope: Scope, providerId: string): string | null =>
  publicProviders(scope).providers.find(({ id }) => id === providerId)?.name ?? null
