import type { Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'
import { customProvider } from './custom-provider.ts'
import { type ConfiguredProvider, withCredentials } from './model/configured-provider.ts'
import type { Provider, ProviderOptions } from './model/provider.ts'
import { findProvider } from './providers/providers.ts'
import { socialProviderOptions } from './social-providers.config.ts'

/** A provider of the registry; null for one that is unknown or not configured. */
export function configuredProvider(scope: Scope, id: string): ConfiguredProvider | null {
  const provider = findProvider(id)
  const chosen = (socialProviderOptions.of(scope) as Record<string, ProviderOptions | undefined>)[id]
  const options = provider && withCredentials(scope, id, namedAs(provider, chosen ?? {}))
  if (!provider || !options) return null
  const callbackPath = `/callback/${id}`
  const redirectUri = options.redirectURI ?? `${scope.settings.baseUrl}${basePath}${callbackPath}`
  return { provider, options, callbackPath, redirectUri }
}

/** Copies a client id with another name to `clientId`. */
function namedAs(provider: Provider, options: ProviderOptions): ProviderOptions {
  const clientId = provider.clientId?.(options)
  return clientId === undefined ? options : { ...options, clientId }
}

/** A provider of the registry, or of `genericOAuth`. */
export const anyConfiguredProvider = async (scope: Scope, id: string): Promise<ConfiguredProvider | null> =>
  configuredProvider(scope, id) ?? (await customProvider(scope, id))
