import type { Scope } from '../../identity/scope.ts'
import { offeredCustomOptions } from './custom/custom-provider.ts'
import { configuredProvider } from './find-provider.ts'
import { providers } from './providers.ts'

/** The providers that are configured, for the buttons of the screens. */
export function publicProviders(scope: Scope) {
  const social = Object.values(providers)
    .filter(({ id }) => configuredProvider(scope, id) !== null)
    .map(({ id, name }) => ({ id, name, kind: 'social' as const }))
  const custom = offeredCustomOptions(scope).map(({ providerId, name }) => ({
    id: providerId,
    name: name ?? providerId,
    kind: 'oauth2' as const,
  }))
  return { providers: [...social, ...custom] }
}
