import { describe, expect, it } from 'vitest'
import { testAdapter } from '../../../worker/testing/adapter.ts'
import { type AuthenticatorOptions, gatehouseAuth, type RouteMiddleware } from './react-router.ts'

/** Runs middleware and a loader as React Router does: a thrown Response is the answer of `next()`. */
const run = (
  middleware: RouteMiddleware[],
  loader: (given: { request: Request; context: object }) => Promise<Response>,
) => {
  return (request: Request): Promise<Response> => {
    const context = {}
    const step = async (at: number): Promise<Response> => {
      try {
        // Loaders get a request of their own.
        if (at === middleware.length) return await loader({ request: new Request(request), context })
        return await middleware[at]!({ request, context }, () => step(at + 1))
      } catch (thrown) {
        if (thrown instanceof Response) return thrown
        throw thrown
      }
    }
    return step(0)
  }
}

const productWith = (options: AuthenticatorOptions) => {
  const auth = gatehouseAuth(options)
  const shown = async (given: { request: Request; context: object }) =>
    Response.json({ name: (await auth.findCaller(given))?.user.name ?? null })
  const routes: Record<string, ReturnType<typeof run>> = {
    '/': run([auth.session()], shown),
    '/members': run([auth.session(), auth.protect()], shown),
    '/admin': run([auth.protect({ role: 'admin' })], shown),
    '/jobs': run([auth.session()], async (given) => {
      const { user } = await auth.requireCaller(given, { permissions: { job: ['list'] } })
      return Response.json({ name: user.name })
    }),
  }
  return {
    send: (path: string, init: RequestInit) => {
      const url = new URL(path, 'http://localhost:3000')
      return routes[url.pathname]!(new Request(url, init))
    },
  }
}

testAdapter(productWith, { visitor: 302 })

describe('without middleware', () => {
  it('a loader finds its caller, and throws the redirect', async () => {
    const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
    const given = () => ({ request: new Request('http://localhost:3000/a'), context: {} })
    expect(await auth.findCaller(given())).toBeNull()
    const thrown = await auth.requireCaller(given()).catch((response: Response) => response)
    expect((thrown as Response).headers.get('location')).toContain('/sign-in?callbackURL=')
    expect(auth.signOutUrl(given().request)).toContain('/sign-out?callbackURL=')
    expect(auth.pageUrl(given().request, 'account/billing')).toBe(
      'https://accounts.example.com/account/billing?callbackURL=http%3A%2F%2Flocalhost%3A3000%2Fa',
    )
  })
})

describe('a request for data', () => {
  it.each([
    ['/members.data?page=2&_routes=root', '/members?page=2'],
    ['/_root.data', '/'],
  ])('%s leads back to its page', async (path, page) => {
    const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
    const thrown = await auth
      .requireCaller({ request: new Request(`http://localhost:3000${path}`), context: {} })
      .catch((response: Response) => response)
    const { searchParams } = new URL((thrown as Response).headers.get('location')!)
    expect(searchParams.get('callbackURL')).toBe(`http://localhost:3000${page}`)
  })
})
