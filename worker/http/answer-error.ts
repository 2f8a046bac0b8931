import { AppError, faultIn, OAuthError, RedirectError } from '../kit/errors.ts'
import { seconds } from '../kit/time.ts'
import { type Log, placeOf, reasonOf } from '../platform/log.ts'
import { httpErrors } from './http.errors.ts'

/** Retry-After of a fault, in seconds. */
const retryAfter = seconds(5)

const applyMigrations =
  'the database lacks migrations of this version; apply them: npx wrangler d1 migrations apply DB, with --remote for production'

const unavailable = (pause: number) => httpErrors.UNAVAILABLE({ headers: { 'retry-after': String(pause) } })

/** Turns every error into a response: a Fault is 503, an unexpected error 500. Neither reveals the reason. */
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
  noteError(thrown, log)
  const fault = faultIn(thrown)
  return answerError(fault ? unavailable(fault.pause ?? retryAfter) : httpErrors.INTERNAL_SERVER_ERROR(), log)
}

/** Logs a Fault or an unexpected error. */
export function noteError(thrown: unknown, log: Log): void {
  const fault = faultIn(thrown)
  const reason = reasonOf(fault ?? thrown)
  const advice = /no such (?:table|column)/.test(reason) ? { advice: applyMigrations } : {}
  if (fault) log('error', 'fault', { what: fault.what, reason, ...advice })
  else log('error', 'unforeseen', { reason, ...advice, stack: placeOf(thrown) })
}
