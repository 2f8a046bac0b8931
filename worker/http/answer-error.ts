import { AppError, OAuthError, RedirectError } from '../kit/errors.ts'
import { type Log, reasonOf } from '../platform/log.ts'
import { httpErrors } from './http.errors.ts'

/** The one place where an error becomes a response. What nobody foresaw becomes a 500 that tells nothing. */
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
  log('error', 'unforeseen', { reason: reasonOf(thrown), stack: thrown instanceof Error ? thrown.stack : undefined })
  return answerError(httpErrors.INTERNAL_SERVER_ERROR(), log)
}
