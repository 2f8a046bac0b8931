import type { AccountTypes, AnyAccounts } from '../../../worker/kit/account-types.ts'
import type { AuthenticatorOptions } from '../authenticator/authenticator.ts'
import { type NodeAuth, type NodeRequest, nodeAuth } from '../authenticator/node.ts'

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

/** @template P the product: `Accounts`, the type that its deployment exports */
export type FastifyAuth<P extends AccountTypes = AnyAccounts> = NodeAuth<FastifyHook, P>

/**
 * Hooks of Fastify.
 *
 *     const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
 *     app.get('/members', { preHandler: auth.protect() }, async (request) => auth.callerOf(request).user.name)
 *
 * @template P the product: `Accounts`, the type that its deployment exports
 */
export const gatehouseAuth = <P extends AccountTypes = AnyAccounts>(options: AuthenticatorOptions): FastifyAuth<P> =>
  nodeAuth(options, (enter, rule) => async (request, reply) => {
    const instead = await enter(request, rule, {
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
  })
