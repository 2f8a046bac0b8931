import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import {
  type AuthenticatorOptions,
  createAuthenticator,
  GatehouseUnavailable,
  type RequestLike,
  sessionDataKey,
} from '../../client/sdk/authenticator/authenticator.ts'
import type { Config } from '../configuration/read-config.ts'
import { BoundBrowser } from '../testing/bound-browser.ts'
import { type Device, env, origin, TestApp } from '../testing/harness.ts'
import { company, join, someone } from '../testing/organizations.ts'
import { alice, signUp } from '../testing/people.ts'
import { updateRows } from '../testing/rows.ts'
import { backEnd } from '../testing/server-keys.ts'

afterEach(() => {
  vi.useRealTimers()
})

const unlimited: Config = { rateLimit: { enabled: false } }
const product = 'http://localhost:3000'

/** A product beside a deployment, and the paths of its requests to Gatehouse. */
function scene(options: Partial<AuthenticatorOptions> = {}, config: Config = {}) {
  const app = new TestApp({ ...unlimited, ...config, trustedOrigins: [product] })
  const asked: string[] = []
  const sent: Headers[] = []
  const request = async (input: unknown, init?: RequestInit) => {
    const asking = new Request(String(input), init)
    asked.push(new URL(asking.url).pathname)
    sent.push(asking.headers)
    const { status, headers, body } = await app.fetch(asking)
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
  }
  const auth = createAuthenticator({ url: origin, fetch: request as typeof fetch, ...options })
  return { app, auth, asked, sent }
}

const requestOf = (headers: Record<string, string>, path = '/', method = 'GET'): RequestLike => ({
  url: product + path,
  method,
  headers: new Headers(headers),
})

const cookieOf = (device: Device, ...names: string[]) =>
  [...device.jar]
    .filter(([name]) => names.length === 0 || names.some((one) => name === `gatehouse.${one}`))
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

const asPage = { accept: 'text/html,*/*', 'sec-fetch-mode': 'navigate' }

/** The ended sessions, which a verifier reads again and again (ended-feed.test.ts). */
const feed = '/api/auth/ended-sessions'

describe('check', () => {
  it('a request without credentials causes no request', async () => {
    const { auth, asked } = scene()
    expect(await auth.check(requestOf({}))).toEqual({ caller: null, setCookies: [] })
    expect(await auth.authenticate(requestOf({ cookie: 'theme=dark; other.session_token=x' }))).toBeNull()
    expect(await auth.authenticate(requestOf({ authorization: 'Basic eDp5' }))).toBeNull()
    expect(asked).toEqual([])
  })

  it('forwards the cookies of Gatehouse alone, and returns the user, the session and new cookies', async () => {
    const { app, auth, asked, sent } = scene()
    const device = await signUp(app, alice)
    const cookie = `theme=dark; ${cookieOf(device, 'session_token')}; cart=7`
    const { caller, setCookies } = await auth.check(requestOf({ cookie }))
    expect(caller).toMatchObject({ user: { email: alice.email }, via: 'cookie' })
    expect(caller!.user.createdAt).toBeInstanceOf(Date)
    expect(caller!.session!.expiresAt).toBeInstanceOf(Date)
    expect(setCookies.join()).toContain('gatehouse.session_data=')
    expect(asked).toEqual(['/api/auth/get-session'])
    expect(sent[0]!.get('cookie')).toBe(cookieOf(device, 'session_token'))
  })

  it('an ended session is null, and its cookies are removed', async () => {
    const { app, auth } = scene()
    const device = await signUp(app, alice)
    const cookie = cookieOf(device)
    await device.post('/revoke-sessions')
    const { caller, setCookies } = await auth.check(requestOf({ cookie }))
    expect(caller).toBeNull()
    expect(setCookies.filter((line) => /max-age=0/i.test(line)).join()).toContain('gatehouse.session_token=')
  })

  it('accepts a session token as bearer', async () => {
    const { app, auth } = scene()
    const device = await signUp(app, alice)
    const authorization = `Bearer ${device.jar.get('gatehouse.session_token')}`
    expect(await auth.authenticate(requestOf({ authorization }))).toMatchObject({ user: { email: alice.email } })
    expect(await auth.authenticate(requestOf({ authorization: 'Bearer none' }))).toBeNull()
  })

  it('asks the binding first, and over HTTP if it fails', async () => {
    const { app } = scene()
    const device = await signUp(app, alice)
    const request = requestOf({ cookie: cookieOf(device, 'session_token') })
    const bound = scene({ binding: app.serverApi() })
    expect(await bound.auth.authenticate(request)).toMatchObject({ user: { email: alice.email }, via: 'binding' })
    expect(bound.asked).toEqual([])
    const failing = { getSession: () => Promise.reject(new Error('no such Worker')) }
    const other = scene({ binding: failing })
    expect(await other.auth.authenticate(request)).toMatchObject({ user: { email: alice.email }, via: 'cookie' })
  })

  it('asks with a server key, and keeps the key out of a redirect', async () => {
    const { app } = scene()
    const device = await signUp(app, alice)
    const serverKey = (await backEnd(app, ['sessions:read'])).key
    const keyed = scene({ serverKey })
    const request = requestOf({ cookie: cookieOf(device, 'session_token') })
    const caller = await keyed.auth.authenticate(request)
    expect(caller).toMatchObject({ user: { email: alice.email }, via: 'server-key' })
    expect(caller!.session!.createdAt).toBeInstanceOf(Date)
    expect(keyed.asked).toEqual(['/api/server/get-session'])
    const wrong = scene({ serverKey: `gh_sk_${'a'.repeat(48)}` })
    await expect(wrong.auth.authenticate(request)).rejects.toBeInstanceOf(GatehouseUnavailable)
  })

  it('forwards the cookie once when the session is due for an extension', async () => {
    const { app } = scene()
    const device = await signUp(app, alice)
    await updateRows('sessions', { updatedAt: new Date(Date.now() - 2 * 86_400_000) })
    const bound = scene({ binding: app.serverApi() })
    const request = requestOf({ cookie: cookieOf(device, 'session_token') })
    const first = await bound.auth.check(request)
    expect(first.setCookies.join()).toContain('gatehouse.session_token=')
    await bound.auth.check(request)
    expect(bound.asked).toEqual(['/api/auth/get-session'])
  })

  it('a failure of Gatehouse does not turn the caller into a visitor', async () => {
    const request = requestOf({ cookie: 'gatehouse.session_token=x.y', ...asPage })
    const answers = [
      () => Promise.reject(new TypeError('refused')),
      async () => new Response('down', { status: 500 }),
      async () => new Response('<html>', { status: 200 }),
      async () => Response.redirect('https://elsewhere.example/', 302),
    ]
    for (const fetch of answers) {
      const { auth } = scene({ fetch: fetch as typeof globalThis.fetch })
      await expect(auth.authenticate(request)).rejects.toMatchObject({ name: 'GatehouseUnavailable', status: 503 })
      const guarded = await auth.guard(request)
      expect(guarded.allowed === false && guarded.response.status).toBe(503)
    }
  })

  it('has the fields of the product', async () => {
    const fields = {
      user: { plan: { type: 'string', required: true, options: ['free', 'pro'], defaultValue: 'free' } },
    } as const
    const { app } = scene({}, { user: { additionalFields: fields.user } })
    const device = await signUp(app, alice)
    const auth = createAuthenticator<typeof fields>({ url: origin, binding: app.serverApi() })
    const caller = (await auth.authenticate(requestOf({ cookie: cookieOf(device) })))!
    expectTypeOf(caller.user.plan).toEqualTypeOf<'free' | 'pro'>()
    expectTypeOf(caller.user.email).toEqualTypeOf<string>()
    expect(caller.user.plan).toBe('free')
  })
})

describe('the session data cookie', () => {
  it('is verified here with its key, until it expires', async () => {
    const key = await sessionDataKey(env.GATEHOUSE_SECRET!)
    const { app, auth, asked } = scene({ sessionDataKey: ['b3RoZXI', key] })
    const device = await signUp(app, alice)
    const request = requestOf({ cookie: cookieOf(device) })
    expect(await auth.authenticate(request)).toMatchObject({ user: { email: alice.email }, via: 'session-data' })
    expect(new Set(asked)).toEqual(new Set([feed]))
    expect(await auth.authenticate(request, { fresh: true })).toMatchObject({ via: 'cookie' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 })
    expect(await auth.authenticate(request)).toMatchObject({ via: 'cookie' })
  })

  it('of a device-bound session is believed with its bound cookie alone', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const key = await sessionDataKey(env.GATEHOUSE_SECRET!)
    const { app, auth } = scene({ sessionDataKey: key }, { session: { deviceBound: 'offer' } })
    const browser = new BoundBrowser(app.device())
    await browser.post('/sign-up/email', alice)
    await browser.get('/get-session')
    const via = async (without = /^$/) => {
      const kept = [...browser.device.jar].filter(([name]) => !without.test(name))
      const cookie = kept.map(([name, value]) => `${name}=${value}`).join('; ')
      return (await auth.authenticate(requestOf({ cookie })))?.via ?? null
    }
    expect(await via()).toBe('session-data')
    vi.setSystemTime(Date.now() + 30_000)
    expect(await via(/\.bound_/)).toBeNull()
    const name = `gatehouse.bound_${browser.id}`
    const [, signature] = browser.device.jar.get(name)!.split('.')
    browser.device.jar.set(name, `${Date.now() + 3_600_000}.${signature}`)
    expect(await via()).toBeNull()
  })

  it('is not believed with another key, of another session, or changed', async () => {
    const key = await sessionDataKey(env.GATEHOUSE_SECRET!)
    const { app } = scene()
    const device = await signUp(app, alice)
    const data = device.jar.get('gatehouse.session_data')!
    const token = device.jar.get('gatehouse.session_token')!
    const changed = btoa(atob(data.replace(/-/g, '+').replace(/_/g, '/')).replace('Alice', 'Elice')).replace(/=+$/, '')
    const cases = {
      otherKey: { sessionDataKey: await sessionDataKey('another secret'), token, data },
      otherSession: { sessionDataKey: key, token: 'other.signature', data },
      changed: { sessionDataKey: key, token, data: changed },
      nothing: { sessionDataKey: key, token, data: 'x' },
      noKey: { token, data },
    }
    for (const [name, { token: sessionToken, data: sessionData, ...options }] of Object.entries(cases)) {
      const { auth } = scene(options)
      const cookie = `gatehouse.session_token=${sessionToken}; gatehouse.session_data=${sessionData}`
      expect({ name, via: (await auth.authenticate(requestOf({ cookie })))?.via }).not.toMatchObject({
        via: 'session-data',
      })
    }
  })
})

describe('a JWT', () => {
  const jwtOf = async (device: Device) => ({ authorization: `Bearer ${(await device.get('/token')).body.token}` })

  it('is verified with the published keys, which are read once', async () => {
    const { app, auth, asked } = scene()
    const device = await signUp(app, alice)
    const headers = await jwtOf(device)
    const caller = await auth.authenticate(requestOf(headers))
    expect(caller).toMatchObject({ user: { email: alice.email }, session: null, via: 'jwt' })
    expect(caller!.user.createdAt).toBeInstanceOf(Date)
    expect(caller!.user).not.toHaveProperty('iss')
    await auth.authenticate(requestOf(headers))
    expect(asked.filter((path) => path !== feed)).toEqual(['/api/auth/jwks'])
    expect(asked).toContain(feed)
  })

  it('is rejected for another audience, changed, where the current state is needed, and if none is accepted', async () => {
    const { app, auth } = scene()
    const headers = await jwtOf(await signUp(app, alice))
    const request = requestOf(headers)
    expect(await auth.authenticate(request)).toMatchObject({ via: 'jwt' })
    expect(await scene({ jwt: { audience: 'https://api.example.com' } }).auth.authenticate(request)).toBeNull()
    expect(await scene({ jwt: false }).auth.authenticate(request)).toBeNull()
    expect(await auth.authenticate(request, { fresh: true })).toBeNull()
    const changed = headers.authorization.replace(/\.(\w)/, (_, letter) => `.${letter === 'e' ? 'f' : 'e'}`)
    expect(await auth.authenticate(requestOf({ authorization: changed }))).toBeNull()
  })

  it('of an API key is rejected', async () => {
    const { app, auth } = scene({}, { jwt: { forApiKeys: true } })
    const device = await signUp(app, alice)
    const made = await device.post('/api-key/create', { name: 'script' })
    const caller = app.device()
    caller.headers['x-api-key'] = made.body.key
    const headers = await jwtOf(caller)
    expect(headers.authorization).toMatch(/^Bearer e/)
    expect(await auth.authenticate(requestOf(await jwtOf(device)))).toMatchObject({ via: 'jwt' })
    expect(await auth.authenticate(requestOf(headers))).toBeNull()
  })
})

describe('guard', () => {
  it('redirects the opening of a page to the sign-in page with the way back', async () => {
    const { auth } = scene()
    const guarded = await auth.guard(requestOf(asPage, '/orders?page=2'))
    expect(guarded.allowed).toBe(false)
    const { response } = guarded as { response: Response }
    expect([response.status, response.headers.get('location'), response.headers.get('cache-control')]).toEqual([
      302,
      `${origin}/sign-in?callbackURL=${encodeURIComponent(`${product}/orders?page=2`)}`,
      'no-store',
    ])
  })

  it('other requests get 401; a rule can choose', async () => {
    const { auth } = scene()
    const statusOf = async (...given: Parameters<typeof auth.guard>) => {
      const guarded = await auth.guard(...given)
      return guarded.allowed ? 200 : guarded.response.status
    }
    expect(await statusOf(requestOf({ accept: 'application/json' }))).toBe(401)
    expect(await statusOf(requestOf({ ...asPage, 'sec-fetch-mode': 'cors' }))).toBe(401)
    expect(await statusOf(requestOf(asPage, '/', 'POST'))).toBe(401)
    expect(await statusOf(requestOf(asPage), { visitors: 'status' })).toBe(401)
    expect(await statusOf(requestOf({}, '/data'), { visitors: 'redirect' })).toBe(302)
  })

  it('returns the cookies of an ended session with the redirect', async () => {
    const { app, auth } = scene()
    const device = await signUp(app, alice)
    const cookie = cookieOf(device)
    await device.post('/revoke-sessions')
    const guarded = await auth.guard(requestOf({ ...asPage, cookie }))
    const { response } = guarded as { response: Response }
    expect(response.headers.getSetCookie().join()).toContain('gatehouse.session_token=;')
  })

  it.each(['roles', 'binding', 'server key', 'cookie'] as const)(
    'by role and permission of the deployment, decided by %s',
    async (by) => {
      const roles = { editor: { article: ['publish'] }, user: {} }
      const config = { admin: { roles } } as Config
      const { app } = scene({}, config)
      const device = await signUp(app, alice)
      await updateRows('users', { role: 'user,editor' })
      const ways = {
        roles: { roles },
        binding: { binding: app.serverApi() },
        'server key': { serverKey: (await backEnd(app, ['sessions:read', 'users:read'])).key },
        cookie: {},
      }
      const { auth } = scene(ways[by], config)
      const request = requestOf({ cookie: cookieOf(device, 'session_token') })
      const statusOf = async (rule: Parameters<typeof auth.guard>[1]) => {
        const guarded = await auth.guard(request, rule)
        return guarded.allowed ? 200 : guarded.response.status
      }
      expect({
        role: await statusOf({ role: 'editor' }),
        oneOf: await statusOf({ role: ['admin', 'editor'] }),
        otherRole: await statusOf({ role: 'admin' }),
        permission: await statusOf({ permissions: { article: ['publish'] } }),
        otherPermission: await statusOf({ permissions: { article: ['publish', 'delete'] } }),
        nothing: await statusOf({ permissions: {} }),
      }).toEqual({ role: 200, oneOf: 200, otherRole: 403, permission: 200, otherPermission: 403, nothing: 403 })
    },
  )

  it.each(['binding', 'server key', 'cookie'] as const)(
    'by permission in an organization, decided by %s',
    async (by) => {
      const { app } = scene()
      const acme = await company(app, 'acme')
      const member = await someone(app, 'member')
      await join(acme, member)
      await member.device.post('/organization/set-active', { organizationId: acme.id })
      const outsider = await someone(app, 'outsider')
      const ways = {
        binding: { binding: app.serverApi() },
        'server key': { serverKey: (await backEnd(app, ['sessions:read', 'users:read'])).key },
        cookie: {},
      }
      const { auth } = scene(ways[by])
      const allowed = async (device: Device, organization: string) => {
        const request = requestOf({ cookie: cookieOf(device, 'session_token') })
        return (await auth.guard(request, { permissions: { member: ['create'] }, organization })).allowed
      }
      expect({
        owner: await allowed(acme.owner.device, 'active'),
        ownerById: await allowed(acme.owner.device, acme.id),
        member: await allowed(member.device, 'active'),
        outsider: await allowed(outsider.device, acme.id),
        withoutActive: await allowed(outsider.device, 'active'),
      }).toEqual({ owner: true, ownerById: true, member: false, outsider: false, withoutActive: false })
    },
  )

  it('a server key without the permission is a failure, not a refusal of the user', async () => {
    const { app } = scene()
    const device = await signUp(app, alice)
    const { auth } = scene({ serverKey: (await backEnd(app, ['sessions:read'])).key })
    const request = requestOf({ cookie: cookieOf(device) })
    const guarded = await auth.guard(request, { permissions: { user: ['list'] } })
    expect(guarded.allowed === false && guarded.response.status).toBe(503)
  })
})

describe('the pages', () => {
  it('lead back to the product, and to no other site', () => {
    const { auth } = scene({ origin: 'https://app.example.com' })
    const back = (returnTo?: string, request = requestOf({}, '/a?b=1')) =>
      new URL(auth.signInUrl(request, returnTo)).searchParams.get('callbackURL')
    expect(back()).toBe('https://app.example.com/a?b=1')
    expect(back('/orders')).toBe('https://app.example.com/orders')
    expect(back('https://app.example.com/orders#last')).toBe('https://app.example.com/orders#last')
    for (const unsafe of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/x',
      'javascript:alert(1)',
      '/.//x',
    ]) {
      expect({ unsafe, back: back(unsafe) }).toEqual({ unsafe, back: 'https://app.example.com/' })
    }
    const posted = (referer: string) => requestOf({ referer }, '/save', 'POST')
    expect(back(undefined, posted('https://app.example.com/form?x=1'))).toBe('https://app.example.com/form?x=1')
    expect(back(undefined, posted('https://evil.example/form'))).toBe('https://app.example.com/')
    expect(auth.signOutUrl(requestOf({}))).toBe(
      `${origin}/sign-out?callbackURL=${encodeURIComponent('https://app.example.com/')}`,
    )
  })

  it('options that cannot work are rejected at once', () => {
    expect(() => createAuthenticator({ url: 'accounts' })).toThrow('url: must be the address of Gatehouse')
    expect(() => createAuthenticator({ url: origin, serverKey: 'secret' })).toThrow('serverKey: must be a server key')
  })
})
