import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type AuthenticatorOptions,
  createAuthenticator,
  sessionDataKey,
} from '../../client/sdk/authenticator/authenticator.ts'
import type { Config } from '../configuration/read-config.ts'
import { administrator } from '../testing/admins.ts'
import { FaultInjector } from '../testing/faults.ts'
import { type Device, env, origin, TestApp } from '../testing/harness.ts'
import { anotherDevice, someone } from '../testing/organizations.ts'
import { alice, signUp } from '../testing/people.ts'

// The product asks one isolate of the deployment; users use another. They share only the bindings and the cache.
let started = Date.now()

beforeEach(() => {
  started += 14_400_000
  vi.useFakeTimers({ toFake: ['Date'], now: started })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const unlimited: Config = { rateLimit: { enabled: false } }

async function scene(config: Config = {}, options: Partial<AuthenticatorOptions> = {}) {
  const faults = new FaultInjector()
  const asked: string[] = []
  const app = new TestApp({ ...unlimited, ...config })
  const other = new TestApp({ ...unlimited, ...config }, faults.bindings(), false)
  let isDown = false
  const request = async (input: unknown, init?: RequestInit) => {
    if (isDown) throw new TypeError('refused')
    const asking = new Request(String(input), init)
    asked.push(new URL(asking.url).pathname.replace('/api/auth', ''))
    const { status, headers, body } = await other.fetch(asking)
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
  }
  const background: Promise<unknown>[] = []
  const auth = createAuthenticator({
    url: origin,
    fetch: request as typeof fetch,
    waitUntil: (work) => void background.push(work),
    ...options,
  })
  const { id, device } = await someone(app, 'Alice')
  const authorization = `Bearer ${(await device.get('/token')).body.token}`
  const check = async (headers: Record<string, string> = { authorization }) => {
    const caller = await auth.authenticate({
      url: 'https://app.example.com/',
      method: 'GET',
      headers: new Headers(headers),
    })
    await Promise.all(background.splice(0))
    return caller
  }
  const setDown = (down: boolean) => {
    isDown = down
  }
  return { app, faults, asked, auth, id, device, check, setDown }
}

type Set = Awaited<ReturnType<typeof scene>>

const cookieOf = (device: Device) => ({ cookie: [...device.jar].map(([name, value]) => `${name}=${value}`).join('; ') })

describe.each<[string, Config]>([
  ['the standard profile', {}],
  ['the strict profile', { profile: 'strict' } as Config],
])('with %s, a JWT', (_, profile) => {
  it('is accepted with at most one request of the feed in a second, which calls neither D1 nor a counter', async () => {
    const { faults, asked, check } = await scene(profile)
    expect(await check()).toMatchObject({ user: { email: alice.email }, via: 'jwt' })
    asked.length = 0
    faults.watch()
    for (let second = 0; second < 60; second++) {
      pass(1)
      expect((await check())?.via).toBe('jwt')
    }
    expect([...new Set(asked)]).toEqual(['/ended-sessions'])
    expect(asked.length).toBeLessThanOrEqual(60)
    expect([...new Set(faults.calls)]).toEqual(['ENDED_SESSIONS since'])
  })

  it.each<[string, (set: Set) => Promise<unknown>]>([
    ['a sign-out', ({ device }) => device.post('/sign-out', {}, { keep: false })],
    ['a revocation', async ({ app, id }) => (await anotherDevice(app, id)).post('/revoke-other-sessions')],
    ['a ban', async ({ app, id }) => (await administrator(app)).device.post('/admin/ban-user', { userId: id })],
  ])('is refused 5 seconds after %s', async (_what, end) => {
    const set = await scene(profile)
    expect(await set.check()).not.toBeNull()
    pass(60)
    expect(await set.check()).not.toBeNull()
    expect(await end(set)).toMatchObject({ status: 200 })
    pass(5)
    expect(await set.check()).toBeNull()
    pass(800)
    expect(await set.check()).toBeNull()
  })
})

describe('the session data cookie', () => {
  it('is verified here, and refused 5 seconds after the end of its session', async () => {
    const { check, device, asked } = await scene({}, { sessionDataKey: await sessionDataKey(env.GATEHOUSE_SECRET!) })
    await device.get('/get-session')
    const headers = cookieOf(device)
    expect((await check(headers))?.via).toBe('session-data')
    expect(asked).toEqual(['/ended-sessions'])
    await device.post('/sign-out', {}, { keep: false })
    pass(5)
    expect(await check(headers)).toBeNull()
  })

  it('is judged by Gatehouse while the feed is not known', async () => {
    const { check, device, faults } = await scene({}, { sessionDataKey: await sessionDataKey(env.GATEHOUSE_SECRET!) })
    faults.outage('ENDED_SESSIONS')
    expect((await check(cookieOf(device)))?.via).toBe('cookie')
  })
})

describe('if the feed does not answer', () => {
  it('a JWT is believed for 30 seconds, then the deployment is asked, until the feed answers again', async () => {
    const { check, faults, asked, device } = await scene()
    await check()
    faults.outage('ENDED_SESSIONS')
    pass(29)
    expect((await check())?.via).toBe('jwt')
    expect(asked).not.toContain('/token/status')
    pass(2)
    expect((await check())?.via).toBe('jwt')
    expect(asked.at(-1)).toBe('/token/status')
    await device.post('/sign-out', {}, { keep: false })
    expect(await check()).toBeNull()
    faults.watch()
    pass(2)
    asked.length = 0
    expect(await check()).toBeNull()
    expect(asked).toEqual(['/ended-sessions'])
  })

  it('it is asked once a second at most, and a product that has just started asks the deployment', async () => {
    const { check, faults, asked } = await scene()
    faults.outage('ENDED_SESSIONS')
    for (let n = 0; n < 5; n++) expect((await check())?.via).toBe('jwt')
    expect(asked.filter((path) => path === '/ended-sessions')).toHaveLength(1)
    expect(asked.filter((path) => path === '/token/status')).toHaveLength(5)
  })

  it('and the deployment does not either: the product cannot say who it is', async () => {
    const { check, setDown } = await scene()
    await check()
    setDown(true)
    pass(20)
    expect((await check())?.via).toBe('jwt')
    pass(20)
    await expect(check()).rejects.toMatchObject({ name: 'GatehouseUnavailable' })
  })

  it.each([
    ['is not a feed', () => Response.json({ ended: 'x' })],
    ['goes in a circle', () => Response.json({ age: 0, last: 0, more: true, keep: 900, ended: [] })],
    ['redirects', () => Response.redirect('https://elsewhere.example/')],
  ])('because the answer %s, the deployment is asked', async (_, answer) => {
    const app = new TestApp(unlimited)
    const request = async (input: unknown, init?: RequestInit) => {
      if (String(input).includes('/ended-sessions')) return answer()
      const { status, headers, body } = await app.fetch(new Request(String(input), init))
      return new Response(JSON.stringify(body), { status, headers })
    }
    const { check, device } = await scene({}, { fetch: request as typeof fetch })
    expect((await check())?.via).toBe('jwt')
    await device.post('/sign-out', {}, { keep: false })
    expect(await check()).toBeNull()
  })
})

it('JWTs go on while the database does not answer', async () => {
  const { check, faults } = await scene()
  await check()
  faults.outage('D1')
  for (let minute = 0; minute < 9; minute++) {
    pass(60)
    expect((await check())?.via).toBe('jwt')
  }
})

it('with endedSessions: false a JWT is believed until it expires', async () => {
  const { check, device, asked } = await scene({}, { endedSessions: false })
  await device.post('/sign-out', {}, { keep: false })
  pass(5)
  expect((await check())?.via).toBe('jwt')
  expect(asked).toEqual(['/jwks'])
  pass(900)
  expect(await check()).toBeNull()
})

describe('GET /ended-sessions', () => {
  const feed = () => env.ENDED_SESSIONS.getByName('all')
  const read = async (app: TestApp, after: number | string) =>
    app.device().get('/ended-sessions', { query: { after: String(after) } })

  it('returns parts of ids, and neither changed keys nor whole ids', async () => {
    const id = 'a'.repeat(32)
    await feed().add([id, 'key:x@1'], 60_000)
    const { body, headers } = await read(new TestApp(), 0)
    expect(body).toEqual({ age: expect.any(Number), last: 2, more: false, keep: 960, ended: ['a'.repeat(16)] })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('returns many entries in pages, and few of them again', async () => {
    const ids = Array.from({ length: 70_000 }, (_, n) => String(n).padStart(16, '0'))
    for (let at = 0; at < ids.length; at += 10_000) await feed().add(ids.slice(at, at + 10_000), 600_000)
    const app = new TestApp(unlimited)
    const seen = new Set<string>()
    let after = 0
    const pages: number[] = []
    for (let more = true; more; ) {
      const { body } = await read(app, after)
      for (const one of body.ended) seen.add(one)
      pages.push(body.ended.length)
      ;({ more, last: after } = body)
    }
    expect({ seen: seen.size, after, pages }).toEqual({ seen: 70_000, after: 70_000, pages: [65_536, 4464] })
    pass(3)
    expect((await read(app, after)).body.ended.length).toBeLessThan(512)
    pass(3)
    expect((await read(app, 9_000_000)).body.more).toBe(true)
  })

  it.each(['-1', '1.5', 'x', '1e400'])('rejects the place %s', async (after) => {
    expect((await read(new TestApp(), after)).status).toBe(400)
  })
})

describe('POST /token/status', () => {
  it('is false for a token of another kind, a changed one, an expired one and one of an ended session', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const { token } = (await device.get('/token')).body
    const isActive = async (one: string) => (await app.device().post('/token/status', { token: one })).body.active
    expect(await isActive(token)).toBe(true)
    expect(await isActive(`${token.slice(0, -2)}xx`)).toBe(false)
    expect(await isActive('x')).toBe(false)
    pass(901)
    expect(await isActive(token)).toBe(false)
    const next = (await device.get('/token')).body.token
    await device.post('/sign-out')
    expect(await isActive(next)).toBe(false)
  })
})
