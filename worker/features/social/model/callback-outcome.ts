import { errorUrl } from '../../../http/error-url.ts'
import { redirectTo } from '../../../http/routes.ts'
import type { Scope } from '../../../identity/scope.ts'
import { RedirectError } from '../../../kit/errors.ts'

/** The end of a callback: the browser goes to a target, or to the page that shows an error. */
export type CallbackOutcome = { to: string } | FailedCallback

export interface FailedCallback {
  /** The code in the query of the redirect. */
  error: string
  description?: string | undefined
  /** The caller's page for errors; without one, the configured page. */
  errorURL?: string | undefined
  /** Goes to the log only. */
  detail?: string | undefined
}

/** @throws RedirectError for an error: this is the only place where a callback's error becomes a redirect */
export function redirectToOutcome(scope: Scope, outcome: CallbackOutcome): Response {
  if ('to' in outcome) return redirectTo(outcome.to)
  const { error, description, errorURL, detail } = outcome
  const location = errorUrl(scope, { error, error_description: description }, errorURL)
  throw new RedirectError(location, { detail: detail ? `${error}: ${detail}` : error })
}
