import type { Settings } from '../identity/settings.ts'
import { AppError, faultIn } from '../kit/errors.ts'
import { originOf } from '../kit/urls.ts'
import { reasonOf } from '../platform/log.ts'
import { targets } from './edge/trusted-origin.ts'
import { httpErrors } from './http.errors.ts'

const targetCodes: readonly string[] = Object.values(targets).map(({ code }) => code)

/** What to do about an error of the schema; null for other errors. */
export const schemaAdvice = (thrown: unknown): string | null =>
  /no such (?:table|column)/.test(reasonOf(faultIn(thrown) ?? thrown))
    ? 'the database lacks migrations of this version; apply them: npx wrangler d1 migrations apply DB, with --remote for production'
    : null

/**
 * What a developer can do about the refusal of a request: `hint` in its body. Null in production, where callers learn
 * nothing about the configuration.
 */
export function developmentHint(thrown: unknown, { environment, baseUrl }: Settings, headers: Headers): string | null {
  if (environment !== 'development') return null
  if (!(thrown instanceof AppError)) return schemaAdvice(thrown)
  if (thrown.code === httpErrors.TOO_MANY_REQUESTS.code) {
    return 'RATE_LIMIT=off in .dev.vars turns off the limits for addresses and sessions, but not the budgets of an account.'
  }
  if (targetCodes.includes(thrown.code)) {
    return 'Give a path of this deployment, or add the origin of the address to trustedOrigins of the configuration.'
  }
  if (thrown.code !== httpErrors.INVALID_ORIGIN.code) return null
  const from = originOf(headers.get('origin') ?? headers.get('referer') ?? '')
  return from === null ? hintForServers(baseUrl) : `Add ${from} to trustedOrigins of the configuration.`
}

/** For servers that call with a user's cookie. */
const hintForServers = (baseUrl: string): string =>
  `A POST with a cookie needs an Origin header. From a server, send "Origin: ${baseUrl}", or the token of ` +
  'set-auth-token as "Authorization: Bearer ..." instead of the cookie.'
