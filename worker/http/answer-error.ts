import { AppError, type Fault, faultIn, OAuthError, RedirectError } from '../kit/errors.ts'
import { seconds } from '../kit/time.ts'
import { AlmostFull, DatabaseFull } from '../platform/database-size.ts'
import { type Log, reasonOf, stackOf } from '../platform/log.ts'
import { schemaAdvice } from './development-hint.ts'
import { httpErrors } from './http.errors.ts'

/** Retry-After of a fault, in seconds. */
const retryAfter = seconds(5)

/** The media type of SCIM messages (RFC 7644, section 3.1). */
export const scimType = 'application/scim+json'

const unavailable = (fault: Fault) => {
  const kind = fault instanceof DatabaseFull ? httpErrors.DATABASE_ALMOST_FULL : httpErrors.UNAVAILABLE
  return kind({ headers: { 'retry-after': String(fault.pause ?? retryAfter) } })
}

/** The body of an error of a directory endpoint (RFC 7644, section 3.12). */
const scimError = ({ status, message, options: { extra } }: AppError) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(extra?.scimType ? { scimType: extra.scimType } : {}),
  detail: message,
})

/**
 * Turns every error into a response: a Fault is 503, an unexpected error 500. Neither reveals the reason.
 * @param form the form of the body, if not `{ code, message }`
 * @param hint of development (development-hint.ts)
 */
export function answerError(thrown: unknown, log: Log, form?: 'scim', hint?: string | null): Response {
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
    if (form === 'scim') {
      return Response.json(scimError(thrown), { status, headers: { ...headers, 'content-type': scimType } })
    }
    return Response.json({ code, message, ...(hint ? { hint } : {}), ...options.extra }, { status, headers })
  }
  noteError(thrown, log)
  const fault = faultIn(thrown)
  return answerError(fault ? unavailable(fault) : httpErrors.INTERNAL_SERVER_ERROR(), log, form, hint)
}

/** Logs a Fault or an unexpected error. */
export function noteError(thrown: unknown, log: Log): void {
  const fault = faultIn(thrown)
  const reason = reasonOf(fault ?? thrown)
  const found = schemaAdvice(thrown)
  const advice = found ? { advice: found } : {}
  if (fault instanceof AlmostFull) log('info', 'refused', { code: httpErrors.DATABASE_ALMOST_FULL.code })
  else if (fault) log('error', 'fault', { what: fault.what, reason, ...advice })
  else log('error', 'unforeseen', { reason, ...advice, stack: stackOf(thrown) })
}
