import type { Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'
import { type ConfiguredProvider, withCredentials } from './configured.ts'
import { customProvider } from './custom/custom-provider.ts'
import type { Provider, ProviderOptions } from './provider.ts'
import { findProvider } from './providers.ts'
import { socialProviderOptions } from './social.config.ts'

/** One of the registry's providers; null when there is none of that id, or it is not configured. */
export function configuredProvider(scope: Scope, id: string): ConfiguredProvider | null {
  const provider = findProvider(id)
  const chosen = (socialProviderOptions.of(scope) as Record<string, ProviderOptions | undefined>)[id]
  const options = provider && withCredentials(scope, id, namedAs(provider, chosen ?? {}))
  if (!provider || !options) return null
  const callbackPath = `/callback/${id}`
  const redirectUri = options.redirectURI ?? `${scope.settings.baseUrl}${basePath}${callbackPath}`
  return { provider, options, callbackPath, redirectUri }
}

/** The options with the client id under its usual name. */
function namedAs(provider: Provider, options: ProviderOptions): ProviderOptions {
  const clientId = provider.clientId?.(options)
  return clientId === undefined ? options : { ...options, clientId }
}

/** A provider of the registry, or one that the configuration defines (`genericOAuth`). */
export const anyConfiguredProvider = async (scope: Scope, id: string): Promise<ConfiguredProvider | null> =>
  configuredProvider(scope, id) ?? (await customProvider(scope, id))
