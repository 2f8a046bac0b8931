import * as z from 'zod'
import type { Scope } from '../../identity/scope.ts'
import type { Settings } from '../../identity/settings.ts'
import { codeOf, errorKind } from '../../kit/errors.ts'
import { defineOptions } from '../../kit/options.ts'
import { isRelativePath, matchesOrigin, originOf } from '../../kit/urls.ts'
import type { Log } from '../../platform/log.ts'
import { httpErrors } from '../http.errors.ts'

export const advancedOptions = defineOptions(
  'advanced',
  {
    /**
     * POSTs are not checked for the origin that they come from: any site can make a browser act as whoever is signed
     * in there (CSRF). `true` is for development; production takes it only as `in-production-too`. Callback and
     * redirect targets stay checked.
     */
    disableOriginCheck: false as boolean | 'in-production-too',
  },
  undefined,
  { disableOriginCheck: z.union([z.boolean(), z.literal('in-production-too')]) },
)

type Asked = Pick<Scope, 'settings' | 'options' | 'log'>

/** In development, the line of the configuration that would let an origin in. */
export function tellWhatToAdd({ environment, trustedOrigins, baseUrl }: Settings, log: Log, refused: string): void {
  const origin = originOf(refused)
  if (environment !== 'development' || origin === null) return
  const port = (url: string) => url.replace('//127.0.0.1', '//localhost')
  const configured = trustedOrigins.filter((one) => port(one) !== port(baseUrl))
  const line = [...configured, origin].map((one) => `'${one}'`).join(', ')
  log('warn', 'origin-refused', { origin, add: `trustedOrigins: [${line}]`, to: 'worker/config.ts' })
}

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
export function refuseForeignPost(scope: Asked, request: Request): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (advancedOptions.of(scope).disableOriginCheck) return
  const { headers } = request
  const from = headers.get('origin') ?? headers.get('referer')
  if (from !== null) {
    if (isTrustedOrigin(scope.settings, from)) return
    tellWhatToAdd(scope.settings, scope.log, from)
    throw httpErrors.INVALID_ORIGIN()
  }
  const site = headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  if (site !== null) throw httpErrors.INVALID_ORIGIN()
  if (headers.has('cookie')) throw httpErrors.INVALID_ORIGIN({ extra: { hint: hintForServers(scope.settings) } })
}

/** For whoever calls from a server with somebody's cookie, as no browser does: what to send. */
const hintForServers = ({ baseUrl }: Settings): string =>
  `A POST with a cookie needs an Origin header. From a server, send "Origin: ${baseUrl}", or the token of ` +
  'set-auth-token as "Authorization: Bearer ..." instead of the cookie.'

const foreign = (name: string) => errorKind(403, codeOf(`Invalid ${name}`), `Invalid ${name}`)

/** Parameters that name a place to send the browser to, with how a foreign one is refused. */
export const targets = {
  callbackURL: foreign('callbackURL'),
  redirectTo: foreign('redirectURL'),
  errorCallbackURL: foreign('errorCallbackURL'),
  newUserCallbackURL: foreign('newUserCallbackURL'),
} as const

/** Refuses callback and redirect targets outside the trusted origins, wherever they are given. */
export function refuseForeignTargets({ settings, log }: Asked, ...inputs: unknown[]): void {
  for (const input of inputs) {
    if (typeof input !== 'object' || input === null) continue
    for (const [field, refusal] of Object.entries(targets)) {
      const target = (input as Record<string, unknown>)[field]
      if (typeof target === 'string' && target !== '' && !isTrustedTarget(settings, target)) {
        tellWhatToAdd(settings, log, target)
        throw refusal()
      }
    }
  }
}
