import type { Scope } from '../../identity/scope.ts'
import { offeredCustomOptions } from './custom/custom-provider.ts'
import { configuredProvider } from './find-provider.ts'
import { providers } from './providers.ts'

/** The providers that are configured, for the buttons of the screens. */
export function publicProviders(scope: Scope) {
  const social = Object.values(providers)
    .map(({ id, name, withoutEmail = false }) => ({
      id,
      name,
      withoutEmail,
      configured: configuredProvider(scope, id),
    }))
    .filter(({ configured }) => configured !== null)
    .map(({ id, name, withoutEmail, configured }) => ({
      id,
      name,
      kind: 'social' as const,
      // The configuration may know where to find one.
      ...(withoutEmail && !configured!.options.mapProfileToUser ? { withoutEmail } : {}),
    }))
  const custom = offeredCustomOptions(scope).map(({ providerId, name }) => ({
    id: providerId,
    name: name ?? providerId,
    kind: 'oauth2' as const,
  }))
  return { providers: [...social, ...custom] }
}
