import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { testAdapter } from '../../../worker/testing/adapter.ts'
import { type AuthenticatorOptions, type Caller, gatehouseAuth } from './next.ts'

/** In place of Next.js: the headers of the current request, and errors that name what a page answers. */
const current = new AsyncLocalStorage<Headers>()
vi.mock('next/headers', () => ({ headers: async () => current.getStore()! }))
vi.mock('next/navigation', () => {
  const throwing = (digest: string) => (url?: string) => {
    throw Object.assign(new Error(digest), { digest: url ? `${digest};${url}` : digest })
  }
  return { redirect: throwing('307'), forbidden: throwing('403'), unauthorized: throwing('401') }
})
vi.mock('next/server', () => ({
  NextResponse: {
    // The headers that the request gets are headers of this response.
    next: ({ request }: { request: { headers: Headers } }) =>
      new Response(null, { headers: { 'x-middleware-next': JSON.stringify([...request.headers]) } }),
  },
}))

const origin = 'http://localhost:3000'
const requestTo = (path: string, init: { method?: string; headers?: Record<string, string> } = {}) =>
  // Next.js names its own address in the URL.
  new Request(`http://127.0.0.1:1${path}`, { ...init, headers: { host: 'localhost:3000', ...init.headers } })
const passedBy = (response: Response) => new Headers(JSON.parse(response.headers.get('x-middleware-next')!))
const digestOf = (work: () => Promise<unknown>) => work().catch(({ digest, name }) => digest ?? name)

const productWith = (options: AuthenticatorOptions) => {
  const auth = gatehouseAuth(options)
  const proxy = auth.proxy({
    '/members': {},
    '/admin': { role: 'admin' },
    '/jobs': { permissions: { job: ['list'] } },
    '/admin/help': null,
  })
  const pages: Record<string, () => Promise<string | null>> = {
    '/': async () => (await auth.findCaller())?.user.name ?? null,
    // A layout, a component and the page.
    '/members': async () => {
      await Promise.all([auth.findCaller(), auth.requireCaller()])
      return (await auth.requireCaller()).user.name
    },
    '/admin': async () => (await auth.requireCaller({ role: 'admin' })).user.name,
    '/jobs': async () => (await auth.requireCaller({ permissions: { job: ['list'] } })).user.name,
  }
  const send = async (path: string, init: { method?: string; headers: Record<string, string> }) => {
    const proxied = await proxy(requestTo(path, init))
    if (!proxied.headers.has('x-middleware-next')) return proxied
    const name = await current.run(passedBy(proxied), pages[new URL(path, origin).pathname]!)
    return Response.json({ name }, { headers: proxied.headers })
  }
  return { send, auth, proxy }
}

testAdapter(productWith)

/** A deployment that knows one user, and counts its requests. */
function accounts() {
  const known = { requests: 0, isDown: false }
  const fetch = async (input: unknown) => {
    known.requests++
    if (known.isDown) throw new TypeError('refused')
    if (String(input).endsWith('/has-permission')) return Response.json({ success: false, error: null })
    const user = { id: 'ada', name: 'ada', role: 'user' }
    return Response.json({ user, session: { id: 's', updatedAt: new Date().toISOString() } })
  }
  return { known, options: { url: 'https://accounts.example.com', fetch: fetch as unknown as typeof globalThis.fetch } }
}

const cookie = 'gatehouse.session_token=ada.signature'
const signIn = (path: string) => `https://accounts.example.com/sign-in?callbackURL=${encodeURIComponent(origin + path)}`

describe('the proxy', () => {
  const { proxy } = productWith({ url: 'https://accounts.example.com' })
  const isPassed = async (path: string) =>
    (await proxy(requestTo(path, { headers: { accept: 'text/html' } }))).headers.has('x-middleware-next')

  it('applies the rule of the longest path to it and to those below', async () => {
    const paths = ['/', '/members', '/members/1', '/membership', '/admin', '/admin/help', '/admin/help/1']
    expect(await Promise.all(paths.map(isPassed))).toEqual([true, false, false, true, false, true, true])
    // Other spellings of the same path.
    const spelled = ['/%6Dembers', '/members%2F1', '//members', '/members//1', '/x/../members']
    expect(await Promise.all(spelled.map(isPassed))).toEqual(spelled.map(() => false))
    // The path of Next.js is without its `basePath`.
    const inBase = Object.assign(requestTo('/base/members'), { nextUrl: new URL('http://localhost/members') })
    expect((await proxy(inBase)).status).toBe(401)
  })

  it('replaces the headers of a client by its own', async () => {
    const headers = { 'x-gatehouse-path': '//evil.example', 'x-gatehouse-check': 'known' }
    const passed = passedBy(await proxy(requestTo('/?page=2', { headers })))
    expect(passed.get('x-gatehouse-path')).toBe('/?page=2')
    expect(passed.get('x-gatehouse-check')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('a server function', () => {
  it('uses the check of the proxy for the same credentials and the same deployment only', async () => {
    const { known, options } = accounts()
    const auth = gatehouseAuth(options)
    const passed = passedBy(await auth.proxy()(requestTo('/', { headers: { cookie } })))
    expect(known.requests).toBe(1)
    const named = async (headers: Headers, by = auth) => (await current.run(headers, () => by.findCaller()))?.user.name
    expect([await named(passed), known.requests]).toEqual(['ada', 1])

    const visitor = new Headers(passed)
    visitor.delete('cookie')
    expect(await named(visitor)).toBeUndefined()
    const other = new Headers(passed)
    other.set('cookie', 'gatehouse.session_token=eve.signature')
    await named(other)
    expect(known.requests).toBe(2)
    await named(passed, gatehouseAuth({ ...options, url: 'https://other.example.com' }))
    expect(known.requests).toBe(3)
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 11_000)
    await named(passed)
    later.mockRestore()
    expect(known.requests).toBe(4)
  })

  it('checks the request where the proxy has not, and returns what Next.js answers', async () => {
    const { known, options } = accounts()
    const auth = gatehouseAuth(options)
    const signedIn = new Headers({ host: 'localhost:3000', cookie })
    const visitor = new Headers({ host: 'localhost:3000', 'x-gatehouse-path': '/orders?page=2' })
    const digest = (headers: Headers, rule?: Parameters<typeof auth.requireCaller>[0]) =>
      digestOf(() => current.run(headers, () => auth.requireCaller(rule)))
    expect(await digest(visitor)).toBe(`307;${signIn('/orders?page=2')}`)
    expect(await digest(visitor, { visitors: 'status' })).toBe('401')
    expect(await digest(signedIn, { role: 'admin' })).toBe('403')
    expect(await digest(signedIn, { permissions: { job: ['list'] } })).toBe('403')
    expect(await current.run(signedIn, async () => (await auth.requireCaller({ role: 'user' })).user.name)).toBe('ada')
    known.isDown = true
    expect(await digest(signedIn)).toBe('GatehouseUnavailable')
  })

  it('leads back to a path of the product, whatever the headers are', async () => {
    const auth = gatehouseAuth({ url: 'https://accounts.example.com' })
    const back = async (headers: Record<string, string>) => {
      const url = await current.run(new Headers({ host: 'localhost:3000', ...headers }), () => auth.signInUrl())
      return new URL(url).searchParams.get('callbackURL')
    }
    for (const path of ['//evil.example/x', '/\\evil.example', 'https://evil.example', '@evil.example', '']) {
      expect({ path, back: await back({ 'x-gatehouse-path': path }) }).toEqual({ path, back: `${origin}/` })
    }
    expect(await back({ 'x-gatehouse-path': '/a', 'x-forwarded-proto': 'https' })).toBe('https://localhost:3000/a')
    const out = await current.run(new Headers({ host: 'localhost:3000' }), () => auth.signOutUrl('/bye'))
    expect(out).toBe(`https://accounts.example.com/sign-out?callbackURL=${encodeURIComponent(`${origin}/bye`)}`)
    const page = await current.run(new Headers({ host: 'localhost:3000' }), () =>
      auth.pageUrl('account', '//evil.example'),
    )
    expect(page).toBe(`https://accounts.example.com/account?callbackURL=${encodeURIComponent(`${origin}/`)}`)
  })
})

describe('a route handler', () => {
  it('gets the caller, or the response', async () => {
    const { options } = accounts()
    const auth = gatehouseAuth(options)
    const visited = await auth.guard(requestTo('/api/orders'))
    expect(!visited.allowed && visited.response.status).toBe(401)
    const refused = await auth.guard(requestTo('/api/orders', { headers: { cookie } }), { role: 'admin' })
    expect(!refused.allowed && refused.response.status).toBe(403)
    const entered = await auth.guard(requestTo('/api/orders', { headers: { cookie } }))
    expect(entered.allowed && entered.caller.user.name).toBe('ada')
  })
})

describe('the options', () => {
  it('may be a function, which is called once, for the first request', async () => {
    const options = vi.fn(() => ({ url: 'https://accounts.example.com' }))
    const auth = gatehouseAuth(options)
    expect(options).not.toHaveBeenCalled()
    await auth.proxy()(requestTo('/'))
    await auth.proxy()(requestTo('/'))
    expect(options).toHaveBeenCalledOnce()
    expect(() => gatehouseAuth({ url: 'accounts' })).toThrow(TypeError)
  })

  it('the caller has the fields of the product', () => {
    const fields = { user: { plan: { type: 'string', required: true, options: ['free', 'pro'] } } } as const
    const auth = gatehouseAuth<typeof fields>({ url: 'https://accounts.example.com' })
    expectTypeOf(auth.requireCaller).returns.resolves.toEqualTypeOf<Caller<typeof fields>>()
    expectTypeOf<Caller<typeof fields>['user']['plan']>().toEqualTypeOf<'free' | 'pro'>()
  })
})
