import type { AnyFields, FieldDefinitions } from '../../../worker/kit/field-types.ts'
import type { AuthenticatorOptions } from '../authenticator/authenticator.ts'
import { type NodeAuth, type NodeRequest, nodeAuth } from '../authenticator/node.ts'

export type { AuthenticatorOptions, Caller, Rule } from '../authenticator/authenticator.ts'

/** The parts of a response of Node that are used. */
export interface NodeResponse {
  statusCode: number
  appendHeader(name: string, value: string | string[]): unknown
  setHeader(name: string, value: string): unknown
  hasHeader(name: string): boolean
  end(body: string): unknown
}

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
      const instead = await enter(request, rule, {
        appendCookies: (lines) => response.appendHeader('set-cookie', lines),
        cacheControl: (value) => response.hasHeader('cache-control') || response.setHeader('cache-control', value),
      })
      if (!instead) return next()
      response.statusCode = instead.status
      for (const [name, value] of instead.headers) {
        if (name === 'set-cookie') response.appendHeader(name, value)
        else response.setHeader(name, value)
      }
      response.end(await instead.text())
    } catch (thrown) {
      next(thrown)
    }
  })
