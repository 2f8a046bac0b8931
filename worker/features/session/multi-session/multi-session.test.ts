import { afterEach, describe, expect, it, vi } from 'vitest'
import { signValue } from '../../../kit/cookies.ts'
import { codeOf } from '../../../testing/authenticator.ts'
import { type Device, outcome, TestApp } from '../../../testing/harness.ts'
import type { Person } from '../../../testing/people.ts'
import { count } from '../../../testing/rows.ts'
import { endSessions } from '../../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }
const secret = 'test-secret-0123456789-0123456789-ab'

afterEach(() => {
  vi.useRealTimers()
})

const person = (n: number): Person => ({ name: `P${n}`, email: `p${n}@example.com`, password: 'password1234' })
const sessions = () => count('sessions')

const list = '/multi-session/list-device-sessions'
const activate = '/multi-session/set-active'
const revoke = '/multi-session/revoke'

const multi = (token: string) => `session_token_multi-${token.toLowerCase()}`
/** The signature of each cookie covers its name. */
const tokenIn = (signed: string | undefined) => signed?.split('.')[0]
const heldBy = (device: Device) => [...device.jar.keys()].filter((name) => name.includes('_multi-'))
const active = async (device: Device) => (await device.get('/get-session')).body?.user.email ?? null
const everybody = async (device: Device) =>
  (await device.get(list)).body.map(({ user }: { user: { email: string } }) => user.email)

/** Signs up several users on one device. @returns their tokens */
async function enter(device: Device, ...people: number[]): Promise<string[]> {
  const tokens: string[] = []
  for (const n of people) tokens.push((await device.post('/sign-up/email', person(n))).body.token)
  return tokens
}

describe('signing in beside others', () => {
  it('sets a cookie of its own for each session', async () => {
    const device = new TestApp(unlimited).device()
    const { cookies, body } = await device.post('/sign-up/email', person(1))
    const line = cookies.find((each) => each.startsWith(`gatehouse.${multi(body.token)}=`))
    expect(line).toMatch(/=[A-Za-z0-9]{32}\.[^;]+; Max-Age=604[78]\d\d; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(tokenIn(device.cookie(multi(body.token)))).toBe(tokenIn(device.cookie('session_token')))
    await enter(device, 2)
    expect(heldBy(device)).toHaveLength(2)
    expect(await active(device)).toBe('p2@example.com')
  })

  it('of five; the sixth is active, but has none', async () => {
    const device = new TestApp(unlimited).device()
    await enter(device, 1, 2, 3, 4, 5, 6)
    expect(heldBy(device)).toHaveLength(5)
    expect(await active(device)).toBe('p6@example.com')
    expect(await everybody(device)).toEqual([5, 4, 3, 2, 1].map((n) => `p${n}@example.com`))
  })

  it('of five: a repeated sign-in and a session that ended elsewhere count only once', async () => {
    const device = new TestApp(unlimited).device()
    const tokens = await enter(device, 1, 2, 3, 4, 5)
    const again = async (n: number) => {
      const { email, password } = person(n)
      return (await device.post('/sign-in/email', { email, password })).body.token
    }
    const active = await again(5)
    expect(tokenIn(device.cookie(multi(active)))).toBe(tokenIn(device.cookie('session_token')))
    expect(heldBy(device)).toHaveLength(5)
    expect(await everybody(device)).toEqual([5, 4, 3, 2, 1].map((n) => `p${n}@example.com`))
    await endSessions({ token: tokens[0] })
    await enter(device, 6)
    expect(await everybody(device)).toEqual([6, 5, 4, 3, 2].map((n) => `p${n}@example.com`))
  })

  it('of the configured number', async () => {
    const device = new TestApp({ ...unlimited, multiSession: { maximumSessions: 2 } }).device()
    await enter(device, 1, 2, 3)
    expect(heldBy(device)).toHaveLength(2)
    expect((await device.get('/config')).body.multiSession).toEqual({ maximumSessions: 2 })
  })

  it('not to be remembered: the cookie ends with the browser, and switching keeps it so', async () => {
    const app = new TestApp(unlimited)
    await enter(app.device(), 1)
    const device = app.device()
    await enter(device, 2)
    const { email, password } = person(1)
    const { cookies, body } = await device.post('/sign-in/email', { email, password, rememberMe: false })
    expect(cookies.find((line) => line.startsWith(`gatehouse.${multi(body.token)}=`))).not.toContain('Max-Age')
    const [, other] = (await device.get(list)).body
    const away = await device.post(activate, { sessionToken: other.session.token })
    expect(away.cookies.find((line) => line.startsWith('gatehouse.session_token='))).toContain('Max-Age')
    expect(device.cookie('dont_remember')).toBeUndefined()
    const back = await device.post(activate, { sessionToken: body.token })
    expect(back.cookies.find((line) => line.startsWith('gatehouse.session_token='))).not.toContain('Max-Age')
    expect(device.cookie('dont_remember')).toMatch(/^true\./)
  })

  it('is off: no cookie, and its paths are not found', async () => {
    const device = new TestApp({ ...unlimited, multiSession: { enabled: false } }).device()
    await enter(device, 1)
    expect(heldBy(device)).toEqual([])
    expect((await device.get(list)).status).toBe(404)
  })
})

describe('GET /multi-session/list-device-sessions', () => {
  it('200: all users, the active one first', async () => {
    const device = new TestApp(unlimited).device()
    const [first] = await enter(device, 1, 2, 3)
    const { body, io } = await device.get(list)
    expect(body[0]).toMatchObject({ session: { token: expect.any(String) }, user: { email: 'p3@example.com' } })
    expect(await everybody(device)).toEqual(['p3@example.com', 'p2@example.com', 'p1@example.com'])
    await device.post(activate, { sessionToken: first })
    expect(await everybody(device)).toEqual(['p1@example.com', 'p3@example.com', 'p2@example.com'])
    expect(io).toMatchObject({ d1: [1, 1] })
  })

  it('200 []: a visitor, at no cost', async () => {
    const { body, io } = await new TestApp(unlimited).device().get(list)
    expect(body).toEqual([])
    expect(io).toMatchObject({ d1: [0, 1] })
  })

  it('clears the cookies of ended sessions and of earlier ones of the same user', async () => {
    const app = new TestApp(unlimited)
    const device = app.device()
    const [first] = await enter(device, 1, 2)
    const { email, password } = person(2)
    await device.post('/sign-in/email', { email, password })
    await endSessions({ token: first })
    expect(heldBy(device)).toHaveLength(3)
    expect(await everybody(device)).toEqual(['p2@example.com'])
    expect(heldBy(device)).toEqual([`gatehouse.${multi((await device.get('/get-session')).body.session.token)}`])
  })
})

describe('POST /multi-session/set-active', () => {
  it('200: the session cookies are those of the other', async () => {
    const device = new TestApp(unlimited).device()
    const [first] = await enter(device, 1, 2)
    const { status, body, cookies, io } = await device.post(activate, { sessionToken: first })
    expect({ status, email: body.user.email, token: body.session.token }).toEqual({
      status: 200,
      email: 'p1@example.com',
      token: first,
    })
    expect(cookies.find((line) => line.startsWith('gatehouse.session_token='))).toMatch(/Max-Age=604[78]\d\d;/)
    expect(io).toMatchObject({ d1: [1, 1] })
    const read = await device.get('/get-session')
    expect({ email: read.body.user.email, d1: read.io.d1?.[0] }).toEqual({ email: 'p1@example.com', d1: 0 })
    expect(heldBy(device)).toHaveLength(2)
  })

  it('200: set-auth-token is that of the other, for callers who keep tokens', async () => {
    const app = new TestApp(unlimited)
    const device = app.device()
    const [first] = await enter(device, 1, 2)
    const { headers } = await device.post(activate, { sessionToken: first })
    const token = headers.get('set-auth-token')!
    expect(token).toBe(device.jar.get('gatehouse.session_token'))
    const { body } = await app.device().get('/get-session', { headers: { authorization: `Bearer ${token}` } })
    expect(body.user.email).toBe('p1@example.com')
  })

  it('200: also when the active session has ended', async () => {
    const device = new TestApp(unlimited).device()
    const [first] = await enter(device, 1, 2)
    device.jar.delete('gatehouse.session_token')
    expect((await device.post(activate, { sessionToken: first })).status).toBe(200)
    expect(await active(device)).toBe('p1@example.com')
  })

  it('401: a session of another browser, an ended one, and none; 400: no token', async () => {
    const app = new TestApp(unlimited)
    const [foreign] = await enter(app.device(), 9)
    const device = app.device()
    const [first] = await enter(device, 1, 2)
    await endSessions({ token: first })
    for (const sessionToken of [foreign, first, 'x', first!.toLowerCase()]) {
      expect(outcome(await device.post(activate, { sessionToken }))).toEqual({
        status: 401,
        code: 'INVALID_SESSION_TOKEN',
      })
    }
    expect(outcome(await app.device().post(activate, { sessionToken: foreign }))).toEqual({
      status: 401,
      code: 'INVALID_SESSION_TOKEN',
    })
    for (const body of [{}, { sessionToken: 1 }, { sessionToken: '' }, { sessionToken: 'x'.repeat(300) }]) {
      expect(outcome(await device.post(activate, body))).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    }
    expect(await active(device)).toBe('p2@example.com')
  })

  it('401: a cookie that was renamed, re-signed, or given another value opens nothing', async () => {
    const app = new TestApp(unlimited)
    const [foreign = ''] = await enter(app.device(), 9)
    const device = app.device()
    const [own = ''] = await enter(device, 1)
    const name = (token: string) => `gatehouse.${multi(token)}`
    const signed = device.jar.get(name(own))!
    const forged: [string, string][] = [
      // Our own signature under another user's cookie name.
      [name(foreign), signed],
      // Another user's token under our name and under theirs, signed with our own key.
      [name(own), encodeURIComponent(signValue(['another secret'], multi(own), foreign))],
      [name(foreign), encodeURIComponent(signValue(['another secret'], multi(foreign), foreign))],
      // Another user's token without a signature.
      [name(foreign), foreign],
      // Our signature with another user's token.
      [name(foreign), encodeURIComponent(`${foreign}.${decodeURIComponent(signed).split('.')[1]}`)],
    ]
    for (const [cookie, value] of forged) {
      const thief = app.device()
      thief.jar.set(cookie, value)
      for (const path of [activate, revoke]) {
        expect(outcome(await thief.post(path, { sessionToken: foreign }))).toEqual({
          status: 401,
          code: 'INVALID_SESSION_TOKEN',
        })
      }
      expect((await thief.get(list)).body).toEqual([])
      expect(await active(thief)).toBeNull()
    }
    // The signature of our own active session, as one of several accounts.
    const renamed = app.device()
    renamed.jar.set(name(own), device.jar.get('gatehouse.session_token')!)
    expect((await renamed.get(list)).body).toEqual([])
    // A cookie whose name and value do not match is ignored, even with a valid signature.
    const confused = app.device()
    confused.jar.set(name(foreign), encodeURIComponent(signValue([secret], multi(foreign), own)))
    expect((await confused.get(list)).body).toEqual([])
    expect(await sessions()).toBe(2)
  })
})

describe('POST /multi-session/revoke', () => {
  it('200: another session ends, and the active one remains', async () => {
    const device = new TestApp(unlimited).device()
    const [first] = await enter(device, 1, 2)
    const { status, body, cookies } = await device.post(revoke, { sessionToken: first })
    expect({ status, body }).toEqual({ status: 200, body: { status: true } })
    expect(cookies).toEqual([`gatehouse.${multi(first!)}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`])
    expect(await sessions()).toBe(1)
    expect(await active(device)).toBe('p2@example.com')
  })

  it('200: the active one ends, and the newest of the others takes its place; the last leaves no session', async () => {
    const device = new TestApp(unlimited).device()
    const [first, second, third] = await enter(device, 1, 2, 3)
    const { io, headers } = await device.post(revoke, { sessionToken: third })
    expect(io).toMatchObject({ d1: [2, 2] })
    expect(headers.get('set-auth-token')).toBe(device.jar.get('gatehouse.session_token'))
    expect(await active(device)).toBe('p2@example.com')
    await device.post(revoke, { sessionToken: second })
    expect(await active(device)).toBe('p1@example.com')
    await device.post(revoke, { sessionToken: first })
    expect(await active(device)).toBeNull()
    expect(await sessions()).toBe(0)
    expect([...device.jar.keys()]).toEqual([
      'gatehouse.mailed_link',
      'gatehouse.known_device',
      'gatehouse.known_accounts',
    ])
  })

  it('401: a session of another browser', async () => {
    const app = new TestApp(unlimited)
    const [foreign] = await enter(app.device(), 9)
    const device = app.device()
    await enter(device, 1)
    expect(outcome(await device.post(revoke, { sessionToken: foreign }))).toEqual({
      status: 401,
      code: 'INVALID_SESSION_TOKEN',
    })
    expect(await sessions()).toBe(2)
  })
})

describe('POST /sign-out', () => {
  it('200: ends every session of the browser, and clears their cookies', async () => {
    const app = new TestApp(unlimited)
    await enter(app.device(), 9)
    const device = app.device()
    await enter(device, 1, 2, 3)
    const { status, cookies, io } = await device.post('/sign-out')
    expect({ status, d1: io.d1 }).toEqual({ status: 200, d1: [1, 1] })
    expect(cookies.filter((line) => line.includes('_multi-') && line.includes('Max-Age=0'))).toHaveLength(3)
    expect([...device.jar.keys()]).toEqual([
      'gatehouse.mailed_link',
      'gatehouse.known_device',
      'gatehouse.known_accounts',
    ])
    expect(await sessions()).toBe(1)
  })

  it('200: forged cookies affect no other user', async () => {
    const app = new TestApp(unlimited)
    const other = app.device()
    const [foreign = ''] = await enter(other, 9)
    const device = app.device()
    const [own = ''] = await enter(device, 1)
    const signature = decodeURIComponent(device.jar.get(`gatehouse.${multi(own)}`)!).split('.')[1]
    device.jar.set(`gatehouse.${multi(foreign)}`, encodeURIComponent(`${foreign}.${signature}`))
    device.jar.set(
      'gatehouse.session_token_multi-x',
      encodeURIComponent(signValue(['another'], 'session_token_multi-x', foreign)),
    )
    device.jar.set('gatehouse.session_token_multi-', 'x')
    const { cookies } = await device.post('/sign-out')
    expect(cookies.some((line) => line.startsWith(`gatehouse.${multi(foreign)}=`))).toBe(false)
    expect(await sessions()).toBe(1)
    expect(await other.get('/get-session', { query: { disableCookieCache: 'true' } })).toMatchObject({
      body: { user: { email: 'p9@example.com' } },
    })
  })
})

describe('a token that is replaced', () => {
  it('by a password change: the cookie follows, in the same place', async () => {
    const device = new TestApp(unlimited).device()
    const [first, second] = await enter(device, 1, 2)
    const change = { currentPassword: person(2).password, newPassword: 'password-two', revokeOtherSessions: true }
    const { body } = await device.post('/change-password', change)
    expect(body.token).not.toBe(second)
    expect(heldBy(device).sort()).toEqual([first!, body.token].map((token) => `gatehouse.${multi(token)}`).sort())
    expect(await everybody(device)).toEqual(['p2@example.com', 'p1@example.com'])
  })

  it('by the second factor, among five', async () => {
    const device = new TestApp(unlimited).device()
    await enter(device, 1, 2, 3, 4, 5)
    const { totpURI } = (await device.post('/two-factor/enable', { password: person(5).password })).body
    const { status } = await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    expect(status).toBe(200)
    const { token } = (await device.get('/get-session')).body.session
    expect(heldBy(device)).toHaveLength(5)
    expect(heldBy(device)).toContain(`gatehouse.${multi(token)}`)
    expect((await device.post('/two-factor/disable', { password: person(5).password })).status).toBe(200)
    const { token: next } = (await device.get('/get-session')).body.session
    expect(next).not.toBe(token)
    expect(heldBy(device)).toHaveLength(5)
    expect(heldBy(device)).toContain(`gatehouse.${multi(next)}`)
  })

  it('an extension keeps the token, and the cookie lives on with it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const device = new TestApp(unlimited).device()
    const [token = ''] = await enter(device, 1)
    vi.setSystemTime(Date.now() + 2 * 86_400_000)
    const { cookies } = await device.get('/get-session')
    expect(cookies.find((line) => line.startsWith(`gatehouse.${multi(token)}=`))).toContain('Max-Age=604800')
    const cached = await device.get('/get-session')
    expect({ cookies: cached.cookies, d1: cached.io.d1?.[0] }).toEqual({ cookies: [], d1: 0 })
  })
})
