import type { Scope } from '../../identity/scope.ts'
import { accountOptions } from '../../identity/settings.ts'
import type { Address, Provider, ProviderContext, ProviderOptions } from './provider.ts'

/** A provider with what this deployment knows of it. */
export interface ConfiguredProvider {
  provider: Provider
  options: ProviderContext['options']
  /** Below the base path; a state is good for the callback that it was made for and no other. */
  callbackPath: string
  redirectUri: string
}

/** `<ID>_CLIENT_SECRET` and its like, among the Worker's variables and secrets. */
export function variable(scope: Scope, id: string, name: string): string | undefined {
  const value = (scope.env as unknown as Record<string, unknown>)[
    `${id.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_${name}`
  ]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The provider's options with its credentials; null when it has no client id, or is switched off. */
export function withCredentials<O extends ProviderOptions>(
  scope: Scope,
  id: string,
  options: O,
): (O & { clientId: string; clientSecret: string }) | null {
  const clientId = options.clientId || variable(scope, id, 'CLIENT_ID')
  if (!clientId || options.enabled === false) return null
  return { ...options, clientId, clientSecret: options.clientSecret || variable(scope, id, 'CLIENT_SECRET') || '' }
}

/** What the provider's own functions are given. */
export const contextOf = (
  scope: Scope,
  { options, redirectUri }: ConfiguredProvider,
  callback: Readonly<Record<string, string>> = {},
): ProviderContext => ({ options, outside: scope.outside, now: scope.now(), callback, redirectUri })

/** Whether the configuration takes this provider's word for an address. */
export const isTrusted = (scope: Scope, { provider }: ConfiguredProvider): boolean =>
  accountOptions.of(scope).accountLinking.trustedProviders.includes(provider.id)

export const addressOf = <O>(address: Address<O>, options: O): string =>
  typeof address === 'function' ? address(options) : address
