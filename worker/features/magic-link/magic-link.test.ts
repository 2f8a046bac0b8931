import { afterEach, describe, expect, it, vi } from 'vitest'
import { minutes, ms } from '../../kit/time.ts'
import { type Device, origin, TestApp } from '../../testing/harness.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { count, rowOf } from '../../testing/rows.ts'
import { banUsers, deleteUsers, invalidatePending, verifyAddresses } from '../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const ask = (device: Device, body: object = {}) =>
  device.post('/sign-in/magic-link', { email: alice.email, callbackURL: '/dash', ...body })

/** Requests a link. @returns its URL */
async function linkFor(app: TestApp, body: object = {}): Promise<string> {
  await app.clearMailbox()
  expect((await ask(app.device(), body)).status).toBe(200)
  return app.linkTo(((body as { email?: string }).email ?? alice.email).toLowerCase())
}

describe('POST /sign-in/magic-link', () => {
  it('200: mails a link with a token of 32 letters', async () => {
    const app = new TestApp()
    const { status, body, io } = await ask(app.device(), { name: 'Al' })
    expect({ status, body }).toEqual({ status: 200, body: { status: true } })
    expect(io.d1).toEqual([1, 1])
    expect(io).toMatchObject({ durable: [1, 1], kv: [1, 1] })
    const link = new URL(await app.linkTo(alice.email))
    expect(link.origin + link.pathname).toBe(`${origin}/api/auth/magic-link/verify`)
    expect(link.searchParams.get('token')).toMatch(/^[A-Za-z]{32}$/)
    expect(link.searchParams.get('callbackURL')).toBe('/dash')
    expect(await count('users')).toBe(0)
  })

  it("leads to the app's screen without a callbackURL", async () => {
    const app = new TestApp()
    expect(new URL(await linkFor(app, { callbackURL: undefined })).searchParams.get('callbackURL')).toBe('/magic-link')
  })

  it.each([
    [{ email: 'nope' }, 400, 'VALIDATION_ERROR'],
    [{ email: undefined }, 400, 'VALIDATION_ERROR'],
    [{ email: ['a@b.example'] }, 400, 'VALIDATION_ERROR'],
    [{ name: 'x'.repeat(300) }, 400, 'VALIDATION_ERROR'],
    [{ callbackURL: 'https://evil.example.org' }, 403, 'INVALID_CALLBACKURL'],
    [{ callbackURL: '//evil.example.org' }, 403, 'INVALID_CALLBACKURL'],
  ])('%j is refused, and nothing is mailed', async (body, status, code) => {
    const app = new TestApp()
    const answer = await ask(app.device(), body)
    expect(answer).toMatchObject({ status, body: { code } })
    expect(await app.mailbox()).toEqual([])
  })

  it('429 after 5 in a minute', async () => {
    const device = new TestApp().device()
    const statuses = []
    for (let n = 0; n < 6; n++) statuses.push((await ask(device)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('400 USER_NOT_FOUND for an unknown address where sign-up is off; strict does not reveal it', async () => {
    const app = new TestApp({ magicLink: { disableSignUp: true } })
    const { status, body } = await ask(app.device())
    expect({ status, body }).toEqual({ status: 400, body: { code: 'USER_NOT_FOUND', message: 'User not found' } })
    const strict = new TestApp({ profile: 'strict', magicLink: { disableSignUp: true } })
    expect((await ask(strict.device())).body).toEqual({ status: true })
    expect(await app.mailbox()).toEqual([])
  })
})

describe('GET /magic-link/verify', () => {
  it('302 to the callback: creates a user with a verified address', async () => {
    const app = new TestApp()
    const device = app.device()
    const { status, headers, cookies } = await device.get(
      await linkFor(app, { name: 'Al', email: 'ALICE@example.com' }),
    )
    expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/dash' })
    expect(cookies[0]).toMatch(/^gatehouse\.session_token=[^;]+; Max-Age=604[78]\d\d; Path=\/; HttpOnly; SameSite=Lax$/)
    const { user } = (await device.get('/get-session')).body
    expect(user).toMatchObject({ email: alice.email, name: 'Al', emailVerified: true })
  })

  it('200 { token, user } without a callback; an existing user keeps the name', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    await verifyAddresses()
    const token = new URL(await linkFor(app, { name: 'Mallory' })).searchParams.get('token')!
    const { status, body, io } = await app.device().get('/magic-link/verify', { query: { token } })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      token: expect.stringMatching(/^\w{32}$/),
      user: { name: 'Alice', emailVerified: true },
    })
    expect(io.d1![0]).toBe(2)
    expect(await count('users')).toBe(1)
  })

  it('302 INVALID_TOKEN on a second use, absolute, and without a callback too', async () => {
    const app = new TestApp()
    const link = await linkFor(app)
    await app.device().get(link)
    const again = await app.device().get(link)
    expect({ status: again.status, location: again.headers.get('location') }).toEqual({
      status: 302,
      location: `${origin}/dash?error=INVALID_TOKEN`,
    })
    expect(again.cookies).toEqual([])
    const bad = await app.device().get('/magic-link/verify', { query: { token: 'bad' } })
    expect({ status: bad.status, location: bad.headers.get('location') }).toEqual({
      status: 302,
      location: `${origin}/?error=INVALID_TOKEN`,
    })
  })

  it.each([
    ['used', 'INVALID_TOKEN', async (app: TestApp, link: string) => void (await app.device().get(link))],
    ['expired', 'EXPIRED_TOKEN', async () => void vi.setSystemTime(Date.now() + ms(minutes(5)) + 1)],
  ])('the page of another browser reads the record once: %s', async (_what, error, end) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp()
    const link = await linkFor(app)
    await end(app, link)
    const { headers, io } = await app
      .device()
      .get(link, { headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0' } })
    expect(headers.get('location')).toBe(`${origin}/dash?error=${error}`)
    expect(io.kv).toEqual([1, 1])
  })

  it('302 EXPIRED_TOKEN after 300 seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp()
    const link = await linkFor(app)
    vi.setSystemTime(Date.now() + ms(minutes(5)) + 1)
    const { headers } = await app.device().get(link)
    expect(headers.get('location')).toBe(`${origin}/dash?error=EXPIRED_TOKEN`)
    expect(await count('users')).toBe(0)
  })

  it('302 new_user_signup_disabled', async () => {
    const link = await linkFor(new TestApp())
    const { headers } = await new TestApp({ magicLink: { disableSignUp: true } }).device().get(link)
    expect(headers.get('location')).toBe(`${origin}/dash?error=new_user_signup_disabled`)
    expect(await count('users')).toBe(0)
  })

  it('302 failed_to_create_user when the new user is refused', async () => {
    const link = await linkFor(new TestApp())
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no answer'))
    const billing = { accessToken: 'x', createCustomerOnSignUp: true, products: [{ productId: 'p', slug: 'p' }] }
    // The billing provider's requests are not in the budget of the endpoint.
    const app = new TestApp({ billing }, {}, false)
    expect((await app.device().get(link)).headers.get('location')).toBe(`${origin}/dash?error=failed_to_create_user`)
  })

  it('302 failed_to_create_session for a user who may not sign in', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    const link = await linkFor(app)
    await banUsers()
    const { headers, cookies } = await app.device().get(link)
    expect(headers.get('location')).toMatch(/\/dash\?error=(failed_to_create_session|banned)$/)
    expect(cookies).toEqual([])
  })

  it('400 without a token, 403 for a foreign callback', async () => {
    const device = new TestApp().device()
    const missing = await device.get('/magic-link/verify')
    expect(missing).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    const foreign = await device.get('/magic-link/verify', {
      query: { token: 'x', callbackURL: 'https://evil.example.org' },
    })
    expect(foreign).toMatchObject({ status: 403, body: { code: 'INVALID_CALLBACKURL' } })
  })

  it('20 parallel clicks create one session', async () => {
    const app = new TestApp(unlimited)
    const link = await linkFor(app)
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.device().get(link)))
    expect(answers.filter(({ headers }) => headers.get('location') === '/dash')).toHaveLength(1)
    expect(answers.filter(({ cookies }) => cookies.length > 0)).toHaveLength(1)
    expect({ users: await count('users'), sessions: await count('sessions') }).toEqual({ users: 1, sessions: 1 })
  })

  it('HEAD and prefetching do not use the link', async () => {
    const app = new TestApp()
    const link = await linkFor(app)
    const head = await app.fetch(new Request(link, { method: 'HEAD', headers: { 'cf-connecting-ip': '203.0.113.9' } }))
    expect(head.status).toBe(503)
    expect((await app.device().get(link, { headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(503)
    expect((await app.device().get(link)).headers.get('location')).toBe('/dash')
  })

  it('ends with the security version, and with its user', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    const moved = await linkFor(app)
    await invalidatePending()
    expect((await app.device().get(moved)).headers.get('location')).toContain('INVALID_TOKEN')
    const orphan = await linkFor(app)
    await deleteUsers()
    expect((await app.device().get(orphan)).headers.get('location')).toContain('INVALID_TOKEN')
    expect(await count('users')).toBe(0)
  })
})

describe('an address that is proven for the first time', () => {
  it('takes the account over from the user who created it: password, sessions, pending links', async () => {
    const app = new TestApp(unlimited)
    const squatter = await signUp(app, alice, { phoneNumber: '+15550001111' })
    await squatter.post('/request-password-reset', { email: alice.email })
    const reset = new URL(await app.linkTo(alice.email)).pathname.split('/').at(-1)

    const owner = app.device()
    await owner.get(await linkFor(app))
    const { user } = (await owner.get('/get-session')).body
    expect(user).toMatchObject({ email: alice.email, emailVerified: true, name: 'Alice', phoneNumber: null })
    expect((await squatter.get('/get-session', { query: { disableCookieCache: 'true' } })).body).toBeNull()
    const { status } = await app.device().post('/sign-in/email', alice)
    expect(status).toBe(401)
    expect((await app.device().post('/reset-password', { token: reset, newPassword: 'password9999' })).status).toBe(400)
    expect({ accounts: await count('accounts'), sessions: await count('sessions') }).toEqual({
      accounts: 0,
      sessions: 1,
    })
  })

  it('changes neither a verified account nor other users', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    await verifyAddresses()
    await signUp(app, bob)
    await app.device().get(await linkFor(app))
    expect({ accounts: await count('accounts'), sessions: await count('sessions') }).toEqual({
      accounts: 2,
      sessions: 3,
    })
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
  })

  it('two parallel proofs: the account is taken over once; the second proof signs in, or its link has ended', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    const links = [await linkFor(app), await linkFor(app)]
    const answers = await Promise.all(links.map((link) => app.device().get(link)))
    expect((await rowOf('users'))!.securityVersion).toBe(1)
    // The second link may end with the first one, also during its own request.
    const ends = answers.map(({ headers }) => headers.get('location')).sort()
    expect(ends[0]).toBe('/dash')
    expect(['/dash', `${origin}/dash?error=INVALID_TOKEN`]).toContain(ends[1])
  })
})
