import type { AccountTypes, AnyAccounts } from '../../../worker/kit/account-types.ts'
import {
  type Authenticator,
  type AuthenticatorOptions,
  type Caller,
  createAuthenticator,
  type Rule,
} from '../authenticator/authenticator.ts'
import { requestsOf } from '../authenticator/requests.ts'
import { opensPage } from '../authenticator/return-address.ts'

export type { AuthenticatorOptions, Caller, Rule } from '../authenticator/authenticator.ts'

/** The functions of `@sveltejs/kit` that end a load function or an action. */
export interface Kit {
  redirect(status: 302, location: string, options: { external: string[] }): never
  /** Called with a status and a message. Its type depends on the product's `App.Error`. */
  error(...given: never[]): never
}

/** The parts of an event that are used. */
export interface KitEvent {
  request: Request
  /** One object for each request. */
  locals: object
  isDataRequest: boolean
}

/** The parts of an event of the handle hook that are used. */
export interface KitHandleEvent extends KitEvent {
  /** The page, also for a request of its data. */
  url: URL
}

/** The `handle` hook. */
export type KitHandle = <E extends KitHandleEvent>(input: {
  event: E
  resolve(event: E): Response | Promise<Response>
}) => Promise<Response>

export interface SvelteKitAuth<P extends AccountTypes = AnyAccounts> {
  /**
   * Identifies the caller of every request: `event.locals.caller`, null for a visitor. It sets the cookies of the response.
   * `export const handle = auth.session()`
   */
  session(): KitHandle
  /** Lets callers pass whom the rule permits. It follows `session()`, in `sequence`. */
  protect(rule?: Rule<P>): KitHandle
  /**
   * The caller whom the rule permits, in a load function, an action or an endpoint.
   * @throws what `redirect` and `error` of SvelteKit throw: a page, its data and a form lead visitors to the sign-in page
   */
  requireCaller(event: KitEvent, rule?: Rule<P>): Promise<Caller<P>>
  /** The sign-in page, which leads back. @param returnTo a path of the product. @default the requested page */
  signInUrl(event: KitEvent, returnTo?: string): string
  /** The page that signs out and leads back. @param returnTo a path of the product. @default '/' */
  signOutUrl(event: KitEvent, returnTo?: string): string
  /**
   * A page of the accounts, such as `organizations/new` or `account/billing`, which leads back.
   * @param returnTo a path of the product. @default the requested page
   */
  pageUrl(event: KitEvent, page: string, returnTo?: string): string
  authenticator: Authenticator<P>
}

const isForm = ({ method, headers }: Request): boolean =>
  method === 'POST' &&
  /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)/.test(headers.get('content-type') ?? '')

/**
 * The handle hook of SvelteKit, and a function for load functions and actions.
 *
 *     export const auth = gatehouseAuth({ url: 'https://accounts.example.com' }, { error, redirect })
 *     export const handle = auth.session()
 *     export const load = async (event) => ({ name: (await auth.requireCaller(event)).user.name })
 *
 * @param kit of the product, because SvelteKit recognizes only what its own functions throw
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export function gatehouseAuth<P extends AccountTypes = AnyAccounts>(
  options: AuthenticatorOptions,
  kit: Kit,
): SvelteKitAuth<P> {
  const authenticator = createAuthenticator<P>(options)
  const requests = requestsOf(authenticator)

  function guard({ request, locals, isDataRequest }: KitEvent, rule: Rule<P>) {
    // SvelteKit follows a redirect in the browser when it loads data, and after a form.
    const leads = isDataRequest || isForm(request) || opensPage(request)
    return requests.guard(locals, { visitors: leads ? 'redirect' : 'status', ...rule })
  }

  /** @throws the redirect of a response */
  const lead = (location: string): never => kit.redirect(302, location, { external: [new URL(location).origin] })

  return {
    session:
      () =>
      async ({ event, resolve }) => {
        const { method, headers } = event.request
        return requests.enter(event.locals, { url: event.url.href, method, headers }, () => resolve(event))
      },
    protect:
      (rule = {}) =>
      async ({ event, resolve }) => {
        const guarded = await guard(event, rule)
        if (guarded.allowed) return resolve(event)
        const location = guarded.response.headers.get('location')
        // The browser must not follow the redirect of a form that it sends with fetch.
        return location && isForm(event.request) ? lead(location) : guarded.response
      },
    async requireCaller(event, rule = {}) {
      const guarded = await guard(event, rule)
      if (guarded.allowed) return guarded.caller
      const { status, headers } = guarded.response
      const location = headers.get('location')
      if (location) return lead(location)
      const text = await guarded.response.text()
      const message: string = headers.get('content-type')?.includes('json') ? JSON.parse(text).message : text
      return (kit.error as (status: number, message: string) => never)(status, message)
    },
    signInUrl: (event, returnTo) => authenticator.signInUrl(requests.pageOf(event.locals), returnTo),
    signOutUrl: (event, returnTo) => authenticator.signOutUrl(requests.pageOf(event.locals), returnTo),
    pageUrl: (event, page, returnTo) => authenticator.pageUrl(requests.pageOf(event.locals), page, returnTo),
    authenticator,
  }
}
