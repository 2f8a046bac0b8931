import type { AnyFields, FieldDefinitions } from '../../../worker/kit/field-types.ts'
import type { AuthenticatorOptions } from '../authenticator/authenticator.ts'
import { type NodeAuth, type NodeRequest, type NodeResponse, nodeAuth, outgoing, send } from '../authenticator/node.ts'

export type { AuthenticatorOptions, Caller, Rule } from '../authenticator/authenticator.ts'

/** Middleware of Express, Connect and others of this form. */
export type NodeHandler = (
  request: NodeRequest,
  response: NodeResponse,
  next: (error?: unknown) => void,
) => Promise<void>

/** @template F the product's own fields */
export type ExpressAuth<F extends FieldDefinitions = AnyFields> = NodeAuth<NodeHandler, F>

/**
 * Middleware of Express.
 *
 *     const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
 *     app.get('/members', auth.protect(), (req, res) => res.send(auth.callerOf(req).user.name))
 *
 * @template F the product's own fields
 */
export const gatehouseAuth = <F extends FieldDefinitions = AnyFields>(options: AuthenticatorOptions): ExpressAuth<F> =>
  nodeAuth(options, (enter, rule) => async (request, response, next) => {
    try {
      const instead = await enter(request, rule, outgoing(response))
      if (!instead) return next()
      await send(response, instead)
    } catch (thrown) {
      next(thrown)
    }
  })
