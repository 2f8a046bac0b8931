import type { Scope } from '../../identity/scope.ts'
import { offeredCustomOptions } from './custom-provider.ts'
import { configuredProvider } from './find-provider.ts'
import { providers } from './providers/providers.ts'
import type { PublicConfiguration } from './providers.contract.ts'

/** The ids of the registry's providers that are configured. */
export const configuredIds = (scope: Scope): string[] =>
  Object.keys(providers).filter((id) => configuredProvider(scope, id) !== null)

/** The providers that are configured, for the buttons of the screens. */
export function publicProviders(scope: Scope): PublicConfiguration {
  const social = Object.values(providers).flatMap(({ id, name, withoutEmail }) => {
    const configured = configuredProvider(scope, id)
    if (!configured) return []
    const asksForEmail = withoutEmail && !configured.options.mapProfileToUser
    return [{ id, name, kind: 'social' as const, ...(asksForEmail ? { withoutEmail } : {}) }]
  })
  const custom = offeredCustomOptions(scope).map(({ providerId, name }) => ({
    id: providerId,
    name: name ?? providerId,
    kind: 'oauth2' as const,
  }))
  return { providers: [...social, ...custom] }
}
