import type { AnyFields, FieldDefinitions } from '../../../worker/kit/field-types.ts'
import {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  type Rule,
} from '../authenticator/authenticator.ts'
import { type Callers, fromNode, type NodeRequest, stepsOf } from '../authenticator/node.ts'

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

export interface ExpressAuth<F extends FieldDefinitions = AnyFields> extends Callers<F> {
  /** Identifies the caller of every request: `auth.findCaller(req)`, null for a visitor. */
  session(): NodeHandler
  /** Lets callers pass whom the rule permits: `auth.callerOf(req)` is one of them. */
  protect(rule?: Rule): NodeHandler
  /** The sign-in page, which leads back. @param returnTo a path of the product. @default the requested path */
  signInUrl(request: NodeRequest, returnTo?: string): string
  /** The page that signs out and leads back. @param returnTo a path of the product. @default '/' */
  signOutUrl(request: NodeRequest, returnTo?: string): string
  authenticator: Authenticator<F>
}

/**
 * Middleware of Express.
 *
 *     const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
 *     app.get('/members', auth.protect(), (req, res) => res.send(auth.callerOf(req).user.name))
 *
 * @template F the product's own fields
 */
export function gatehouseAuth<F extends FieldDefinitions = AnyFields>(options: AuthenticatorOptions): ExpressAuth<F> {
  const authenticator = createAuthenticator<F>(options)
  const { enter, findCaller, callerOf } = stepsOf(authenticator)

  const handler =
    (rule: Rule | null): NodeHandler =>
    async (request, response, next) => {
      try {
        const instead = await enter(request, request, rule, {
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
    }

  return {
    session: () => handler(null),
    protect: (rule = {}) => handler(rule),
    findCaller,
    callerOf,
    signInUrl: (request, returnTo) => authenticator.signInUrl(fromNode(request), returnTo),
    signOutUrl: (request, returnTo) => authenticator.signOutUrl(fromNode(request), returnTo),
    authenticator,
  }
}
