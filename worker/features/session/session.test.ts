import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { count, rowOf } from '../../testing/rows.ts'
import { deleteUsers, endSessions, expireSessions } from '../../testing/states.ts'

afterEach(() => {
  vi.useRealTimers()
})

const days = (n: number) => n * 86_400_000
const later = (milliseconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
const uncached = { query: { disableCookieCache: 'true' } }
const liveSessions = () => count('sessions')

describe('GET /get-session', () => {
  it('from the cookie cache: no I/O at all', async () => {
    const device = await signUp(new TestApp(), alice)
    const { status, body, io, cookies } = await device.get('/get-session')
    expect(status).toBe(200)
    expect(Object.values(io).map(([used]) => used)).toEqual([0, 0, 0, 0, 0])
    expect(cookies).toEqual([])
    expect(Object.keys(body.session).slice(0, 7)).toEqual([
      'expiresAt',
      'token',
      'createdAt',
      'updatedAt',
      'ipAddress',
      'userAgent',
      'userId',
    ])
    expect(body.session).toMatchObject({ ipAddress: device.ip, userAgent: 'harness/1.0' })
    expect(body.user).toMatchObject({ name: 'Alice', email: alice.email, emailVerified: false, image: null })
    expect(body.session.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('otherwise one round trip to D1, and the same answer', async () => {
    const device = await signUp(new TestApp(), alice)
    const cached = await device.get('/get-session')
    const read = await device.get('/get-session', uncached)
    expect(read.io).toEqual({ d1: [1, 4], kv: [0, 0], durable: [0, 0], r2: [0, 0], outside: [0, 0] })
    expect(read.body).toEqual(cached.body)
    expect(read.cookies[0]).toMatch(/^gatehouse\.session_data=.+; Max-Age=900;/)
  })

  it('a read without refresh, whose response may be late, replaces no cookie of a later change', async () => {
    const device = await signUp(new TestApp(), alice)
    const read = async () =>
      (await device.get('/get-session', { query: { disableCookieCache: 'true', disableRefresh: 'true' } })).cookies
    // What was read is what the cookie says: nothing to write.
    expect(await read()).toEqual([])
    const before = device.jar.get('gatehouse.session_data')!
    await device.post('/update-user', { name: 'Alice B' })
    // The cookie says something older, or nothing.
    for (const old of [before, '']) {
      device.jar.set('gatehouse.session_data', old)
      expect(await read()).toEqual([expect.stringMatching(/^gatehouse\.session_data=.+; Max-Age=900;/)])
      expect((await device.get('/get-session')).body.user.name).toBe('Alice B')
    }
    // An expired one is written again.
    later(6 * 60_000)
    expect(await read()).toEqual([expect.stringMatching(/^gatehouse\.session_data=.+; Max-Age=900;/)])
  })

  it('null without a cookie, with garbage, and with a foreign signature', async () => {
    const device = new TestApp().device()
    for (const cookie of [
      '',
      'gatehouse.session_token=garbage',
      `gatehouse.session_token=${'a'.repeat(32)}.${'b'.repeat(43)}%3D`,
      'gatehouse.session_token=%E0%A4%A; =; ;;; gatehouse.session_data=%00',
      `gatehouse.session_data=${'x'.repeat(3000)}`,
    ]) {
      const { status, body, io } = await device.get('/get-session', { headers: { cookie } })
      expect({ status, body, d1: io.d1![0] }).toEqual({ status: 200, body: null, d1: 0 })
    }
  })

  it('null, and the cookies cleared, for a well-signed token of no session', async () => {
    const device = await signUp(new TestApp(), alice)
    await endSessions()
    const { body, cookies } = await device.get('/get-session', uncached)
    expect(body).toBeNull()
    expect(cookies.map((line) => line.split(';').slice(0, 2).join(';'))).toEqual([
      'gatehouse.session_token=; Max-Age=0',
      'gatehouse.session_data=; Max-Age=0',
      'gatehouse.dont_remember=; Max-Age=0',
    ])
  })

  it('a tampered or foreign session data cookie counts for nothing', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const other = await signUp(app, bob)
    const [head = '', tail = ''] = [device.jar.get('gatehouse.session_data')!.slice(0, -9), 'AAAAAAAAA']
    for (const data of [head + tail, other.jar.get('gatehouse.session_data')!, 'bnVsbA', 'W10']) {
      device.jar.set('gatehouse.session_data', data)
      const { body, io } = await device.get('/get-session')
      expect(body.user.email).toBe(alice.email)
      expect(io.d1![0]).toBe(1)
    }
  })

  it('session data answer only for the token that the session cookie names', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const [token] = device.jar.get('gatehouse.session_token')!.split('.')
    const data = device.jar.get('gatehouse.session_data')!
    const read = async (cookie: string) => {
      const { body, io } = await app.device().get('/get-session', { headers: { cookie } })
      return { email: body?.user.email ?? null, d1: io.d1![0] }
    }
    const named = (value: string) => `gatehouse.session_token=${value}; gatehouse.session_data=${data}`
    // The signature of the data contains the token, so that of the cookie proves nothing more.
    expect(await read(named(`${token}.${'b'.repeat(43)}%3D`))).toEqual({ email: alice.email, d1: 0 })
    expect(await read(named(`${'a'.repeat(32)}.${'b'.repeat(43)}%3D`))).toEqual({ email: null, d1: 0 })
    expect(await read(`gatehouse.session_data=${data}`)).toEqual({ email: null, d1: 0 })
  })

  it('the cache expires after five minutes', async () => {
    const device = await signUp(new TestApp(), alice)
    later(301_000)
    expect((await device.get('/get-session')).io.d1![0]).toBe(1)
  })

  it('past the update age it extends the session; a new cookie says so', async () => {
    const device = await signUp(new TestApp(), alice)
    const before = (await device.get('/get-session')).body.session
    later(days(1) + 1000)
    const kept = await device.get('/get-session', { query: { disableRefresh: 'true' } })
    expect(kept.body.session.expiresAt).toBe(before.expiresAt)
    expect(kept.cookies.join()).not.toContain('session_token')
    device.jar.delete('gatehouse.session_data')
    const { body, cookies, io } = await device.get('/get-session')
    expect(Date.parse(body.session.expiresAt) - Date.now()).toBeGreaterThan(days(7) - 5000)
    expect(cookies[0]).toMatch(/^gatehouse\.session_token=.+; Max-Age=604[78]\d\d;/)
    expect(io.d1![0]).toBe(1)
    expect((await rowOf('sessions'))!.expiresAt.toISOString()).toBe(body.session.expiresAt)
  })

  it('a session that ends with the call that extends it returns no token', async () => {
    const device = await signUp(new TestApp(), alice)
    later(days(2))
    const { status, headers, cookies } = await device.post('/revoke-sessions')
    expect({ status, setAuthToken: headers.get('set-auth-token') }).toEqual({ status: 200, setAuthToken: null })
    expect(cookies[0]).toMatch(/^gatehouse\.session_token=; Max-Age=0/)
  })

  it('a session that is not to be remembered is never extended', async () => {
    const app = new TestApp({ session: { shortLived: 3 * 86_400 } })
    await signUp(app, alice)
    const device = await signIn(app, alice, { rememberMe: false })
    const before = (await device.get('/get-session')).body.session.expiresAt
    later(days(2))
    expect((await device.get('/get-session')).body.session.expiresAt).toBe(before)
  })

  it('an expired session is null, deleted, and its cookies cleared', async () => {
    const device = await signUp(new TestApp(), alice)
    later(days(7) + 1000)
    const { body, cookies } = await device.get('/get-session')
    expect(body).toBeNull()
    expect(cookies[0]).toMatch(/^gatehouse\.session_token=; Max-Age=0/)
    expect(await liveSessions()).toBe(0)
  })

  it('session data over the cap of one cookie is cut into several, and joined again', async () => {
    const app = new TestApp({ user: { additionalFields: { bio: { type: 'string' } } } })
    const device = await signUp(app, alice, { bio: 'x'.repeat(9000) })
    const chunks = [...device.jar].filter(([name]) => name.startsWith('gatehouse.session_data.'))
    expect(chunks.length).toBeGreaterThan(2)
    for (const [name, value] of chunks) expect(name.length + 1 + value.length).toBeLessThanOrEqual(4093)
    const { body, io } = await device.get('/get-session')
    expect(body.user.bio).toHaveLength(9000)
    expect(io.d1![0]).toBe(0)
    await device.post('/update-user', { bio: 'short' })
    expect([...device.jar.keys()].filter((name) => name.includes('session_data'))).toEqual(['gatehouse.session_data'])
    expect((await device.get('/get-session')).body.user.bio).toBe('short')
    await device.post('/sign-out')
    expect([...device.jar.keys()]).toEqual([
      'gatehouse.mailed_link',
      'gatehouse.known_device',
      'gatehouse.known_accounts',
    ])
  })

  it('without the cookie cache: no session data cookie, one round trip each time', async () => {
    const device = await signUp(new TestApp({ session: { cookieCache: { enabled: false } } }), alice)
    expect([...device.jar.keys()].some((name) => name.includes('session_data'))).toBe(false)
    const { body, io, cookies } = await device.get('/get-session')
    expect({ email: body.user.email, d1: io.d1![0], cookies }).toEqual({ email: alice.email, d1: 1, cookies: [] })
  })
})

describe('GET /list-sessions', () => {
  it('lists live sessions, newest first, with the device', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    later(1000)
    const phone = app.device()
    await phone.post('/sign-in/email', alice, {
      headers: {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
      },
    })
    await signUp(app, bob)
    const { body } = await device.get('/list-sessions')
    expect(body).toHaveLength(2)
    expect(body[0]).toMatchObject({ device: { browser: 'Firefox 131', os: 'Linux' }, ipAddress: phone.ip })
    expect(body[1].device).toBeNull()
    later(days(7) + 1000)
    await expireSessions(new Date(Date.now() + 1000), { token: body[1].token })
    expect((await device.get('/list-sessions')).body).toHaveLength(1)
  })

  it('401 with a body for a visitor', async () => {
    const { status, body } = await new TestApp().device().get('/list-sessions')
    expect({ status, body }).toEqual({ status: 401, body: { code: 'UNAUTHORIZED', message: 'Unauthorized' } })
  })
})

describe('POST /revoke-session', () => {
  it("ends one of one's own", async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const other = await signIn(app, alice)
    const { token } = (await other.get('/get-session')).body.session
    expect((await device.post('/revoke-session', { token })).body).toEqual({ status: true })
    expect((await other.get('/get-session')).body).toBeNull()
  })

  it("refuses another user's, an unknown one, a missing one, and a visitor", async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const { token } = (await (await signUp(app, bob)).get('/get-session')).body.session
    expect(await device.post('/revoke-session', { token })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    })
    expect(await device.post('/revoke-session', { token: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'SESSION_NOT_FOUND', message: 'Session not found' },
    })
    expect((await device.post('/revoke-session', {})).body.code).toBe('VALIDATION_ERROR')
    expect((await app.device().post('/revoke-session', { token })).status).toBe(401)
    expect(await liveSessions()).toBe(2)
  })
})

describe('POST /revoke-other-sessions and /revoke-sessions', () => {
  it('end the others, or all, at once in spite of the cache', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const other = await signIn(app, alice)
    expect((await device.post('/revoke-other-sessions')).body).toEqual({ status: true })
    expect((await other.get('/get-session')).body).toBeNull()
    expect((await device.get('/get-session')).body).not.toBeNull()
    const third = await signIn(app, alice)
    expect((await device.post('/revoke-sessions')).body).toEqual({ status: true })
    for (const ended of [device, third]) expect((await ended.get('/get-session')).body).toBeNull()
    expect(device.cookie('session_token')).toBeUndefined()
  })
})

describe('POST /sign-out', () => {
  const form = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  }

  it('a form without a script ends on a page: the sign-in page, or the callbackURL', async () => {
    const app = new TestApp({ trustedOrigins: ['https://app.example.com'] })
    for (const [query, location] of [
      ['', '/sign-in'],
      ['?callbackURL=https://app.example.com/bye', 'https://app.example.com/bye'],
    ]) {
      const device = await signUp(app, { ...alice, email: `${location!.length}@example.com` })
      const answer = await device.post(`/sign-out${query}`, 'sure=yes', { headers: form })
      expect(answer).toMatchObject({ status: 302 })
      expect(answer.headers.get('location')).toBe(location)
      expect((await device.get('/get-session')).body).toBeNull()
      // A second click, without a session.
      const again = await device.post(`/sign-out${query}`, 'sure=yes', { headers: form })
      expect({ status: again.status, to: again.headers.get('location') }).toEqual({ status: 302, to: location })
    }
  })

  it('never on a page of another site, and not for a form of another site', async () => {
    const device = await signUp(new TestApp(), alice)
    const foreign = await device.post('/sign-out?callbackURL=https://evil.example', '', { headers: form })
    expect(foreign).toMatchObject({ status: 403, body: { code: 'INVALID_CALLBACKURL' } })
    const posted = await device.post('/sign-out', '', { headers: { ...form, origin: 'https://evil.example' } })
    expect(posted.status).toBe(403)
    expect((await device.get('/get-session')).body).not.toBeNull()
  })

  it('JSON and scripts get JSON', async () => {
    const others: Record<string, string>[] = [{}, { accept: 'text/html' }, { ...form, accept: '*/*' }]
    for (const [n, headers] of others.entries()) {
      const device = await signUp(new TestApp(), { ...alice, email: `json-${n}@example.com` })
      expect((await device.post('/sign-out', '', { headers })).body).toEqual({ success: true })
    }
  })

  it('ends the session in one round trip and clears the cookies', async () => {
    const device = await signUp(new TestApp(), alice)
    const token = device.jar.get('gatehouse.session_token')!
    const { body, io } = await device.post('/sign-out')
    expect({ body, d1: io.d1 }).toEqual({ body: { success: true }, d1: [1, 1] })
    expect([...device.jar.keys()]).toEqual([
      'gatehouse.mailed_link',
      'gatehouse.known_device',
      'gatehouse.known_accounts',
    ])
    const replayed = await device.get('/get-session', { headers: { cookie: `gatehouse.session_token=${token}` } })
    expect(replayed.body).toBeNull()
  })

  it('has the browser delete what this origin has stored, except cookies; not where that is switched off', async () => {
    const clearing = async (app: TestApp) => {
      const device = await signUp(app, alice)
      const kept = await device.post('/sign-out')
      await deleteUsers()
      return kept.headers.get('clear-site-data')
    }
    expect(await clearing(new TestApp())).toBe('"cache", "storage"')
    expect(await clearing(new TestApp({ session: { clearSiteData: false } }))).toBeNull()
  })

  it('works without a body; 400 without a session', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    expect((await device.post('/sign-out', '')).body).toEqual({ success: true })
    expect(await device.post('/sign-out')).toMatchObject({ status: 400, body: { code: 'FAILED_TO_GET_SESSION' } })
  })
})
