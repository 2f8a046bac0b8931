import { AppError, faultIn, OAuthError, RedirectError } from '../kit/errors.ts'
import { seconds } from '../kit/time.ts'
import { type Log, placeOf, reasonOf } from '../platform/log.ts'
import { httpErrors } from './http.errors.ts'

/** How long (s) to wait before trying again what we could not do. */
const retryAfter = seconds(5)

const unavailable = () => httpErrors.UNAVAILABLE({ headers: { 'retry-after': String(retryAfter) } })

/**
 * The one place where an error becomes a response. A fault of ours is a 503, since trying again may help; what nobody
 * foresaw is a 500. Neither tells the caller more.
 */
export function answerError(thrown: unknown, log: Log): Response {
  if (thrown instanceof RedirectError) {
    if (thrown.options.detail) log('info', 'redirected-with-error', { reason: thrown.options.detail })
    return new Response(null, { status: 302, headers: { location: thrown.location } })
  }
  if (thrown instanceof OAuthError) {
    const { status, error, description, options } = thrown
    if (options.detail) log('info', 'oauth-error', { error, reason: options.detail })
    return Response.json(
      { error, error_description: description, ...options.extra },
      { status, headers: { 'cache-control': 'no-store', pragma: 'no-cache', ...options.headers } },
    )
  }
  if (thrown instanceof AppError) {
    const { status, code, message, options } = thrown
    if (options.detail) log('info', 'refused', { code, reason: options.detail })
    const headers = { ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}), ...options.headers }
    return Response.json({ code, message, ...options.extra }, { status, headers })
  }
  const fault = faultIn(thrown)
  if (fault) {
    log('error', 'fault', { what: fault.what, reason: reasonOf(fault) })
    return answerError(unavailable(), log)
  }
  log('error', 'unforeseen', { reason: reasonOf(thrown), stack: placeOf(thrown) })
  return answerError(httpErrors.INTERNAL_SERVER_ERROR(), log)
}
