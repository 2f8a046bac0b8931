import { headers } from 'next/headers'
import { forbidden, redirect, unauthorized } from 'next/navigation'
import { NextResponse } from 'next/server'
import { cache } from 'react'
import type { AccountTypes, AnyAccounts } from '../../../worker/kit/account-types.ts'
import {
  type Authenticator,
  type AuthenticatorOptions,
  type Caller,
  type Checked,
  createAuthenticator,
  GatehouseUnavailable,
  type Guarded,
  type RequestLike,
  type Rule,
  unavailable,
} from '../authenticator/authenticator.ts'
import { headersFor } from '../authenticator/outgoing.ts'

export type { AuthenticatorOptions, Caller, Guarded, Rule } from '../authenticator/authenticator.ts'

export interface NextAuth<P extends AccountTypes = AnyAccounts> {
  /**
   * For `proxy.ts`: identifies the caller of every request, sets the cookies, and applies rules to paths.
   * `export const proxy = auth.proxy({ '/members': {}, '/admin': { role: 'admin' } })`
   * @param rules a path and those below it. The longest path that matches decides; null lets every request pass.
   */
  proxy(rules?: Record<string, Rule<P> | null>): (request: Request) => Promise<Response>
  /** The caller in a server component, a server action or a route handler; null for a visitor. @throws GatehouseUnavailable */
  findCaller(): Promise<Caller<P> | null>
  /**
   * The caller whom the rule permits, in a server component or a server action. It redirects visitors to the sign-in page.
   * @throws what Next.js catches: `redirect()`; `forbidden()` and `unauthorized()`, which need `experimental.authInterrupts`
   * @throws GatehouseUnavailable
   */
  requireCaller(rule?: Rule<P>): Promise<Caller<P>>
  /** Applies a rule in a route handler: the caller, or the response. */
  guard(request: Request, rule?: Rule<P>): Promise<Guarded<P>>
  /** The sign-in page, which leads back. @param returnTo a path of the product. @default the requested path */
  signInUrl(returnTo?: string): Promise<string>
  /** The page that signs out and leads back. @param returnTo a path of the product. @default '/' */
  signOutUrl(returnTo?: string): Promise<string>
  /**
   * A page of the accounts, such as `organizations/new` or `account/billing`, which leads back.
   * @param returnTo a path of the product. @default the requested path
   */
  pageUrl(page: string, returnTo?: string): Promise<string>
  /** The authenticator, which is created for the first request. */
  authenticator(): Authenticator<P>
}

/** The requested path, from the proxy: server components do not know it. A client can invent it for its own request only. */
const pathHeader = 'x-gatehouse-path'
/** The name of the proxy's check in `handed`. */
const checkHeader = 'x-gatehouse-check'

/** A check that the proxy has made, for the server functions of the same request. */
interface Handed {
  checked: Checked
  url: string
  credentials: string
  /** In milliseconds. */
  until: number
}

/** Milliseconds in which a request reaches its page. */
const handedFor = 10_000
const maxHanded = 1000

/** Next.js bundles the proxy and the pages separately. Where they are in different processes, both check the request. */
function handedChecks(): Map<string, Handed> {
  const shared = globalThis as { [key: symbol]: Map<string, Handed> | undefined }
  return (shared[Symbol.for('gatehouse-auth/next')] ??= new Map())
}

const credentialsOf = (given: Headers): string => JSON.stringify([given.get('authorization'), given.get('cookie')])

/** @returns the name of the check, which no client can guess */
function handOver(checked: Checked, url: string, given: Headers): string {
  const all = handedChecks()
  for (const [id, { until }] of all) {
    if (until > Date.now() && all.size < maxHanded) break
    all.delete(id)
  }
  const id = crypto.randomUUID()
  all.set(id, { checked, url, credentials: credentialsOf(given), until: Date.now() + handedFor })
  return id
}

function takeOver(url: string, given: Headers): Checked | undefined {
  const found = handedChecks().get(given.get(checkHeader) ?? '')
  const isValid = found && found.until > Date.now() && found.url === url && found.credentials === credentialsOf(given)
  return isValid ? found.checked : undefined
}

/** Next.js names its own address in `request.url`, so the origin is that of the headers. @param path with the query */
function requestAt(path: string, method: string, given: Headers): RequestLike {
  const protocol = given.get('x-forwarded-proto')?.split(',')[0] === 'https' ? 'https' : 'http'
  const base = `${protocol}://${given.get('host') ?? 'localhost'}`
  const url = path.startsWith('/') && URL.canParse(base + path) ? base + path : `${base}/`
  return { url, method, headers: given }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The rule of the longest path that contains a path; encoded signs and repeated slashes are the same path. */
function ruleFor<Found>(rules: Record<string, Found>, pathname: string): Found | null {
  let path = pathname
  try {
    path = decodeURIComponent(pathname)
  } catch {
    // Next.js refuses it.
  }
  const segments = (text: string) => `${text}/`.replace(/\/{2,}/g, '/')
  const [found] = Object.keys(rules)
    .filter((key) => segments(path).startsWith(segments(key)))
    .sort((a, b) => b.length - a.length)
  return found === undefined ? null : rules[found]!
}

/**
 * Functions for the App Router of Next.js.
 *
 *     export const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
 *     const { user } = await auth.requireCaller({ role: 'admin' })
 *
 * @param options or a function that returns them, for bindings that a Worker has in a request only
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export function gatehouseAuth<P extends AccountTypes = AnyAccounts>(
  options: AuthenticatorOptions | (() => AuthenticatorOptions),
): NextAuth<P> {
  let created: { authenticator: Authenticator<P>; url: string } | undefined
  function auth() {
    if (created) return created
    const given = typeof options === 'function' ? options() : options
    created = { authenticator: createAuthenticator<P>(given), url: given.url }
    return created
  }
  if (typeof options !== 'function') auth()

  const taken = (given: Headers) => takeOver(auth().url, given) as Checked<P> | undefined

  /** The request of a server function. React calls it once for each request that it renders. */
  const current = cache(async () => {
    const given = await headers()
    return requestAt(given.get(pathHeader) ?? '/', 'GET', given)
  })

  const checkCurrent = cache(async (): Promise<Checked<P>> => {
    const request = await current()
    return taken(request.headers) ?? (await auth().authenticator.check(request))
  })

  const guard = (request: RequestLike, rule: Rule<P>, known?: Checked<P>) =>
    auth().authenticator.guard(request, rule, known)

  return {
    proxy:
      (rules = {}) =>
      async (given) => {
        const { authenticator, url } = auth()
        const request = requestAt(pathOf(given.url), given.method, given.headers)
        const rule = ruleFor(rules, (given as { nextUrl?: URL }).nextUrl?.pathname ?? new URL(given.url).pathname)
        const checked = rule
          ? await authenticator.guard(request, rule)
          : await authenticator.check(request).catch((thrown: unknown) => unavailable(request, thrown))
        if (checked instanceof Response) return checked
        if ('response' in checked) return checked.response
        const passed = new Headers(given.headers)
        passed.set(pathHeader, pathOf(given.url))
        passed.set(checkHeader, handOver(checked as Checked, url, given.headers))
        const response = NextResponse.next({ request: { headers: passed } })
        const { setCookies, cacheControl } = headersFor(checked)
        for (const line of setCookies) response.headers.append('set-cookie', line)
        if (cacheControl) response.headers.set('cache-control', cacheControl)
        return response
      },
    findCaller: async () => (await checkCurrent()).caller,
    async requireCaller(rule = {}) {
      const request = await current()
      const guarded = await guard(request, { visitors: 'redirect', ...rule }, await checkCurrent())
      if (guarded.allowed) return guarded.caller
      const { status } = guarded.response
      if (status === 302) redirect(guarded.response.headers.get('location')!)
      if (status === 403) forbidden()
      if (status === 401) unauthorized()
      throw new GatehouseUnavailable('The permissions could not be read')
    },
    guard: (given, rule = {}) =>
      guard(requestAt(pathOf(given.url), given.method, given.headers), rule, taken(given.headers)),
    signInUrl: async (returnTo) => auth().authenticator.signInUrl(await current(), returnTo),
    signOutUrl: async (returnTo) => auth().authenticator.signOutUrl(await current(), returnTo),
    pageUrl: async (page, returnTo) => auth().authenticator.pageUrl(await current(), page, returnTo),
    authenticator: () => auth().authenticator,
  }
}
