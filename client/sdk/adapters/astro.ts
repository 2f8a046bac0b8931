import type { AccountTypes, AnyAccounts } from '../../../worker/kit/account-types.ts'
import {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  type Guarded,
  type Rule,
} from '../authenticator/authenticator.ts'
import { requestsOf } from '../authenticator/requests.ts'

export type { AuthenticatorOptions, Caller, Rule } from '../authenticator/authenticator.ts'

/** The parts of `Astro`, and of the context of middleware, endpoints and actions, that are used. */
export interface AstroContext {
  request: Request
  /** One object for each request. */
  locals: object
}

/** The parts of the context of middleware that are used. */
export interface AstroMiddlewareContext extends AstroContext {
  isPrerendered: boolean
}

/** Middleware of Astro: `onRequest`. */
export type AstroMiddleware = (context: AstroMiddlewareContext, next: () => Promise<Response>) => Promise<Response>

export interface AstroAuth<P extends AccountTypes = AnyAccounts> {
  /**
   * Identifies the caller of every request: `Astro.locals.caller`, null for a visitor and while a page is prerendered. It sets the
   * cookies of the response. `export const onRequest = auth.session()`
   */
  session(): AstroMiddleware
  /** Lets callers pass whom the rule permits. It follows `session()`, in `sequence`. @throws TypeError for a prerendered page */
  protect(rule?: Rule<P>): AstroMiddleware
  /** Applies a rule in a page, an endpoint or an action. A page returns the response of a refusal. */
  guard(context: AstroContext, rule?: Rule<P>): Promise<Guarded<P>>
  /** The sign-in page, which leads back. @param returnTo a path of the product. @default the requested page */
  signInUrl(context: AstroContext, returnTo?: string): string
  /** The page that signs out and leads back. @param returnTo a path of the product. @default '/' */
  signOutUrl(context: AstroContext, returnTo?: string): string
  /**
   * A page of the accounts, such as `organizations/new` or `account/billing`, which leads back.
   * @param returnTo a path of the product. @default the requested page
   */
  pageUrl(context: AstroContext, page: string, returnTo?: string): string
  authenticator: Authenticator<P>
}

/**
 * Middleware of Astro, and a function for its pages.
 *
 *     export const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
 *     export const onRequest = auth.session()
 *
 *     const guarded = await auth.guard(Astro)
 *     if (!guarded.allowed) return guarded.response
 *
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export function gatehouseAuth<P extends AccountTypes = AnyAccounts>(options: AuthenticatorOptions): AstroAuth<P> {
  const authenticator = createAuthenticator<P>(options)
  const requests = requestsOf(authenticator)

  return {
    session:
      () =>
      ({ request, locals, isPrerendered }, next) => {
        // The build has no callers, and Astro warns of the headers of its requests.
        if (!isPrerendered) return requests.enter(locals, request, next)
        Object.assign(locals, { caller: null })
        return next()
      },
    protect:
      (rule = {}) =>
      async ({ locals, isPrerendered }, next) => {
        // Middleware does not run when the file of a prerendered page is served.
        if (isPrerendered) throw new TypeError('protect: a prerendered page is public. Set `prerender = false`')
        const guarded = await requests.guard(locals, rule)
        return guarded.allowed ? next() : guarded.response
      },
    guard: ({ locals }, rule = {}) => requests.guard(locals, rule),
    signInUrl: ({ locals }, returnTo) => authenticator.signInUrl(requests.pageOf(locals), returnTo),
    signOutUrl: ({ locals }, returnTo) => authenticator.signOutUrl(requests.pageOf(locals), returnTo),
    pageUrl: ({ locals }, page, returnTo) => authenticator.pageUrl(requests.pageOf(locals), page, returnTo),
    authenticator,
  }
}
