import type { AccountTypes, AnyAccounts } from '../../../worker/kit/account-types.ts'
import {
  type Authenticator,
  type AuthenticatorOptions,
  type Caller,
  type Checked,
  createAuthenticator,
  type RequestLike,
  type Rule,
  unavailable,
} from '../authenticator/authenticator.ts'
import { headersFor } from '../authenticator/outgoing.ts'

export type { AuthenticatorOptions, Caller, Rule } from '../authenticator/authenticator.ts'

/** The parts of the argument of loaders, actions and middleware that are used. */
export interface RouteArguments {
  request: Request
  /** One object for each request. */
  context: object
}

/** Middleware of React Router. */
export type RouteMiddleware = (given: RouteArguments, next: () => Promise<Response>) => Promise<Response>

export interface ReactRouterAuth<P extends AccountTypes = AnyAccounts> {
  /**
   * For the root route: identifies the caller of every request and sets the cookies of its response.
   * `export const middleware = [auth.session()]`
   */
  session(): RouteMiddleware
  /** For a protected route and those below it: lets callers pass whom the rule permits. */
  protect(rule?: Rule<P>): RouteMiddleware
  /** The caller in a loader or an action; null for a visitor. @throws GatehouseUnavailable, without `session()` */
  findCaller(given: RouteArguments): Promise<Caller<P> | null>
  /** The caller whom the rule permits. @throws a Response, which React Router returns: the redirect, or an error */
  requireCaller(given: RouteArguments, rule?: Rule<P>): Promise<Caller<P>>
  /** The sign-in page, which leads back. @param returnTo a path of the product. @default the requested path */
  signInUrl(request: Request, returnTo?: string): string
  /** The page that signs out and leads back. @param returnTo a path of the product. @default '/' */
  signOutUrl(request: Request, returnTo?: string): string
  /**
   * A page of the accounts, such as `organizations/new` or `account/billing`, which leads back.
   * @param returnTo a path of the product. @default the requested path
   */
  pageUrl(request: Request, page: string, returnTo?: string): string
  authenticator: Authenticator<P>
}

/** The page of a request: React Router loads the data of `/members` from `/members.data`, that of `/` from `/_root.data`. */
function pageOf({ url, method, headers }: Request): RequestLike {
  const page = new URL(url)
  if (page.pathname.endsWith('.data')) {
    page.pathname = page.pathname.replace(/(?:_root)?\.data$/, '')
    page.searchParams.delete('_routes')
  }
  return { url: page.href, method, headers }
}

/**
 * Middleware and functions for loaders of React Router, in framework mode or in data mode on a server.
 *
 *     export const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
 *     export const middleware = [auth.protect({ role: 'admin' })]
 *
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export function gatehouseAuth<P extends AccountTypes = AnyAccounts>(options: AuthenticatorOptions): ReactRouterAuth<P> {
  const authenticator = createAuthenticator<P>(options)
  /** By the context, because each loader gets a request of its own. */
  const checks = new WeakMap<object, Checked<P>>()

  /** React Router follows a redirect of a loader in the browser, also when it loads data without a page. */
  const guard = ({ request, context }: RouteArguments, rule: Rule<P>) =>
    authenticator.guard(pageOf(request), { visitors: 'redirect', ...rule }, checks.get(context))

  function finish(response: Response, checked: Parameters<typeof headersFor>[0]): Response {
    const { setCookies, cacheControl } = headersFor(checked)
    for (const line of setCookies) response.headers.append('set-cookie', line)
    if (cacheControl && !response.headers.has('cache-control')) response.headers.set('cache-control', cacheControl)
    return response
  }

  return {
    session: () => async (given, next) => {
      const { request, context } = given
      const checked = await authenticator.check(request).catch((thrown: unknown) => unavailable(request, thrown))
      if (checked instanceof Response) return checked
      checks.set(context, checked)
      return finish(await next(), checked)
    },
    protect:
      (rule = {}) =>
      async (given, next) => {
        const guarded = await guard(given, rule)
        if (!guarded.allowed) throw guarded.response
        checks.set(given.context, guarded)
        return finish(await next(), guarded)
      },
    async findCaller({ request, context }) {
      const known = checks.get(context) ?? (await authenticator.check(request))
      checks.set(context, known)
      return known.caller
    },
    async requireCaller(given, rule = {}) {
      const guarded = await guard(given, rule)
      if (!guarded.allowed) throw guarded.response
      return guarded.caller
    },
    signInUrl: (request, returnTo) => authenticator.signInUrl(pageOf(request), returnTo),
    signOutUrl: (request, returnTo) => authenticator.signOutUrl(request, returnTo),
    pageUrl: (request, page, returnTo) => authenticator.pageUrl(pageOf(request), page, returnTo),
    authenticator,
  }
}
