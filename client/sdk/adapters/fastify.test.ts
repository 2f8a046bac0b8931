import type { IncomingMessage, ServerResponse } from 'node:http'
import { listeningProduct, testAdapter } from '../../../worker/testing/adapter.ts'
import { type AuthenticatorOptions, type FastifyHook, type FastifyReplyLike, gatehouseAuth } from './fastify.ts'

/** A reply as Fastify documents it: `set-cookie` is added to, other headers are replaced. */
class Reply implements FastifyReplyLike {
  constructor(private readonly response: ServerResponse) {}
  code(status: number) {
    this.response.statusCode = status
    return this
  }
  header(name: string, value: unknown) {
    if (name === 'set-cookie') this.response.appendHeader(name, value as string[])
    else this.response.setHeader(name, value as string)
    return this
  }
  hasHeader = (name: string) => this.response.hasHeader(name)
  send(body: string) {
    this.response.end(body)
    return this
  }
}

testAdapter(async (options: AuthenticatorOptions) => {
  const auth = gatehouseAuth(options)
  const route = (hooks: FastifyHook[]) => async (raw: IncomingMessage, response: ServerResponse) => {
    const request = {
      method: raw.method!,
      url: raw.url!,
      originalUrl: raw.url!,
      protocol: 'http',
      headers: raw.headers,
    }
    const reply = new Reply(response)
    for (const hook of hooks) if ((await hook(request, reply)) !== undefined) return
    reply.send(JSON.stringify({ name: auth.findCaller(request)?.user.name ?? null }))
  }
  const routes: Record<string, ReturnType<typeof route>> = {
    '/': route([auth.session()]),
    '/members': route([auth.session(), auth.protect()]),
    '/admin': route([auth.protect({ role: 'admin' })]),
    '/jobs': route([auth.protect({ permissions: { job: ['list'] } })]),
  }
  return listeningProduct((request, response) => void routes[request.url!.split('?')[0]!]!(request, response))
})
