import type { Scope } from '../../../identity/scope.ts'
import { providerVariable } from '../../../kit/provider-variable.ts'
import type { Address, Provider, ProviderContext, ProviderOptions } from './provider.ts'

/** A provider with the configuration of this deployment. */
export interface ConfiguredProvider {
  provider: Provider
  options: ProviderContext['options']
  /** Below the base path. A state is valid at this callback only. */
  callbackPath: string
  redirectUri: string
}

/** A variable or secret of the Worker, such as `<ID>_CLIENT_SECRET`. */
export function variable(scope: Scope, id: string, name: string): string | undefined {
  const value = (scope.env as unknown as Record<string, unknown>)[providerVariable(id, name)]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The provider's options with its credentials; null when it has no client id, or is disabled. */
export function withCredentials<O extends ProviderOptions>(
  scope: Scope,
  id: string,
  options: O,
): (O & { clientId: string; clientSecret: string }) | null {
  const clientId = options.clientId || variable(scope, id, 'CLIENT_ID')
  if (!clientId || options.enabled === false) return null
  return { ...options, clientId, clientSecret: options.clientSecret || variable(scope, id, 'CLIENT_SECRET') || '' }
}

/** The argument of the provider's own functions. */
export const providerContextOf = (
  scope: Scope,
  { options, redirectUri }: ConfiguredProvider,
  callback: Readonly<Record<string, string>> = {},
): ProviderContext => ({ options, outside: scope.outside, now: scope.now(), callback, redirectUri })

/** Whether a sign-in may create a user. @param requestSignUp the caller's parameter */
export const mayCreateUser = (options: ProviderOptions, requestSignUp = false): boolean =>
  !options.disableSignUp && (!options.disableImplicitSignUp || requestSignUp)

export const resolveAddress = <O>(address: Address<O>, options: O): string =>
  typeof address === 'function' ? address(options) : address
