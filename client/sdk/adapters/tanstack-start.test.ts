import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { testAdapter } from '../../../worker/testing/adapter.ts'
import { type AuthenticatorOptions, type Caller, gatehouseAuth, type StartMiddleware } from './tanstack-start.ts'

/** In place of TanStack Start: the current request, and what its response will have. */
const current = new AsyncLocalStorage<{ request: Request; headers: Headers; status?: number }>()
vi.mock('@tanstack/react-start/server', () => ({
  getRequest: () => current.getStore()!.request,
  getResponseHeader: (name: string) => current.getStore()!.headers.get(name) ?? undefined,
  setResponseHeader: (name: string, value: string) => current.getStore()!.headers.set(name, value),
  appendResponseHeader: (name: string, value: string) => current.getStore()!.headers.append(name, value),
  setResponseStatus: (status: number) => Object.assign(current.getStore()!, { status }),
}))
vi.mock('@tanstack/react-router', () => ({
  redirect: ({ href, statusCode }: { href: string; statusCode: number }) =>
    new Response(null, { status: statusCode, headers: { location: href } }),
}))

type Handler = () => Promise<string | null>

/** Runs middleware and a server function as Start does: it adds the headers that were set to every response. */
async function run(request: Request, middleware: StartMiddleware<any>[], handler: Handler): Promise<Response> {
  const event: { request: Request; headers: Headers; status?: number } = { request, headers: new Headers() }
  const step = async (at: number): Promise<Response> => {
    if (at === middleware.length) return Response.json({ name: await handler() })
    const next = async <Added>(added: { context: Added }) => {
      return { context: added.context, response: await step(at + 1) }
    }
    const result = await middleware[at]!({ request, next })
    return result instanceof Response ? result : result.response
  }
  const made = await current.run(event, () =>
    step(0).catch((thrown) => {
      if (thrown instanceof Response) return thrown
      return Response.json({ message: thrown.message }, { status: 500 })
    }),
  )
  const response = new Response(made.body, { status: event.status ?? made.status, headers: made.headers })
  for (const [name, value] of event.headers) response.headers.append(name, value)
  return response
}

const productWith = (options: AuthenticatorOptions) => {
  const auth = gatehouseAuth(options)
  const found: Handler = async () => (await auth.findCaller())?.user.name ?? null
  const routes: Record<string, [StartMiddleware<any>[], Handler]> = {
    '/': [[auth.session()], found],
    '/members': [[auth.session(), auth.protect()], found],
    '/admin': [[auth.protect({ role: 'admin' })], found],
    '/jobs': [[auth.session()], async () => (await auth.requireCaller({ permissions: { job: ['list'] } })).user.name],
  }
  return {
    send: (path: string, init: RequestInit) => {
      const request = new Request(`http://localhost:3000${path}`, init)
      return run(request, ...routes[new URL(request.url).pathname]!)
    },
  }
}

testAdapter(productWith)

describe('a server function', () => {
  const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
  const call = (rule?: Parameters<typeof auth.requireCaller>[0], headers: Record<string, string> = {}) => {
    const request = new Request('http://localhost:3000/_serverFn/1', {
      headers: { accept: 'application/json', 'x-tsr-serverfn': 'true', ...headers },
    })
    return run(request, [], async () => (await auth.requireCaller(rule)).user.name)
  }
  const back = ({ headers }: Response) => new URL(headers.get('location')!).searchParams.get('callbackURL')

  it('redirects a visitor, and leads back to the page that it names, or to the page that calls it', async () => {
    expect(back(await call({ returnTo: '/orders?page=2' }))).toBe('http://localhost:3000/orders?page=2')
    expect(back(await call({ returnTo: 'https://evil.example' }))).toBe('http://localhost:3000/')
    expect(back(await call({}, { referer: 'http://localhost:3000/a' }))).toBe('http://localhost:3000/a')
    expect(back(await call({}, { referer: 'https://evil.example/a' }))).toBe('http://localhost:3000/')
    expect(back(await call())).toBe('http://localhost:3000/')
  })

  it('refuses with the status and a message', async () => {
    const answer = await call({ visitors: 'status' })
    expect([answer.status, await answer.json()]).toEqual([401, { message: 'Sign in to continue.' }])
  })

  it('has the addresses of the sign-in and sign-out pages', async () => {
    const answer = await run(
      new Request('http://localhost:3000/a'),
      [],
      async () => auth.signInUrl() + auth.signOutUrl() + auth.pageUrl('organizations/new', '/b'),
    )
    expect((await answer.json()).name).toBe(
      'https://accounts.example.com/sign-in?callbackURL=http%3A%2F%2Flocalhost%3A3000%2Fa' +
        'https://accounts.example.com/sign-out?callbackURL=http%3A%2F%2Flocalhost%3A3000%2F' +
        'https://accounts.example.com/organizations/new?callbackURL=http%3A%2F%2Flocalhost%3A3000%2Fb',
    )
  })
})

describe('the types', () => {
  it('the caller has the fields of the product', () => {
    const fields = { user: { plan: { type: 'string', required: true, options: ['free', 'pro'] } } } as const
    const auth = gatehouseAuth<typeof fields>({ url: 'https://accounts.example.com' })
    expectTypeOf(auth.requireCaller).returns.resolves.toEqualTypeOf<Caller<typeof fields>>()
    expectTypeOf(auth.protect()).toEqualTypeOf<StartMiddleware<Caller<typeof fields>>>()
  })
})
