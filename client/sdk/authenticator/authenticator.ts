import type { AccountTypes, AnyAccounts } from '../../../worker/kit/account-types.ts'
import { type Permissions, splitRoles } from '../../../worker/kit/permissions.ts'
import { feedOfSessions } from './ended.ts'
import { GatehouseUnavailable, gatehouseOf } from './gatehouse.ts'
import { jwtOf } from './local.ts'
import { permissionCheck } from './permissions.ts'
import { jwtReader } from './read-jwt.ts'
import { type Found, sessionReader } from './read-session.ts'
import { refusal } from './refusal.ts'
import { opensPage, returnPathOf, safeReturnPath } from './return-address.ts'
import type {
  AuthenticatorOptions,
  Caller,
  Checked,
  CheckOptions,
  Guarded,
  RequestLike,
  Rule,
  SessionOf,
  UserOf,
} from './types.ts'

export { GatehouseUnavailable } from './gatehouse.ts'
export { sessionDataKey } from './local.ts'
export { unavailable } from './refusal.ts'
export { safeReturnPath } from './return-address.ts'
export type * from './types.ts'

/** Identifies the callers of a product. @template P the product: `Accounts`, the type that its deployment exports */
export interface Authenticator<P extends AccountTypes = AnyAccounts> {
  /** The caller and the cookies that the response must set. @throws GatehouseUnavailable */
  check(request: RequestLike, options?: CheckOptions): Promise<Checked<P>>
  /** The caller, or null for a visitor; `check` without the cookies. @throws GatehouseUnavailable */
  authenticate(request: RequestLike, options?: CheckOptions): Promise<Caller<P> | null>
  /**
   * Applies a rule: the caller, or a response. A visitor gets a redirect to the sign-in page or 401, a user without the
   * role or the permission 403, and every caller 503 while Gatehouse cannot be asked.
   * @param checked the result of `check` for the same request: it is not repeated unless the rule has `fresh`, and its
   *   cookies are not returned again
   */
  guard(request: RequestLike, rule?: Rule<P>, checked?: Checked<P>): Promise<Guarded<P>>
  /** The sign-in page, which leads back. @param returnTo a path of the product; an unsafe one becomes `/` */
  signInUrl(request: RequestLike, returnTo?: string): string
  /** The page that signs out and leads back to a path of the product. @param returnTo see signInUrl. @default '/' */
  signOutUrl(request: RequestLike, returnTo?: string): string
  /** A page of the accounts, such as `organizations/new` or `account/billing`, which leads back. @param returnTo see signInUrl */
  pageUrl(request: RequestLike, page: string, returnTo?: string): string
}

const dates = ['createdAt', 'updatedAt', 'expiresAt', 'banExpires', 'lastSignInAt']

/** Dates are ISO texts in JSON. */
function withDates<T extends Record<string, unknown> | null>(row: T): T {
  if (!row) return row
  const read = dates.filter((name) => typeof row[name] === 'string').map((name) => [name, new Date(String(row[name]))])
  return { ...row, ...Object.fromEntries(read) }
}

/**
 * Identifies the callers of a product's requests. In this order: a JWT, verified with the published keys; the session
 * data cookie, if its key is configured; the service binding; a request to Gatehouse with a server key, or with the
 * caller's cookie. A request without credentials causes no request.
 *
 *     const auth = createAuthenticator({ url: 'https://accounts.example.com' })
 *     const guarded = await auth.guard(request, { permissions: { invoice: ['pay'] }, organization: 'active' })
 *     if (!guarded.allowed) return guarded.response
 *
 * @template P the product: `Accounts`, the type that its deployment exports
 * @throws TypeError for options that cannot work
 */
export function createAuthenticator<P extends AccountTypes = AnyAccounts>(
  options: AuthenticatorOptions,
): Authenticator<P> {
  const gatehouse = gatehouseOf(options)
  const { url, request } = gatehouse
  const background = options.waitUntil ?? (() => {})
  const feed = options.endedSessions === false ? null : feedOfSessions(url, request, background)
  const readJwtCaller = jwtReader(gatehouse, options, feed)
  const readSession = sessionReader(gatehouse, options, feed)
  const hasPermission = permissionCheck(gatehouse, options)

  async function read({ headers }: RequestLike, fresh: boolean): Promise<Found> {
    const jwt = options.jwt === false ? null : jwtOf(headers)
    if (!jwt) return readSession(headers, fresh)
    return { read: fresh ? null : await readJwtCaller(jwt), via: 'jwt', setCookies: [] }
  }

  async function check(asked: RequestLike, { fresh = false }: CheckOptions = {}): Promise<Checked<P>> {
    const { read: found, via, setCookies } = await read(asked, fresh)
    if (!found) return { caller: null, setCookies }
    const user = withDates(found.user) as unknown as UserOf<P>
    const session = withDates(found.session) as unknown as SessionOf<P> | null
    const facts = { user, session, headers: asked.headers }
    const permissions = {
      roles: splitRoles(user.role ?? ''),
      has: (wanted: Permissions, { organization }: { organization?: string } = {}) =>
        hasPermission(facts, wanted, organization),
    }
    return { caller: { user, session, permissions, via }, setCookies }
  }

  const originOf = (asked: RequestLike): string => options.origin ?? new URL(asked.url).origin

  const pageOf = (page: string, asked: RequestLike, path: string): string => {
    const origin = originOf(asked)
    return `${url}/${page}?callbackURL=${encodeURIComponent(origin + safeReturnPath(path, origin))}`
  }

  const pageUrl = (asked: RequestLike, page: string, returnTo?: string): string =>
    pageOf(page, asked, returnTo ?? returnPathOf(asked, originOf(asked)))
  const signInUrl = (asked: RequestLike, returnTo?: string): string => pageUrl(asked, 'sign-in', returnTo)

  async function guard(asked: RequestLike, rule: Rule<P> = {}, known?: Checked<P>): Promise<Guarded<P>> {
    let setCookies: string[] = []
    try {
      const reused = known && !rule.fresh ? { caller: known.caller, setCookies: [] } : null
      const { caller, setCookies: found } = reused ?? (await check(asked, rule))
      setCookies = found
      if (!caller) {
        const leads = rule.visitors ? rule.visitors === 'redirect' : opensPage(asked)
        if (!leads) return { allowed: false, response: refusal(asked, 401, setCookies) }
        const headers = new Headers({ location: signInUrl(asked, rule.returnTo), 'cache-control': 'no-store' })
        for (const line of setCookies) headers.append('set-cookie', line)
        return { allowed: false, response: new Response(null, { status: 302, headers }) }
      }
      const wantedRoles = rule.role === undefined ? null : [rule.role].flat()
      const holds = !wantedRoles || wantedRoles.some((one) => caller.permissions.roles.includes(one))
      const { permissions, organization } = rule
      const where = organization === undefined ? {} : { organization }
      const allowed = holds && (!permissions || (await caller.permissions.has(permissions, where)))
      if (allowed) return { allowed, caller, setCookies }
      return { allowed, response: refusal(asked, 403, setCookies) }
    } catch (thrown) {
      if (!(thrown instanceof GatehouseUnavailable)) throw thrown
      return { allowed: false, response: refusal(asked, thrown.status, setCookies) }
    }
  }

  return {
    check,
    authenticate: async (asked, wanted) => (await check(asked, wanted)).caller,
    guard,
    signInUrl,
    signOutUrl: (asked, returnTo = '/') => pageOf('sign-out', asked, returnTo),
    pageUrl,
  }
}
