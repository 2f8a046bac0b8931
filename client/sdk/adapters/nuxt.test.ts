import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { listeningProduct, testAdapter } from '../../../worker/testing/adapter.ts'
import {
  type AuthenticatorOptions,
  type Caller,
  gatehouseAuth,
  type NuxtAuth,
  type NuxtEvent,
  type NuxtHandler,
} from './nuxt.ts'

type Last = (event: NuxtEvent) => unknown

/** Runs handlers as h3 does: one that ends the response is the last. Nitro keeps the context of the page in `__unenv__`. */
async function run(req: IncomingMessage, res: ServerResponse, handlers: NuxtHandler[], last: Last, outer?: object) {
  const event = { node: { req: Object.assign(req, { __unenv__: outer }), res }, context: {} }
  for (const handler of handlers) {
    await handler(event)
    if (res.writableEnded) return
  }
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify(await last(event)))
}

testAdapter(async (options: AuthenticatorOptions) => {
  const auth = gatehouseAuth(options)
  const shown: Last = ({ context }) => ({ name: (context as { caller: Caller | null }).caller?.user.name ?? null })
  const routes: Record<string, [NuxtHandler[], Last]> = {
    '/': [[auth.session()], shown],
    '/members': [[auth.session(), auth.protect()], shown],
    '/admin': [[auth.protect({ role: 'admin' })], shown],
    '/jobs': [
      [auth.session(), auth.protect({ permissions: { job: ['list'] } })],
      (event) => ({ name: auth.callerOf(event).user.name }),
    ],
  }
  return listeningProduct((req, res) => void run(req, res, ...routes[req.url!.split('?')[0]!]!))
})

describe('data that a page requests on the server', () => {
  let asked = 0
  const fetch = async () => {
    asked++
    const user = { id: 'ada', name: 'ada' }
    return Response.json({ user, session: { id: 's', updatedAt: '2026-11-01T00:00:00.000Z' } })
  }
  const auth = gatehouseAuth({ url: 'https://accounts.example.com', fetch: fetch as typeof globalThis.fetch })
  const event = (cookie: string, outer?: NuxtEvent): NuxtEvent => {
    const req = { method: 'GET', url: '/', headers: { host: 'localhost:3000', cookie }, __unenv__: outer?.context }
    const res = { statusCode: 200, appendHeader() {}, setHeader() {}, hasHeader: () => false, end() {} }
    return { node: { req, res }, context: {} }
  }

  it('has the caller of the page, unless it has other credentials', async () => {
    const page = event('gatehouse.session_token=a.signature')
    await auth.session()(page)
    const data = event('gatehouse.session_token=a.signature', page)
    await auth.session()(data)
    await auth.protect()(data)
    expect([auth.callerOf(data).user.name, asked]).toEqual(['ada', 1])
    await auth.session()(event('gatehouse.session_token=b.signature', page))
    expect(asked).toBe(2)
    const visited = event('', page)
    await auth.session()(visited)
    expect(auth.findCaller(visited)).toBeNull()
  })

  it('leads back to the page that asks for an address', () => {
    const back = (returnTo?: string) => new URL(auth.signInUrl(event(''), returnTo)).searchParams.get('callbackURL')
    expect([back('/members?a=1'), back('https://evil.example')]).toEqual([
      'http://localhost:3000/members?a=1',
      'http://localhost:3000/',
    ])
  })
})

it('the caller has the fields of the product', () => {
  const fields = { user: { plan: { type: 'string', required: true, options: ['free', 'pro'] } } } as const
  expectTypeOf<ReturnType<NuxtAuth<typeof fields>['callerOf']>>().toEqualTypeOf<Caller<typeof fields>>()
})
