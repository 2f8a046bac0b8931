import type { Scope } from '../../identity/scope.ts'
import {
  type CallbackRules,
  failAt,
  finishAuthorization,
  passOnError,
  readCallback,
  redeemState,
} from '../social/callback.ts'
import type { ConfiguredProvider } from '../social/configured.ts'
import { customProvider, findCustomOptions } from '../social/custom/custom-provider.ts'
import { genericOAuthErrors as errors, noConfigFound } from './generic-oauth.errors.ts'

const rules: CallbackRules = {
  codes: {
    noCode: 'oAuth_code_missing',
    invalidCode: 'oauth_code_verification_failed',
    noPerson: 'user_info_is_missing',
    noEmail: 'email_is_missing',
  },
  sameEmailToLink: true,
}

/** @throws "No config found for provider ...", INVALID_OAUTH_CONFIGURATION */
export async function requireCustomProvider(scope: Scope, id: string): Promise<ConfiguredProvider> {
  if (!findCustomOptions(scope, id)) throw noConfigFound(id)
  const configured = await customProvider(scope, id)
  if (!configured) throw errors.INVALID_OAUTH_CONFIGURATION()
  return configured
}

/**
 * A browser comes back from a provider of the configuration.
 * @returns where it goes next
 * @throws RedirectError with an error code; "No config found for provider ..."
 */
export async function handleOAuth2Callback(
  scope: Scope,
  id: string,
  given: Readonly<Record<string, unknown>>,
): Promise<string> {
  const callback = readCallback(given) ?? failAt(scope, undefined, 'invalid_callback_request')
  if (callback.error !== undefined) return passOnError(scope, callback)
  if (callback.code === undefined) return failAt(scope, undefined, rules.codes.noCode)
  if (!findCustomOptions(scope, id)) throw noConfigFound(id)
  const state = await redeemState(scope, callback.state ?? '')
  const configured = await customProvider(scope, id)
  if (!configured) return failAt(scope, state.errorURL, rules.codes.invalidCode, 'the configuration does not suffice')
  if (state.callbackPath !== configured.callbackPath) {
    return failAt(scope, undefined, 'please_restart_the_process', `the state is for ${state.callbackPath}`)
  }
  return finishAuthorization(scope, configured, state, callback, rules)
}
