import type { AnyFields, FieldDefinitions } from '../../../worker/kit/field-types.ts'
import {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  type Rule,
} from '../authenticator/authenticator.ts'
import { type Callers, fromNode, type NodeRequest, stepsOf } from '../authenticator/node.ts'

export type { AuthenticatorOptions, Caller, Rule } from '../authenticator/authenticator.ts'

/** The parts of a reply of Fastify that are used. */
export interface FastifyReplyLike {
  code(status: number): unknown
  header(name: string, value: unknown): unknown
  hasHeader(name: string): boolean
  send(body: string): unknown
}

/** A hook of Fastify: `preHandler` of a route, or `addHook('preHandler', ...)`. */
export type FastifyHook = (request: NodeRequest, reply: FastifyReplyLike) => Promise<unknown>

export interface FastifyAuth<F extends FieldDefinitions = AnyFields> extends Callers<F> {
  /** Identifies the caller of every request: `auth.findCaller(request)`, null for a visitor. */
  session(): FastifyHook
  /** Lets callers pass whom the rule permits: `auth.callerOf(request)` is one of them. */
  protect(rule?: Rule): FastifyHook
  /** The sign-in page, which leads back. @param returnTo a path of the product. @default the requested path */
  signInUrl(request: NodeRequest, returnTo?: string): string
  /** The page that signs out and leads back. @param returnTo a path of the product. @default '/' */
  signOutUrl(request: NodeRequest, returnTo?: string): string
  authenticator: Authenticator<F>
}

/**
 * Hooks of Fastify.
 *
 *     const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
 *     app.get('/members', { preHandler: auth.protect() }, async (request) => auth.callerOf(request).user.name)
 *
 * @template F the product's own fields
 */
export function gatehouseAuth<F extends FieldDefinitions = AnyFields>(options: AuthenticatorOptions): FastifyAuth<F> {
  const authenticator = createAuthenticator<F>(options)
  const { enter, findCaller, callerOf } = stepsOf(authenticator)

  const hook =
    (rule: Rule | null): FastifyHook =>
    async (request, reply) => {
      const instead = await enter(request, request, rule, {
        appendCookies: (lines) => reply.header('set-cookie', lines),
        cacheControl: (value) => reply.hasHeader('cache-control') || reply.header('cache-control', value),
      })
      if (!instead) return
      reply.code(instead.status)
      const cookies = instead.headers.getSetCookie()
      for (const [name, value] of instead.headers) if (name !== 'set-cookie') reply.header(name, value)
      if (cookies.length > 0) reply.header('set-cookie', cookies)
      // A hook that has answered returns the reply, so that the handler does not run.
      reply.send(await instead.text())
      return reply
    }

  return {
    session: () => hook(null),
    protect: (rule = {}) => hook(rule),
    findCaller,
    callerOf,
    signInUrl: (request, returnTo) => authenticator.signInUrl(fromNode(request), returnTo),
    signOutUrl: (request, returnTo) => authenticator.signOutUrl(fromNode(request), returnTo),
    authenticator,
  }
}
