import * as z from 'zod'
import { chunkCookie, cookieCap, joinCookie } from '../kit/cookie-chunks.ts'
import { type CookieOptions, parseCookies, serializeCookie, signValue, unsignValue } from '../kit/cookies.ts'
import { defineOptions, section } from '../kit/options.ts'
import type { DeploymentFacts, Settings } from './settings.ts'

export const cookieOptions = defineOptions(
  'cookies',
  () =>
    section({
      /** Cookies are named `<prefix>.<name>`. */
      prefix: z
        .string()
        .regex(/^[A-Za-z0-9_-]+$/, 'must be letters, digits, hyphens and underscores')
        .default('gatehouse'),
      /** A parent domain, such as `example.com`, to share the session with its subdomains; null: only this host. */
      domain: z.string().nullable().default(null),
      /** `none` for products on another site, whose pages call with credentials; only on https. */
      sameSite: z.enum(['lax', 'none']).default('lax'),
      /**
       * On https, names begin with `__Host-` instead of `__Secure-`: no subdomain can set such a cookie. Not together with
       * `domain`. `'and-earlier'` also accepts cookies under their earlier names, for the time after the change.
       */
      hostPrefix: z.union([z.boolean(), z.literal('and-earlier')]).default(false),
    }),
  {
    contradictions: ({ sameSite, hostPrefix, domain }, { settings: { baseUrl, baseUrlIsTaken } }: DeploymentFacts) => {
      const host = new URL(baseUrl).hostname
      const parent = domain?.replace(/^\./, '') ?? host
      return [
        [baseUrlIsTaken && domain !== null, 'BASE_URL', 'is missing; set it, because cookies.domain is a part of it'],
        [
          sameSite === 'none' && !baseUrl.startsWith('https:'),
          'cookies.sameSite',
          `'none' is for https alone, and BASE_URL is ${baseUrl}`,
        ],
        [
          hostPrefix !== false && domain !== null,
          'cookies.hostPrefix',
          'must be false while cookies.domain is set: a browser refuses a `__Host-` cookie with a domain',
        ],
        [
          host !== parent && !host.endsWith(`.${parent}`),
          'cookies.domain',
          `must be the host of BASE_URL (${host}) or a parent of it, not ${domain}`,
        ],
      ]
    },
  },
)

export interface CookieJar {
  /** The full name of one of our cookies, with prefix and `__Secure-` or `__Host-`. */
  nameOf(name: string): string
  get(name: string): string | undefined
  /** The value of a signed cookie; null for a missing or invalid one. */
  getSigned(name: string): string | null
  /** Short names of the request's cookies with a prefix. */
  namesWith(prefix: string): string[]
  set(name: string, value: string, options?: JarOptions): void
  /** @returns the signed value */
  setSigned(name: string, value: string, options?: JarOptions): string
  clear(name: string): void
  /** Discards all cookies that were set or cleared. */
  withdraw(): void
  /** The Set-Cookie lines of the response, one per cookie: the last call wins. */
  lines(): string[]
}

interface JarOptions extends CookieOptions {
  /** Set without a partition, because a top-level request must read them. */
  atTopLevel?: boolean
}

/**
 * Whether the request comes from a page of another site, for which browsers that block third-party cookies use a
 * partition (CHIPS).
 */
const isFromAnotherSite = (headers: Headers): boolean =>
  headers.get('sec-fetch-site') === 'cross-site' && headers.get('sec-fetch-mode') !== 'navigate'

/** The cookies of the request and of the response. */
export function cookieJar(
  headers: Headers,
  scope: { settings: Settings; options: Readonly<Record<string, unknown>> },
): CookieJar {
  const { prefix, domain, sameSite, hostPrefix } = cookieOptions.of(scope)
  const { baseUrl, secrets } = scope.settings
  const secure = baseUrl.startsWith('https:')
  const everywhere = sameSite === 'none'
  const common: CookieOptions = {
    ...(secure ? { secure } : {}),
    ...(domain ? { domain } : {}),
    ...(everywhere ? { sameSite: 'None' } : {}),
  }
  const partitioned = everywhere && isFromAnotherSite(headers)
  const received = parseCookies(headers.get('cookie'))
  const outgoing = new Map<string, string>()
  /** Verified signatures: the limit, the claim and the session verify the same one. */
  const checked = new Map<string, string | null>()
  const guard = !secure ? '' : hostPrefix ? '__Host-' : '__Secure-'
  const nameOf = (name: string) => `${guard}${prefix}.${name}`
  // The earlier cookie names. The signature covers the short name, so it is valid for both.
  const readsEarlier = secure && hostPrefix === 'and-earlier'
  const earlierNameOf = (name: string) => `__Secure-${prefix}.${name}`
  const namesOf = (name: string) => [nameOf(name), ...(readsEarlier ? [earlierNameOf(name)] : [])]

  const put = (fullName: string, value: string, { atTopLevel = false, ...options }: JarOptions = {}) => {
    const apart = partitioned && !atTopLevel
    const line = serializeCookie(fullName, value, { ...common, ...options, ...(apart ? { partitioned: true } : {}) })
    outgoing.set(apart ? `${fullName};partitioned` : fullName, line)
  }

  const clear = (fullName: string) => {
    put(fullName, '', { maxAge: 0 })
    if (partitioned) put(fullName, '', { maxAge: 0, atTopLevel: true })
  }

  const chunksOf = (fullName: string) =>
    Object.keys(received).filter(
      (name) => name.startsWith(`${fullName}.`) && /^\d+$/.test(name.slice(fullName.length + 1)),
    )

  const clearAll = (fullName: string) => {
    clear(fullName)
    for (const chunk of chunksOf(fullName)) clear(chunk)
  }

  /** After a write or removal under its name, a cookie is not read under the earlier name. */
  const forgetEarlier = (name: string) => {
    const fullName = earlierNameOf(name)
    if (readsEarlier && joinCookie(received, fullName) !== undefined) clearAll(fullName)
  }

  return {
    nameOf,
    get: (name) =>
      namesOf(name).reduce<string | undefined>((found, one) => found ?? joinCookie(received, one), undefined),
    getSigned(name) {
      if (!checked.has(name)) {
        const sent = namesOf(name)
          .map((one) => received[one])
          .find((value) => value !== undefined)
        checked.set(name, unsignValue(secrets, name, sent))
      }
      return checked.get(name) ?? null
    },
    namesWith(start) {
      const within = (full: (name: string) => string) =>
        Object.keys(received)
          .filter((name) => name.startsWith(full(start)))
          .map((name) => name.slice(full('').length))
      return [...new Set([...within(nameOf), ...(readsEarlier ? within(earlierNameOf) : [])])]
    },
    set(name, value, options) {
      forgetEarlier(name)
      const fullName = nameOf(name)
      const pieces = chunkCookie(fullName, value, cookieCap)
      const kept = new Set(pieces.map(([piece]) => piece))
      for (const stale of [fullName, ...chunksOf(fullName)]) {
        if (!kept.has(stale) && received[stale] !== undefined) clear(stale)
      }
      for (const [piece, text] of pieces) put(piece, text, options)
    },
    setSigned(name, value, options) {
      forgetEarlier(name)
      const signed = signValue(secrets, name, value)
      put(nameOf(name), signed, options)
      return encodeURIComponent(signed)
    },
    clear(name) {
      forgetEarlier(name)
      clearAll(nameOf(name))
    },
    withdraw: () => outgoing.clear(),
    lines: () => [...outgoing.values()],
  }
}
