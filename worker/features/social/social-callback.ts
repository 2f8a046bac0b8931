import type { Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'
import { withQuery } from '../../kit/urls.ts'
import { type CallbackRules, failAt, finishAuthorization, passOnError, readCallback, redeemState } from './callback.ts'
import { configuredProvider } from './find-provider.ts'
import { hasStateCookie } from './state.ts'

const rules: CallbackRules = {
  codes: {
    noCode: 'no_code',
    invalidCode: 'invalid_code',
    noPerson: 'unable_to_get_user_info',
    noEmail: 'email_not_found',
  },
  sameEmailToLink: false,
}

/**
 * A browser comes back from a provider.
 * @returns where it goes next
 * @throws RedirectError with an error code
 */
export async function handleCallback(
  scope: Scope,
  id: string,
  given: Readonly<Record<string, unknown>>,
): Promise<string> {
  const callback = readCallback(given) ?? failAt(scope, undefined, 'invalid_callback_request')
  if (callback.error !== undefined) return passOnError(scope, callback)
  if (callback.state === undefined) return failAt(scope, undefined, 'state_not_found')
  const state = await redeemState(scope, callback.state)
  if (callback.code === undefined) return failAt(scope, state.errorURL, rules.codes.noCode)
  const configured = configuredProvider(scope, id)
  if (!configured) return failAt(scope, state.errorURL, 'oauth_provider_not_found')
  if (state.callbackPath !== configured.callbackPath) {
    return failAt(scope, undefined, 'please_restart_the_process', `the state is for ${state.callbackPath}`)
  }
  return finishAuthorization(scope, configured, state, callback, rules)
}

/**
 * A provider posts to the callback from its own site (OAuth 2.0 Form Post Response Mode). Such a POST carries no
 * SameSite=Lax cookie, so nobody can tell yet whose browser it is. The browser is sent to the same address with GET,
 * which does carry it; nothing has been used or changed until then.
 */
export async function handlePostedCallback(
  scope: Scope,
  id: string,
  given: Readonly<Record<string, unknown>>,
): Promise<string> {
  if (hasStateCookie(scope)) return handleCallback(scope, id, given)
  const callback = readCallback(given)
  if (!callback || Object.keys(callback).length === 0) {
    return failAt(scope, undefined, 'invalid_callback_request')
  }
  return withQuery(`${scope.settings.baseUrl}${basePath}/callback/${encodeURIComponent(id)}`, callback)
}
