import type { Context, MiddlewareHandler } from 'hono'
import type { AccountTypes, AnyAccounts } from '../../../worker/kit/account-types.ts'
import {
  type Authenticator,
  type AuthenticatorOptions,
  type Caller,
  type Checked,
  createAuthenticator,
  type Rule,
  unavailable,
} from '../authenticator/authenticator.ts'
import { headersFor } from '../authenticator/outgoing.ts'

export type { AuthenticatorOptions, Caller, Rule } from '../authenticator/authenticator.ts'

export interface HonoAuth<P extends AccountTypes = AnyAccounts> {
  /** Identifies the caller of every request: `c.var.caller`, null for a visitor. */
  session(): MiddlewareHandler<{ Variables: { caller: Caller<P> | null } }>
  /** Lets callers pass whom the rule permits: `c.var.caller` is one of them. */
  protect(rule?: Rule<P>): MiddlewareHandler<{ Variables: { caller: Caller<P> } }>
  /** The sign-in page, which leads back. @param returnTo a path of the product. @default the requested path */
  signInUrl(c: Context, returnTo?: string): string
  /** The page that signs out and leads back. @param returnTo a path of the product. @default '/' */
  signOutUrl(c: Context, returnTo?: string): string
  /**
   * A page of the accounts, such as `organizations/new` or `account/billing`, which leads back.
   * @param returnTo a path of the product. @default the requested path
   */
  pageUrl(c: Context, page: string, returnTo?: string): string
  /** The authenticator of this environment. */
  authenticator(c: Context): Authenticator<P>
}

/**
 * Middleware of Hono.
 *
 *     const auth = gatehouseAuth((env: Env) => ({ url: env.GATEHOUSE_URL, binding: env.GATEHOUSE }))
 *     app.get('/members', auth.protect(), (c) => c.text(c.var.caller.user.name))
 *
 * @param options or a function of the bindings, which a Worker has in a request only
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export function gatehouseAuth<P extends AccountTypes = AnyAccounts, Env = never>(
  options: AuthenticatorOptions | ((env: Env) => AuthenticatorOptions),
): HonoAuth<P> {
  const byEnvironment = new WeakMap<object, Authenticator<P>>()
  const checks = new WeakMap<Request, Checked<P>>()
  const only = typeof options === 'function' ? null : createAuthenticator<P>(options)

  function authenticator({ env }: Context): Authenticator<P> {
    if (only) return only
    const key = Object(env) as object
    const known = byEnvironment.get(key) ?? createAuthenticator<P>((options as (env: Env) => AuthenticatorOptions)(env))
    byEnvironment.set(key, known)
    return known
  }

  const finish = (c: Context, checked: Parameters<typeof headersFor>[0]): void => {
    const { setCookies, cacheControl } = headersFor(checked)
    for (const line of setCookies) c.header('set-cookie', line, { append: true })
    if (cacheControl && !c.res.headers.has('cache-control')) c.header('cache-control', cacheControl)
  }

  return {
    session: () => async (c, next) => {
      const request = c.req.raw
      const checked = await authenticator(c)
        .check(request)
        .catch((thrown: unknown) => unavailable(request, thrown))
      if (checked instanceof Response) return checked
      checks.set(request, checked)
      c.set('caller', checked.caller)
      await next()
      finish(c, checked)
    },
    protect: (rule) => async (c, next) => {
      const guarded = await authenticator(c).guard(c.req.raw, rule, checks.get(c.req.raw))
      if (!guarded.allowed) return guarded.response
      c.set('caller', guarded.caller)
      await next()
      finish(c, guarded)
    },
    signInUrl: (c, returnTo) => authenticator(c).signInUrl(c.req.raw, returnTo),
    signOutUrl: (c, returnTo) => authenticator(c).signOutUrl(c.req.raw, returnTo),
    pageUrl: (c, page, returnTo) => authenticator(c).pageUrl(c.req.raw, page, returnTo),
    authenticator,
  }
}
