import type { AccountTypes, AnyAccounts } from '../../../worker/kit/account-types.ts'
import type { Authenticator, AuthenticatorOptions, Caller, Rule } from '../authenticator/authenticator.ts'
import { type NodeRequest, type NodeResponse, nodeAuth, outgoing, send } from '../authenticator/node.ts'

export type { AuthenticatorOptions, Caller, Rule } from '../authenticator/authenticator.ts'

/** The parts of an event of h3 that are used. */
export interface NuxtEvent {
  node: { req: NodeRequest; res: NodeResponse }
  /** One object for each request. */
  context: object
}

/** A handler for `defineEventHandler`: server middleware, or one of `onRequest`. */
export type NuxtHandler = (event: NuxtEvent) => Promise<void>

export interface NuxtAuth<P extends AccountTypes = AnyAccounts> {
  /**
   * For server middleware: identifies the caller of every request, `event.context.caller`, null for a visitor.
   * `export default defineEventHandler(auth.session())`
   */
  session(): NuxtHandler
  /** Lets callers pass whom the rule permits. `defineEventHandler({ onRequest: auth.protect(), handler })` */
  protect(rule?: Rule<P>): NuxtHandler
  /** The caller of a request after `session()` or `protect()`; null for a visitor. */
  findCaller(event: NuxtEvent): Caller<P> | null
  /** The caller of a protected request. @throws TypeError for a request that `protect()` has not let pass */
  callerOf(event: NuxtEvent): Caller<P>
  /** The sign-in page, which leads back. @param returnTo a path of the product. @default the requested path */
  signInUrl(event: NuxtEvent, returnTo?: string): string
  /** The page that signs out and leads back. @param returnTo a path of the product. @default '/' */
  signOutUrl(event: NuxtEvent, returnTo?: string): string
  /**
   * A page of the accounts, such as `organizations/new` or `account/billing`, which leads back.
   * @param returnTo a path of the product. @default the requested path
   */
  pageUrl(event: NuxtEvent, page: string, returnTo?: string): string
  authenticator: Authenticator<P>
}

/**
 * Server middleware of Nuxt, and of Nitro with h3 version 1.
 *
 *     const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
 *     export default defineEventHandler({
 *       onRequest: auth.protect({ role: 'admin' }),
 *       handler: (event) => auth.callerOf(event).user.name,
 *     })
 *
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export function gatehouseAuth<P extends AccountTypes = AnyAccounts>(options: AuthenticatorOptions): NuxtAuth<P> {
  const requests = new WeakMap<object, NodeRequest>()

  /**
   * The request of the browser that this one is a part of: rendering on the server requests data without the network, with
   * the context of the page. Nitro keeps it in this property.
   */
  function outerOf({ node: { req } }: NuxtEvent): NodeRequest | undefined {
    const context = (req as { __unenv__?: unknown }).__unenv__
    const outer = typeof context === 'object' && context ? requests.get(context) : undefined
    const isSame = (name: string) => outer?.headers[name] === req.headers[name]
    return isSame('cookie') && isSame('authorization') ? outer : undefined
  }

  const auth = nodeAuth<NuxtHandler, P>(options, (enter, rule) => async (event) => {
    const { req, res } = event.node
    const instead = await enter(req, rule, outgoing(res), outerOf(event))
    if (instead) return send(res, instead)
    requests.set(event.context, req)
    Object.assign(event.context, { caller: auth.findCaller(req) })
  })

  return {
    session: auth.session,
    protect: auth.protect,
    findCaller: ({ node }) => auth.findCaller(node.req),
    callerOf: ({ node }) => auth.callerOf(node.req),
    signInUrl: ({ node }, returnTo) => auth.signInUrl(node.req, returnTo),
    signOutUrl: ({ node }, returnTo) => auth.signOutUrl(node.req, returnTo),
    pageUrl: ({ node }, page, returnTo) => auth.pageUrl(node.req, page, returnTo),
    authenticator: auth.authenticator,
  }
}
