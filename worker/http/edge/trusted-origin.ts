import * as z from 'zod'
import { pageOptions } from '../../identity/pages.ts'
import type { Scope } from '../../identity/scope.ts'
import type { DeploymentFacts, Settings } from '../../identity/settings.ts'
import { codeOf, errorKind } from '../../kit/errors.ts'
import { type Contradiction, defineOptions, section } from '../../kit/options.ts'
import { isRelativePath, matchesOrigin, originOf } from '../../kit/urls.ts'
import type { Log } from '../../platform/log.ts'
import { httpErrors } from '../http.errors.ts'
import { serverErrors } from '../server.errors.ts'

export const advancedOptions = defineOptions(
  'advanced',
  () =>
    section({
      /**
       * Does not check the origin of POSTs: any site can make a browser act as the signed-in user (CSRF). `true` is for
       * development; production requires `in-production-too`. Callback and redirect targets are still checked.
       */
      disableOriginCheck: z.union([z.boolean(), z.literal('in-production-too')]).default(false),
    }),
  {
    contradictions: ({ disableOriginCheck }, { settings, options }: DeploymentFacts) => [
      [
        settings.environment === 'production' && disableOriginCheck === true,
        'advanced.disableOriginCheck',
        "true is for development (ENVIRONMENT is production); say 'in-production-too' if that is what you mean",
      ],
      ...Object.entries(pageOptions.of({ options })).map(
        ([name, page]): Contradiction => [
          page !== null && !isTrustedTarget(settings, page),
          `pages.${name}`,
          `leads to an origin that is not trusted; add ${page && originOf(page)} to trustedOrigins`,
        ],
      ),
    ],
  },
)

type Asked = Pick<Scope, 'settings' | 'options' | 'log'>

/** In development, logs the configuration that would accept an origin. */
export function logMissingOrigin({ environment, trustedOrigins, baseUrl }: Settings, log: Log, refused: string): void {
  const origin = originOf(refused)
  if (environment !== 'development' || origin === null) return
  const port = (url: string) => url.replace('//127.0.0.1', '//localhost')
  const configured = trustedOrigins.filter((one) => port(one) !== port(baseUrl))
  const line = [...configured, origin].map((one) => `'${one}'`).join(', ')
  log('warn', 'origin-refused', {
    origin,
    add: `trustedOrigins: [${line}]`,
    to: 'the configuration that gatehouse() gets',
  })
}

/** In development, logs that a page of this deployment was opened at another address than BASE_URL. */
function logOtherBaseUrl({ settings: { environment, baseUrl }, log }: Asked, from: string): void {
  if (environment !== 'development') return
  const advice = `BASE_URL is ${baseUrl}: open that address, or empty BASE_URL in .dev.vars`
  log('warn', 'base-url-differs', { opened: originOf(from), advice })
}

/** Whether an origin is our own or a configured one. It compares parsed origins, not texts. */
export function isTrustedOrigin(settings: Settings, origin: string | null): boolean {
  const parsed = origin === null ? null : originOf(origin)
  if (parsed === null) return false
  return [settings.baseUrl, ...settings.trustedOrigins].some((pattern) => matchesOrigin(parsed, pattern))
}

/** Whether a browser may be redirected to a target: a path of our own, or an address at a trusted origin. */
export const isTrustedTarget = (settings: Settings, target: string): boolean =>
  isRelativePath(target) || (URL.canParse(target) && isTrustedOrigin(settings, target))

/** Rejects a POST by another site if it has a header that only browsers send, or a cookie. @throws INVALID_ORIGIN */
export function refuseForeignPost(scope: Asked, request: Request): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') refuseForeign(scope, request)
}

/** Rejects a request by another site, as a POST: for a WebSocket, which browsers open to any site with its cookies. */
export function refuseForeign(scope: Asked, request: Request): void {
  if (advancedOptions.of(scope).disableOriginCheck) return
  const { headers } = request
  const from = headers.get('origin') ?? headers.get('referer')
  if (from !== null) {
    if (isTrustedOrigin(scope.settings, from)) return
    if (originOf(from) === new URL(request.url).origin) logOtherBaseUrl(scope, from)
    logMissingOrigin(scope.settings, scope.log, from)
    throw httpErrors.INVALID_ORIGIN()
  }
  const site = headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  if (site !== null) throw httpErrors.INVALID_ORIGIN()
  if (headers.has('cookie')) throw httpErrors.INVALID_ORIGIN()
}

/** Rejects a request with a header that only browsers send. @throws SERVER_KEY_IN_BROWSER */
export function refuseBrowser({ headers }: Request): void {
  if (headers.has('origin') || headers.has('sec-fetch-site')) throw serverErrors.SERVER_KEY_IN_BROWSER()
}

const foreign = (name: string) => errorKind(403, codeOf(`Invalid ${name}`), `Invalid ${name}`)

/** Parameters with a redirect target, and the error for a foreign one. */
export const targets = {
  callbackURL: foreign('callbackURL'),
  redirectTo: foreign('redirectURL'),
  errorCallbackURL: foreign('errorCallbackURL'),
  newUserCallbackURL: foreign('newUserCallbackURL'),
} as const

const targetEntries = Object.entries(targets)

/** Rejects callback and redirect targets outside the trusted origins. @throws INVALID_CALLBACKURL and the like */
export function refuseForeignTargets({ settings, log }: Asked, ...inputs: unknown[]): void {
  for (const input of inputs) {
    if (typeof input !== 'object' || input === null) continue
    for (const [field, refusal] of targetEntries) {
      const target = (input as Record<string, unknown>)[field]
      if (typeof target === 'string' && target !== '' && !isTrustedTarget(settings, target)) {
        logMissingOrigin(settings, log, target)
        throw refusal()
      }
    }
  }
}
