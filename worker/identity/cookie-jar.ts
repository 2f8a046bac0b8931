import {
  type CookieOptions,
  chunkCookie,
  cookieCap,
  joinCookie,
  parseCookies,
  serializeCookie,
  signValue,
  unsignValue,
} from '../kit/cookies.ts'
import { cookieOptions, type Settings } from './settings.ts'

export interface CookieJar {
  /** The full name of one of our cookies, with prefix and `__Secure-`. */
  nameOf(name: string): string
  get(name: string): string | undefined
  /** The value of a signed cookie; null when it is missing or not ours. */
  getSigned(name: string): string | null
  /** Short names of the request's cookies that begin so. */
  namesWith(prefix: string): string[]
  set(name: string, value: string, options?: JarOptions): void
  /** @returns the signed value as it is sent */
  setSigned(name: string, value: string, options?: JarOptions): string
  clear(name: string): void
  /** Takes back all that has been set or cleared so far. */
  withdraw(): void
  /** The Set-Cookie lines of the answer, one a cookie: the last word about it. */
  lines(): string[]
}

interface JarOptions extends CookieOptions {
  /** Read again when the browser itself comes here, so that no other site's partition may hold it. */
  atTopLevel?: boolean
}

/** Whether a page of another site asks, in whose partition (CHIPS) a browser that blocks its cookies keeps them. */
const isFromAnotherSite = (headers: Headers): boolean =>
  headers.get('sec-fetch-site') === 'cross-site' && headers.get('sec-fetch-mode') !== 'navigate'

/** The request's cookies and the answer's. */
export function cookieJar(
  headers: Headers,
  scope: { settings: Settings; options: Readonly<Record<string, unknown>> },
): CookieJar {
  const { prefix, domain, sameSite } = cookieOptions.of(scope)
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
  /** Signatures that have been checked: the limit, the claim and the session ask for the same one. */
  const checked = new Map<string, string | null>()
  const nameOf = (name: string) => `${secure ? '__Secure-' : ''}${prefix}.${name}`

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

  return {
    nameOf,
    get: (name) => joinCookie(received, nameOf(name)),
    getSigned(name) {
      if (!checked.has(name)) checked.set(name, unsignValue(secrets, received[nameOf(name)]))
      return checked.get(name) ?? null
    },
    namesWith: (start) =>
      Object.keys(received)
        .filter((name) => name.startsWith(nameOf(start)))
        .map((name) => name.slice(nameOf('').length)),
    set(name, value, options) {
      const fullName = nameOf(name)
      const pieces = chunkCookie(fullName, value, cookieCap)
      const kept = new Set(pieces.map(([piece]) => piece))
      for (const stale of [fullName, ...chunksOf(fullName)]) {
        if (!kept.has(stale) && received[stale] !== undefined) clear(stale)
      }
      for (const [piece, text] of pieces) put(piece, text, options)
    },
    setSigned(name, value, options) {
      const signed = signValue(secrets, value)
      put(nameOf(name), signed, options)
      return encodeURIComponent(signed)
    },
    clear(name) {
      const fullName = nameOf(name)
      clear(fullName)
      for (const chunk of chunksOf(fullName)) clear(chunk)
    },
    withdraw: () => outgoing.clear(),
    lines: () => [...outgoing.values()],
  }
}
