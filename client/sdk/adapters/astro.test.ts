import { describe, expect, expectTypeOf, it } from 'vitest'
import { testAdapter } from '../../../worker/testing/adapter.ts'
import {
  type AstroAuth,
  type AstroMiddleware,
  type AstroMiddlewareContext,
  type AuthenticatorOptions,
  type Caller,
  gatehouseAuth,
} from './astro.ts'

type Context = AstroMiddlewareContext & { locals: { caller?: Caller | null } }
type Page = (context: Context) => Promise<Response>

/** Runs middleware of a sequence and a page as Astro does. */
async function run(request: Request, middleware: AstroMiddleware[], page: Page, isPrerendered = false) {
  const context: Context = { request, locals: {}, isPrerendered }
  // A page has a context of its own.
  const step = (at: number): Promise<Response> =>
    at < middleware.length ? middleware[at]!(context, () => step(at + 1)) : page({ ...context })
  return step(0)
}

const shown: Page = async ({ locals }) => Response.json({ name: locals.caller?.user.name ?? null })

const productWith = (options: AuthenticatorOptions) => {
  const auth = gatehouseAuth(options)
  const routes: Record<string, [AstroMiddleware[], Page]> = {
    '/': [[auth.session()], shown],
    '/members': [[auth.session(), auth.protect()], shown],
    '/admin': [[auth.session(), auth.protect({ role: 'admin' })], shown],
    '/jobs': [
      [auth.session()],
      async (context) => {
        const guarded = await auth.guard(context, { permissions: { job: ['list'] } })
        if (!guarded.allowed) return guarded.response
        return Response.json({ name: guarded.caller.user.name })
      },
    ],
  }
  return {
    send: (path: string, init: RequestInit) => {
      const url = new URL(path, 'http://localhost:3000')
      return run(new Request(url, init), ...routes[url.pathname]!)
    },
  }
}

testAdapter(productWith)

describe('a prerendered page', () => {
  const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
  const build = (middleware: AstroMiddleware[]) =>
    run(new Request('http://localhost:3000/about'), middleware, shown, true)

  it('has no caller, and cannot be protected', async () => {
    expect(await (await build([auth.session()])).json()).toEqual({ name: null })
    await expect(build([auth.session(), auth.protect()])).rejects.toThrow('prerender')
  })
})

describe('a page', () => {
  const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
  const request = new Request('http://localhost:3000/new?a=1')

  it('has the addresses of the sign-in, sign-out and account pages', async () => {
    const page: Page = async (context) =>
      Response.json([
        auth.signInUrl(context),
        auth.signOutUrl(context, '/bye'),
        auth.pageUrl(context, 'account/billing'),
      ])
    expect(await (await run(request, [auth.session()], page)).json()).toEqual([
      `https://accounts.example.com/sign-in?callbackURL=${encodeURIComponent('http://localhost:3000/new?a=1')}`,
      `https://accounts.example.com/sign-out?callbackURL=${encodeURIComponent('http://localhost:3000/bye')}`,
      `https://accounts.example.com/account/billing?callbackURL=${encodeURIComponent('http://localhost:3000/new?a=1')}`,
    ])
  })

  it('needs session() in the middleware', async () => {
    const page: Page = async (context) => Response.json(await auth.guard(context))
    await expect(run(request, [], page)).rejects.toThrow('auth.session()')
  })
})

it('the caller has the fields of the product', () => {
  const fields = { user: { plan: { type: 'string', required: true, options: ['free', 'pro'] } } } as const
  type Allowed = Extract<Awaited<ReturnType<AstroAuth<typeof fields>['guard']>>, { allowed: true }>
  expectTypeOf<Allowed['caller']['user']['plan']>().toEqualTypeOf<'free' | 'pro'>()
})
