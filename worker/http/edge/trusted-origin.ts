import type { Settings } from '../../identity/settings.ts'
import { AppError, codeOf } from '../../kit/errors.ts'
import { isRelativePath, matchesOrigin, originOf } from '../../kit/urls.ts'
import { httpErrors } from '../http.errors.ts'

/** Whether an origin is our own or one of the configured ones. Compared as parsed origins, never as text. */
export function isTrustedOrigin(settings: Settings, origin: string | null): boolean {
  const parsed = origin === null ? null : originOf(origin)
  if (parsed === null) return false
  return [settings.baseUrl, ...settings.trustedOrigins].some((pattern) => matchesOrigin(parsed, pattern))
}

/** Whether a browser may be sent there: a path of our own, or an address at a trusted origin. */
export const isTrustedTarget = (settings: Settings, target: string): boolean =>
  isRelativePath(target) || (URL.canParse(target) && isTrustedOrigin(settings, target))

/**
 * Refuses a POST that another site made a browser send. It is checked as soon as it carries anything that only a
 * browser, or a caller with a session, sends.
 * @throws INVALID_ORIGIN
 */
export function refuseForeignPost(settings: Settings, request: Request): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { headers } = request
  const origin = headers.get('origin')
  if (origin !== null) {
    if (!isTrustedOrigin(settings, origin)) throw httpErrors.INVALID_ORIGIN()
    return
  }
  const referer = headers.get('referer')
  if (referer !== null) {
    if (!isTrustedOrigin(settings, referer)) throw httpErrors.INVALID_ORIGIN()
    return
  }
  const site = headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  if (site !== null) throw httpErrors.INVALID_ORIGIN()
  if (headers.has('cookie')) throw httpErrors.INVALID_ORIGIN({ extra: { hint: hintForServers(settings) } })
}

/** For whoever calls from a server with somebody's cookie, as no browser does: what to send. */
const hintForServers = ({ baseUrl }: Settings): string =>
  `A POST with a cookie needs an Origin header. From a server, send "Origin: ${baseUrl}", or the token of ` +
  'set-auth-token as "Authorization: Bearer ..." instead of the cookie.'

/** Parameters that name a place to send the browser to, with the name that the error uses. */
const targets = {
  callbackURL: 'callbackURL',
  redirectTo: 'redirectURL',
  errorCallbackURL: 'errorCallbackURL',
  newUserCallbackURL: 'newUserCallbackURL',
} as const

/** Refuses callback and redirect targets outside the trusted origins, wherever they are given. */
export function refuseForeignTargets(settings: Settings, ...inputs: unknown[]): void {
  for (const input of inputs) {
    if (typeof input !== 'object' || input === null) continue
    for (const [field, name] of Object.entries(targets)) {
      const target = (input as Record<string, unknown>)[field]
      if (typeof target === 'string' && target !== '' && !isTrustedTarget(settings, target)) {
        throw new AppError(403, codeOf(`Invalid ${name}`), `Invalid ${name}`)
      }
    }
  }
}
