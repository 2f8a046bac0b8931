import type { AccountTypes, AnyAccounts } from '../../../worker/kit/account-types.ts'
import type { AuthenticatorOptions } from '../authenticator/authenticator.ts'
import { type NodeAuth, type NodeRequest, type NodeResponse, nodeAuth, outgoing, send } from '../authenticator/node.ts'

export type { AuthenticatorOptions, Caller, Rule } from '../authenticator/authenticator.ts'

/** Middleware of Express, Connect and others of this form. */
export type NodeHandler = (
  request: NodeRequest,
  response: NodeResponse,
  next: (error?: unknown) => void,
) => Promise<void>

/** @template P the product: `Accounts`, the type that its deployment exports */
export type ExpressAuth<P extends AccountTypes = AnyAccounts> = NodeAuth<NodeHandler, P>

/**
 * Middleware of Express.
 *
 *     const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
 *     app.get('/members', auth.protect(), (req, res) => res.send(auth.callerOf(req).user.name))
 *
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export const gatehouseAuth = <P extends AccountTypes = AnyAccounts>(options: AuthenticatorOptions): ExpressAuth<P> =>
  nodeAuth(options, (enter, rule) => async (request, response, next) => {
    try {
      const instead = await enter(request, rule, outgoing(response))
      if (!instead) return next()
      await send(response, instead)
    } catch (thrown) {
      next(thrown)
    }
  })
