import type { Handlers } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import { basePath } from '../../../identity/settings.ts'
import { withQuery } from '../../../kit/urls.ts'
import { configuredProvider } from '../find-provider.ts'
import { type CallbackOutcome, redirectToOutcome } from '../model/callback-outcome.ts'
import { browserMark } from '../model/state.ts'
import type { callbackContract } from './callback.contract.ts'
import { type CallbackRules, finishCallback, readCallback } from './callback.ts'

const rules: CallbackRules = {
  required: { state: 'state_not_found' },
  findProvider: configuredProvider,
  errors: {
    noProvider: 'oauth_provider_not_found',
    noCode: 'no_code',
    invalidCode: 'invalid_code',
    noPerson: 'unable_to_get_user_info',
    noEmail: 'email_not_found',
  },
  sameEmailToLink: false,
}

/**
 * A provider's POST comes from its own site, without the SameSite=Lax cookie (OAuth 2.0 Form Post Response Mode). The
 * browser repeats it as GET, which carries the cookie; until then nothing is used or changed.
 */
function repeatByGet(scope: Scope, id: string, query: Readonly<Record<string, unknown>>): CallbackOutcome {
  const callback = readCallback(query)
  if (!callback || Object.keys(callback).length === 0) return { error: 'invalid_callback_request' }
  return { to: withQuery(`${scope.settings.baseUrl}${basePath}/callback/${encodeURIComponent(id)}`, callback) }
}

export const callbackHandlers: Handlers<typeof callbackContract> = {
  callback: async ({ scope, params: { id }, query }) =>
    redirectToOutcome(scope, await finishCallback(scope, id, query, rules)),
  postedCallback: async ({ scope, params: { id }, query, body }) => {
    const posted = { ...query, ...body }
    const hasCookie = browserMark(scope) !== null
    return redirectToOutcome(
      scope,
      hasCookie ? await finishCallback(scope, id, posted, rules) : repeatByGet(scope, id, posted),
    )
  },
}
