import { afterEach, describe, expect, it, vi } from 'vitest'
import { outcome, TestApp } from '../../../testing/harness.ts'
import { alice, bob, signIn, signUp } from '../../../testing/people.ts'
import { count, rowOf } from '../../../testing/rows.ts'
import { deleteUsers, impersonateAs, updateUsers, verifyAddresses } from '../../../testing/states.ts'

afterEach(() => {
  vi.useRealTimers()
})

const isVerified = async () => (await rowOf('users'))!.emailVerified

describe('POST /send-verification-email', () => {
  it('mails a link', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    await app.clearMailbox()
    const { body } = await app
      .device()
      .post('/send-verification-email', { email: alice.email, callbackURL: '/verified' })
    expect(body).toEqual({ status: true })
    const link = new URL(await app.linkTo(alice.email))
    expect({ origin: link.origin, pathname: link.pathname, callbackURL: link.searchParams.get('callbackURL') }).toEqual(
      { origin: 'http://localhost:8787', pathname: '/api/auth/verify-email', callbackURL: '/verified' },
    )
  })

  it('400 for an unknown user; in strict the same response for all', async () => {
    const send = (app: TestApp) => app.device().post('/send-verification-email', { email: 'unknown@example.com' })
    expect(await send(new TestApp())).toMatchObject({ status: 400, body: { code: 'USER_NOT_FOUND' } })
    expect((await send(new TestApp({ profile: 'strict' }))).body).toEqual({ status: true })
    const off = new TestApp({ emailVerification: { enabled: false } })
    expect((await send(off)).body.code).toBe('VERIFICATION_EMAIL_ISNT_ENABLED')
    expect((await new TestApp().device().post('/send-verification-email', { email: 'x' })).body.code).toBe(
      'VALIDATION_ERROR',
    )
  })

  it('sends nothing to an address that is verified', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    await app.device().get(await app.linkTo(alice.email))
    await app.clearMailbox()
    expect((await app.device().post('/send-verification-email', { email: alice.email })).body).toEqual({ status: true })
    expect(await app.mailbox()).toEqual([])
  })
})

describe('GET /verify-email', () => {
  const tokenFor = async (app: TestApp, address = alice.email) =>
    new URL(await app.linkTo(address)).searchParams.get('token')!

  it('verifies, redirects, and signs in the browser', async () => {
    const app = new TestApp({ emailAndPassword: { requireEmailVerification: true } })
    const device = await signUp(app, alice)
    const { status, headers } = await device.get('/verify-email', {
      query: { token: await tokenFor(app), callbackURL: '/welcome' },
    })
    expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/welcome' })
    expect((await device.get('/get-session')).body.user.emailVerified).toBe(true)
  })

  it('a link signs in once: 20 parallel clicks create one session, later ones none', async () => {
    const app = new TestApp({ rateLimit: { enabled: false }, emailAndPassword: { requireEmailVerification: true } })
    const own = await signUp(app, alice)
    const query = { token: await tokenFor(app) }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => own.get('/verify-email', { query, keep: false })),
    )
    for (const { body } of answers) expect(body).toEqual({ status: true, user: null })
    expect(await count('sessions')).toBe(1)
    const again = await app.device().get('/verify-email', { query })
    expect({ body: again.body, cookies: again.cookies }).toEqual({ body: { status: true, user: null }, cookies: [] })
  })

  it('does not sign in without autoSignInAfterVerification', async () => {
    const app = new TestApp({ emailVerification: { autoSignInAfterVerification: false } })
    await signUp(app, alice)
    const { cookies } = await app.device().get('/verify-email', { query: { token: await tokenFor(app) } })
    expect(cookies).toEqual([])
    expect(await isVerified()).toBe(true)
  })

  it('a signed-in browser sees it immediately', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    await device.get('/verify-email', { query: { token: await tokenFor(app) } })
    expect((await device.get('/get-session')).body.user.emailVerified).toBe(true)
  })

  it('HEAD and prefetching change nothing', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    const link = await app.linkTo(alice.email)
    const head = await app.fetch(new Request(link, { method: 'HEAD' }))
    const prefetch = await app.fetch(new Request(link, { headers: { 'sec-purpose': 'prefetch;prerender' } }))
    expect({ head: head.status, prefetch: prefetch.status }).toEqual({ head: 503, prefetch: 503 })
    expect(await isVerified()).toBe(false)
  })

  it('an invalid token: redirect with the error, or 401', async () => {
    const device = new TestApp().device()
    const location = async (callbackURL: string) =>
      (await device.get('/verify-email', { query: { token: 'bad', callbackURL } })).headers.get('location')
    expect(await location('/v')).toBe('/v?error=invalid_token')
    expect(await location('/v?x=1')).toBe('/v?x=1&error=invalid_token')
    const plain = await device.get('/verify-email', { query: { token: 'bad' } })
    expect({ status: plain.status, body: plain.body }).toEqual({
      status: 401,
      body: { code: 'INVALID_TOKEN', message: 'invalid_token' },
    })
    expect((await device.get('/verify-email')).body.code).toBe('VALIDATION_ERROR')
    const foreign = await device.get('/verify-email', {
      query: { token: 'x', callbackURL: 'https://evil.example.org' },
    })
    expect(foreign).toMatchObject({ status: 403, body: { code: 'INVALID_CALLBACKURL' } })
  })

  it.each([
    ['used', '/v', (app: TestApp, token: string) => app.device().get('/verify-email', { query: { token } })],
    ['ended', '/v?error=invalid_token', () => updateUsers({ securityVersion: 1 })],
  ])('the page of another browser reads the user of a link without an effect once: %s', async (_what, to, end) => {
    const app = new TestApp()
    await signUp(app, alice)
    const token = await tokenFor(app)
    await end(app, token)
    const { headers, io } = await app.device().get('/verify-email', {
      query: { token, callbackURL: '/v' },
      headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0' },
    })
    expect({ to: headers.get('location'), d1: io.d1![0] }).toEqual({ to, d1: 1 })
  })

  it('an expired token, a removed user, and a token that other events have ended', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    await signUp(app, alice)
    const token = await tokenFor(app)
    const verify = (query: object = {}) => app.device().get('/verify-email', { query: { token, ...query } })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_601_000 })
    expect((await verify()).body).toEqual({ code: 'TOKEN_EXPIRED', message: 'token_expired' })
    expect((await verify({ callbackURL: '/v' })).headers.get('location')).toBe('/v?error=token_expired')
    vi.useRealTimers()
    await updateUsers({ securityVersion: 1 })
    expect((await verify()).body.code).toBe('INVALID_TOKEN')
    await deleteUsers()
    expect((await verify({ callbackURL: '/v' })).headers.get('location')).toBe('/v?error=user_not_found')
  })
})

describe('the change of a verified address', () => {
  const verified = async (app: TestApp) => {
    const device = await signUp(app, alice)
    await device.get(await app.linkTo(alice.email))
    await app.clearMailbox()
    return device
  }
  const asked = async (app: TestApp) => {
    const device = await verified(app)
    const answer = await device.post('/change-email', { newEmail: 'New@example.com', callbackURL: '/changed' })
    const token = new URL(await app.linkTo(alice.email)).searchParams.get('token')!
    return { device, answer, token }
  }

  it('is mailed to the old address, then happens, unverified, with a new verification mail', async () => {
    const app = new TestApp()
    const { device, answer, token } = await asked(app)
    expect(answer.body).toEqual({ status: true })
    expect((await device.get('/get-session')).body.user.email).toBe(alice.email)
    const { status, headers } = await device.get('/verify-email', { query: { token, callbackURL: '/changed' } })
    expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: '/changed' })
    expect((await device.get('/get-session')).body.user).toMatchObject({
      email: 'new@example.com',
      emailVerified: false,
    })
    await device.get(await app.linkTo('new@example.com'))
    expect((await device.get('/get-session')).body.user).toMatchObject({
      email: 'new@example.com',
      emailVerified: true,
    })
  })

  it.each([undefined, '/verify-email', '/verify-email?for=change'])(
    'each link leads to the hosted screen with its purpose: %s',
    async (callbackURL) => {
      const app = new TestApp()
      const device = await signUp(app, alice)
      const landingOf = async (address: string) => new URL(await app.linkTo(address)).searchParams.get('callbackURL')
      expect(await landingOf(alice.email)).toBe('/verify-email?for=confirm')
      await device.get(await app.linkTo(alice.email))
      await app.clearMailbox()
      await device.post('/change-email', { newEmail: 'new@example.com', callbackURL })
      expect(await landingOf(alice.email)).toBe('/verify-email?for=change')
      await device.get(await app.linkTo(alice.email))
      expect(await landingOf('new@example.com')).toBe('/verify-email?for=confirm')
    },
  )

  it('does not happen while an administrator acts as the user', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    await verifyAddresses()
    await device.post('/change-email', { newEmail: 'new@example.com' })
    await impersonateAs('another')
    const token = new URL(await app.linkTo(alice.email)).searchParams.get('token')!
    const { status, body } = await device.get('/verify-email', { query: { token } })
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' })
    expect((await rowOf('users'))!.email).toBe(alice.email)
  })

  it('requires the session of the user', async () => {
    const app = new TestApp()
    const { token } = await asked(app)
    const visitor = await app.device().get('/verify-email', { query: { token } })
    expect({ status: visitor.status, body: visitor.body }).toEqual({
      status: 401,
      body: { code: 'UNAUTHORIZED', message: 'unauthorized' },
    })
    const other = await signUp(app, bob)
    const redirected = await other.get('/verify-email', { query: { token, callbackURL: '/c' } })
    expect(redirected.headers.get('location')).toBe('/c?error=unauthorized')
  })

  it('happens once, and not to an address that another user has taken', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    const { device, token } = await asked(app)
    await signUp(app, { ...bob, email: 'new@example.com' })
    expect((await device.get('/verify-email', { query: { token } })).body.code).toBe('INVALID_TOKEN')
    await deleteUsers({ email: 'new@example.com' })
    const moved = await device.get('/verify-email', { query: { token } })
    expect(moved.body).toMatchObject({ status: true, user: { email: 'new@example.com', emailVerified: false } })
    expect(outcome(await device.get('/verify-email', { query: { token } }))).toEqual({
      status: 401,
      code: 'INVALID_TOKEN',
    })
    expect((await (await signIn(app, { ...alice, email: 'new@example.com' })).get('/get-session')).status).toBe(200)
  })
})
