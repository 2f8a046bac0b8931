import { redirect } from '@tanstack/react-router'
import type { RequestServerOptions, RequestServerResult } from '@tanstack/react-start'
import {
  appendResponseHeader,
  getRequest,
  getResponseHeader,
  setResponseHeader,
  setResponseStatus,
} from '@tanstack/react-start/server'
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

/** For `createMiddleware().server(...)`. @template C what `context.caller` is for later middleware */
export type StartMiddleware<C> = <Register, Middlewares>(
  given: RequestServerOptions<Register, Middlewares>,
) => Promise<RequestServerResult<Register, Middlewares, { caller: C }> | Response>

export interface StartAuth<P extends AccountTypes = AnyAccounts> {
  /**
   * For `requestMiddleware` of `src/start.ts`: identifies the caller of every request, `context.caller`, null for a visitor, and
   * sets the cookies. `createMiddleware().server(auth.session())`
   */
  session(): StartMiddleware<Caller<P> | null>
  /** For `server.middleware` of a route: lets callers pass whom the rule permits. */
  protect(rule?: Rule<P>): StartMiddleware<Caller<P>>
  /** The caller in a server function or a server route; null for a visitor. @throws GatehouseUnavailable, without `session()` */
  findCaller(): Promise<Caller<P> | null>
  /**
   * The caller whom the rule permits, in a server function. A server function that `beforeLoad` or a loader calls passes the path
   * of its page as `returnTo`.
   * @throws the redirect to the sign-in page, which the router follows, or NotPermitted
   */
  requireCaller(rule?: Rule<P>): Promise<Caller<P>>
  /** The sign-in page, which leads back. @param returnTo a path of the product. @default the requested path */
  signInUrl(returnTo?: string): string
  /** The page that signs out and leads back. @param returnTo a path of the product. @default '/' */
  signOutUrl(returnTo?: string): string
  /**
   * A page of the accounts, such as `organizations/new` or `account/billing`, which leads back.
   * @param returnTo a path of the product. @default the requested path
   */
  pageUrl(page: string, returnTo?: string): string
  authenticator: Authenticator<P>
}

/** A server function refused its caller. */
export class NotPermitted extends Error {
  override name = 'NotPermitted'
  /** @param status 401, 403, or 503 while Gatehouse cannot be asked. It is the status of the response, too. */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** The page of a request: a server function that the router calls in the browser has a path of its own. */
function pageOf({ url, method, headers }: Request): RequestLike {
  const isCall = headers.get('x-tsr-serverfn') === 'true'
  // A method other than GET leads back to the referring page.
  return { url, method: isCall ? 'POST' : method, headers }
}

/**
 * Middleware and functions of TanStack Start.
 *
 *     export const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
 *     const { user } = await auth.requireCaller({ role: 'admin' })
 *
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export function gatehouseAuth<P extends AccountTypes = AnyAccounts>(options: AuthenticatorOptions): StartAuth<P> {
  const authenticator = createAuthenticator<P>(options)
  const checks = new WeakMap<object, Checked<P>>()

  /** Keeps a check for the request and sets the headers of the response. */
  function enter(request: Request, checked: Checked<P>): Checked<P> {
    const { setCookies, cacheControl } = headersFor(checked)
    for (const line of setCookies) appendResponseHeader('set-cookie', line)
    if (cacheControl && !getResponseHeader('cache-control')) setResponseHeader('cache-control', cacheControl)
    checks.set(request, checked)
    return checked
  }

  return {
    session:
      () =>
      async ({ request, next }) => {
        const checked = await authenticator.check(request).catch((thrown: unknown) => unavailable(request, thrown))
        if (checked instanceof Response) return checked
        return await next({ context: { caller: enter(request, checked).caller } })
      },
    protect:
      (rule = {}) =>
      async ({ request, next }) => {
        const guarded = await authenticator.guard(pageOf(request), rule, checks.get(request))
        if (!guarded.allowed) return guarded.response
        enter(request, guarded)
        return await next({ context: { caller: guarded.caller } })
      },
    async findCaller() {
      const request = getRequest()
      return (checks.get(request) ?? enter(request, await authenticator.check(request))).caller
    },
    async requireCaller(rule = {}) {
      const request = getRequest()
      const known = checks.get(request)
      const guarded = await authenticator.guard(pageOf(request), { visitors: 'redirect', ...rule }, known)
      if (guarded.allowed) {
        enter(request, guarded)
        return guarded.caller
      }
      const { status, headers } = guarded.response
      for (const line of headers.getSetCookie()) appendResponseHeader('set-cookie', line)
      const location = headers.get('location')
      if (location) throw redirect({ href: location, statusCode: status })
      setResponseStatus(status)
      throw new NotPermitted(status, await messageOf(guarded.response))
    },
    signInUrl: (returnTo) => authenticator.signInUrl(pageOf(getRequest()), returnTo),
    signOutUrl: (returnTo) => authenticator.signOutUrl(pageOf(getRequest()), returnTo),
    pageUrl: (page, returnTo) => authenticator.pageUrl(pageOf(getRequest()), page, returnTo),
    authenticator,
  }
}

/** The message of a refusal, which is JSON for a request that opens no page. */
async function messageOf(refusal: Response): Promise<string> {
  const text = await refusal.text()
  return refusal.headers.get('content-type')?.includes('json') ? JSON.parse(text).message : text
}
