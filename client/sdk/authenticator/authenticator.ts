import type { AnyFields, FieldDefinitions } from '../../../worker/kit/field-types.ts'
import { mayDo, type Permissions, splitRoles } from '../../../worker/kit/permissions.ts'
import { feedOfSessions } from './ended.ts'
import { cookiesOf, forwardedCookies, jwtOf, publishedKeys, type Read, readJwt, readSessionData } from './local.ts'
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
  Via,
} from './types.ts'

export { sessionDataKey } from './local.ts'
export { safeReturnPath } from './return-address.ts'
export type * from './types.ts'

/** Gatehouse could not be asked. This does not mean that the caller is invalid: respond with 503, so that the client repeats. */
export class GatehouseUnavailable extends Error {
  override name = 'GatehouseUnavailable'
  /** For the response of the product. */
  readonly status = 503
}

/** Identifies the callers of a product. @template F the product's own fields */
export interface Authenticator<F extends FieldDefinitions = AnyFields> {
  /** The caller and the cookies that the response must set. @throws GatehouseUnavailable */
  check(request: RequestLike, options?: CheckOptions): Promise<Checked<F>>
  /** The caller, or null for a visitor; `check` without the cookies. @throws GatehouseUnavailable */
  authenticate(request: RequestLike, options?: CheckOptions): Promise<Caller<F> | null>
  /**
   * Applies a rule: the caller, or a response. A visitor gets a redirect to the sign-in page or 401, a user without the
   * role or the permission 403, and every caller 503 while Gatehouse cannot be asked.
   * @param checked the result of `check` for the same request: it is not repeated unless the rule has `fresh`, and its
   *   cookies are not returned again
   */
  guard(request: RequestLike, rule?: Rule, checked?: Checked<F>): Promise<Guarded<F>>
  /** The sign-in page, which leads back. @param returnTo a path of the product; an unsafe one becomes `/` */
  signInUrl(request: RequestLike, returnTo?: string): string
  /** The page that signs out and leads back to a path of the product. @param returnTo see signInUrl. @default '/' */
  signOutUrl(request: RequestLike, returnTo?: string): string
}

/** The methods of a binding that are called. */
interface Binding {
  getSession(credentials: object, options: object): Promise<Read | null>
  hasPermission(
    input: object,
  ): Promise<{ ok: true; result: { allowed: boolean } } | { ok: false; code: string; message: string }>
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
 * @template F the product's own fields: `createAuthenticator<typeof fields>(...)`
 * @throws TypeError for options that cannot work
 */
export function createAuthenticator<F extends FieldDefinitions = AnyFields>(
  options: AuthenticatorOptions,
): Authenticator<F> {
  const { cookiePrefix = 'gatehouse', timeout = 5000, refreshAfter = 86_400, serverKey, roles } = options
  if (!URL.canParse(options.url)) throw new TypeError('url: must be the address of Gatehouse')
  const { origin: url } = new URL(options.url)
  if (serverKey !== undefined && !/^gh_sk_[A-Za-z]+$/.test(serverKey)) {
    throw new TypeError('serverKey: must be a server key, gh_sk_...')
  }
  const binding = options.binding as Binding | undefined
  const sessionDataKeys = [options.sessionDataKey ?? []].flat()
  const { issuer = url, audience = url, algorithm = 'EdDSA' } = options.jwt || {}
  // Looked up for each call: tests and tools replace the global function.
  const request: typeof fetch = (input, init) => (options.fetch ?? fetch)(input, init)

  const keys = publishedKeys(url, request)
  const background = options.waitUntil ?? (() => {})
  const feed = options.endedSessions === false ? null : feedOfSessions(url, request, background)

  const credentialsOf = (headers: Headers): Record<string, string> => {
    const cookie = forwardedCookies(headers.get('cookie'), cookiePrefix)
    const authorization = headers.get('authorization')
    const bookmark = headers.get('x-gatehouse-bookmark')
    return {
      ...(bookmark ? { 'x-gatehouse-bookmark': bookmark } : {}),
      ...(cookie ? { cookie } : {}),
      ...(authorization && /^Bearer /i.test(authorization) ? { authorization } : {}),
    }
  }

  /** @param code statuses that are an answer @throws GatehouseUnavailable for all others */
  async function ask(path: string, init: RequestInit, accepted: readonly number[]): Promise<Response> {
    let answer: Response
    try {
      // Another address must get neither the key nor the cookie.
      answer = await request(url + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
    } catch (cause) {
      throw new GatehouseUnavailable(`Gatehouse did not answer at ${url}`, { cause })
    }
    if (!answer.ok && !accepted.includes(answer.status)) {
      throw new GatehouseUnavailable(`Gatehouse answered ${answer.status} to ${path}`)
    }
    return answer
  }

  /** An operation with the server key. */
  const operate = (name: string, input: object, accepted: readonly number[]): Promise<Response> =>
    ask(
      `/api/server/${name}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${serverKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      },
      accepted,
    )

  type Answer = { read: Read | null; via: Via; setCookies: string[] }

  /** get-session with the caller's own credentials: it extends the session and returns cookies. */
  async function askAsCaller(credentials: Record<string, string>, fresh: boolean): Promise<Answer> {
    const query = fresh ? '?disableCookieCache=true' : ''
    const answer = await ask(`/api/auth/get-session${query}`, { headers: credentials }, [401, 403])
    const read = answer.ok ? await jsonOf<Read | null>(answer) : null
    return { read, via: 'cookie', setCookies: answer.headers.getSetCookie() }
  }

  async function askGatehouse(credentials: Record<string, string>, fresh: boolean): Promise<Answer> {
    const settings = { disableCookieCache: fresh }
    if (binding) {
      try {
        return { read: await binding.getSession(credentials, settings), via: 'binding', setCookies: [] }
      } catch {
        // The other Worker is being replaced, or not there in development: it may be reachable over HTTP.
      }
    }
    if (!serverKey) return askAsCaller(credentials, fresh)
    const answer = await operate('get-session', { ...credentials, ...settings }, [])
    return { read: await jsonOf<Read | null>(answer), via: 'server-key', setCookies: [] }
  }

  /** Extends the session of a cookie, which neither the binding nor a server key can. */
  async function extended(answer: Answer, credentials: Record<string, string>): Promise<Answer> {
    const session = withDates(answer.read?.session ?? null)
    if (!session || !credentials.cookie || answer.via === 'cookie' || refreshAfter === null) return answer
    if (Date.now() - Number(session.updatedAt) < refreshAfter * 1000) return answer
    try {
      const asked = await askAsCaller(credentials, false)
      return { ...asked, via: answer.via }
    } catch {
      // The session is valid; its extension can wait for the next request.
      return answer
    }
  }

  /** Whether the session of a token has not ended: by the feed, or by Gatehouse while the feed is not known. */
  async function isJwtLive(token: string, { sessionId }: Read): Promise<boolean> {
    if (!feed || sessionId === undefined) return true
    const known = await feed.read()
    if (known) return !known.has(sessionId)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) }
    return (await jsonOf<{ active: boolean }>(await ask('/api/auth/token/status', init, []))).active === true
  }

  async function read({ headers }: RequestLike, fresh: boolean): Promise<Answer> {
    const jwt = options.jwt === false ? null : jwtOf(headers)
    if (jwt) {
      if (fresh) return { read: null, via: 'jwt', setCookies: [] }
      let found: Read | null
      try {
        found = await readJwt(jwt, keys, { issuer, audience, algorithm })
      } catch (cause) {
        throw new GatehouseUnavailable(`The keys of ${url} could not be read`, { cause })
      }
      const isLive = found !== null && (await isJwtLive(jwt, found))
      return { read: isLive ? found : null, via: 'jwt', setCookies: [] }
    }
    const credentials = credentialsOf(headers)
    const cookies = cookiesOf(headers.get('cookie'), cookiePrefix)
    if (cookies.session_token === undefined && !credentials.authorization) {
      return { read: null, via: 'cookie', setCookies: [] }
    }
    const data = fresh || credentials.authorization ? null : await readSessionData(cookies, sessionDataKeys, Date.now())
    // Gatehouse decides about an ended session, and about one that the feed cannot judge.
    const local = data && (!feed || (await feed.read())?.has(String(data.session?.id)) === false) ? data : null
    const answer: Answer = local
      ? { read: local, via: 'session-data', setCookies: [] }
      : await askGatehouse(credentials, fresh)
    return extended(answer, credentials)
  }

  /** Whether the caller's roles, in the deployment or in an organization, permit everything. */
  async function hasPermission(
    {
      user,
      session,
      headers,
    }: { user: { id: string; role?: unknown }; session: { activeOrganizationId?: unknown } | null; headers: Headers },
    wanted: Permissions,
    organization: string | undefined,
  ): Promise<boolean> {
    if (Object.keys(wanted).length === 0) return false
    if (organization === undefined && roles) return mayDo(roles, String(user.role ?? ''), wanted)
    const active = session?.activeOrganizationId
    const organizationId = organization === 'active' ? active : organization
    if (organization === 'active' && typeof active !== 'string') return false
    const input = { userId: user.id, permissions: wanted, ...(organizationId ? { organizationId } : {}) }
    if (binding) {
      try {
        const answer = await binding.hasPermission(input)
        return answer.ok && answer.result.allowed
      } catch {
        // As in askGatehouse.
      }
    }
    if (serverKey) {
      const answer = await operate('has-permission', input, [400, 404])
      return answer.ok && (await jsonOf<{ allowed: boolean }>(answer)).allowed
    }
    if (!session) throw new GatehouseUnavailable('Permissions of a JWT need `roles`, `binding` or `serverKey`')
    const path = organizationId ? '/api/auth/organization/has-permission' : '/api/auth/admin/has-permission'
    const body = JSON.stringify({ permissions: wanted, ...(organizationId ? { organizationId } : {}) })
    const own = { ...credentialsOf(headers), origin: url, 'content-type': 'application/json' }
    const answer = await ask(path, { method: 'POST', headers: own, body }, [400, 401, 403, 404])
    return answer.ok && (await jsonOf<{ success: boolean }>(answer)).success
  }

  async function check(asked: RequestLike, { fresh = false }: CheckOptions = {}): Promise<Checked<F>> {
    const { read: found, via, setCookies } = await read(asked, fresh)
    if (!found) return { caller: null, setCookies }
    const user = withDates(found.user) as unknown as UserOf<F>
    const session = withDates(found.session) as unknown as SessionOf<F> | null
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

  const signInUrl = (asked: RequestLike, returnTo?: string): string =>
    pageOf('sign-in', asked, returnTo ?? returnPathOf(asked, originOf(asked)))

  async function guard(asked: RequestLike, rule: Rule = {}, known?: Checked<F>): Promise<Guarded<F>> {
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
  }
}

/** @throws GatehouseUnavailable for a proxy, or an address that is not Gatehouse's */
async function jsonOf<T>(answer: Response): Promise<T> {
  try {
    return (await answer.json()) as T
  } catch (cause) {
    throw new GatehouseUnavailable('The answer is not one of Gatehouse', { cause })
  }
}

/** A response instead of the product's. */
function refusal(asked: RequestLike, status: 401 | 403 | 503, setCookies: string[]): Response {
  const [code, message] = {
    401: ['UNAUTHORIZED', 'Sign in to continue.'],
    403: ['FORBIDDEN', 'You do not have access.'],
    503: ['UNAVAILABLE', 'The account service does not answer. Try again.'],
  }[status] as [string, string]
  const headers = new Headers({ 'cache-control': 'no-store', ...(status === 503 ? { 'retry-after': '1' } : {}) })
  for (const line of setCookies) headers.append('set-cookie', line)
  if (!opensPage(asked)) return Response.json({ code, message }, { status, headers })
  headers.set('content-type', 'text/plain; charset=utf-8')
  return new Response(message, { status, headers })
}

/**
 * The 503 for a request whose caller could not be checked; other errors are thrown again.
 *
 *     const checked = await auth.check(request).catch((thrown) => unavailable(request, thrown))
 *     if (checked instanceof Response) return checked
 */
export function unavailable(request: RequestLike, thrown: unknown): Response {
  if (!(thrown instanceof GatehouseUnavailable)) throw thrown
  return refusal(request, thrown.status, [])
}
