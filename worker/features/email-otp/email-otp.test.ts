import { afterEach, describe, expect, it, vi } from 'vitest'
import { hours, minutes, ms } from '../../kit/time.ts'
import { type Answer, type Device, env, TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import type { CodeType } from './email-otp.contract.ts'

const unlimited = { rateLimit: { enabled: false } }
const silent = { ...unlimited, emailVerification: { sendOnSignUp: false } }

afterEach(() => {
  vi.useRealTimers()
})

const count = async (table: 'users' | 'sessions' | 'accounts') =>
  (await env.DB.prepare(`select count(*) as n from ${table}`).first<{ n: number }>())!.n

const send = (device: Device, type: CodeType, email = alice.email) =>
  device.post('/email-otp/send-verification-otp', { email, type })

/** Has a code sent and reads it. */
async function codeFor(app: TestApp, type: CodeType, email = alice.email): Promise<string> {
  const { status, body } = await send(app.device(), type, email)
  expect([status, body]).toEqual([200, { success: true }])
  return (await app.mailbox()).find(({ to }) => to === email)!.codes[0]!
}

const wrong = (code: string) => (code === '000000' ? '111111' : '000000')

describe('POST /email-otp/send-verification-otp', () => {
  it('200 for each type, with a code of its own, of 6 digits', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    for (const type of ['sign-in', 'email-verification', 'forget-password'] as const) {
      expect(await codeFor(app, type)).toMatch(/^\d{6}$/)
    }
    const [newest] = await app.mailbox()
    expect(newest!.subject).not.toMatch(/\d{6}/)
    const { io } = await send(app.device(), 'sign-in')
    expect(io.d1).toEqual([1, 1])
  })

  it('200 for a stranger; what a reset is for is mailed to nobody', async () => {
    const app = new TestApp(unlimited)
    expect((await send(app.device(), 'forget-password', 'ghost@example.com')).body).toEqual({ success: true })
    expect(await app.mailbox()).toEqual([])
    const strict = new TestApp({ ...unlimited, profile: 'strict' })
    expect((await send(strict.device(), 'email-verification', 'ghost@example.com')).body).toEqual({ success: true })
    expect(await app.mailbox()).toEqual([])
    const closed = new TestApp({ ...unlimited, emailOTP: { disableSignUp: true } })
    expect((await send(closed.device(), 'sign-in', 'ghost@example.com')).body).toEqual({ success: true })
    expect(await app.mailbox()).toEqual([])
  })

  it.each([
    [{ email: 'nope', type: 'sign-in' }, 'INVALID_EMAIL'],
    [{ email: alice.email, type: 'other' }, 'VALIDATION_ERROR'],
    [{}, 'VALIDATION_ERROR'],
  ])('400 for %j', async (body, code) => {
    const answer = await new TestApp().device().post('/email-otp/send-verification-otp', body)
    expect([answer.status, answer.body.code]).toEqual([400, code])
  })

  it.each([
    ['/email-otp/send-verification-otp', { type: 'sign-in' }],
    ['/email-otp/verify-email', { otp: '000000' }],
    ['/sign-in/email-otp', { otp: '000000' }],
  ])('%s: 429 after 3 in a minute', async (path, body) => {
    const device = new TestApp().device()
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await device.post(path, { email: alice.email, ...body })).status)
    expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true])
  })
})

describe('POST /sign-in/email-otp', () => {
  const signIn = (device: Device, otp: string, email = alice.email) => device.post('/sign-in/email-otp', { email, otp })

  it('200: signs up who is new, with an empty name and a verified address', async () => {
    const app = new TestApp(unlimited)
    const code = await codeFor(app, 'sign-in')
    const device = app.device()
    const { status, body, cookies } = await signIn(device, code, 'Alice@example.com')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['token', 'user'])
    expect(body.user).toMatchObject({ email: alice.email, name: '', emailVerified: true, image: null })
    expect(cookies[0]).toContain('gatehouse.session_token=')
    expect((await device.get('/get-session')).body.user.email).toBe(alice.email)
    expect((await signIn(app.device(), code)).body.code).toBe('INVALID_OTP')
  })

  it('200 for who exists: the unproven password is removed', async () => {
    const app = new TestApp(silent)
    const squatter = await signUp(app, alice)
    const { status, io } = await signIn(app.device(), await codeFor(app, 'sign-in'))
    expect(status).toBe(200)
    expect([io.d1![0], io.durable![0]]).toEqual([2, 2])
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(401)
    expect((await squatter.get('/list-sessions')).status).toBe(401)
    expect(await count('accounts')).toBe(0)
  })

  it('400 wrong, 403 at the fourth, and the right one is refused then', async () => {
    const app = new TestApp(unlimited)
    const code = await codeFor(app, 'sign-in')
    const answers = []
    for (let n = 0; n < 4; n++) answers.push(await signIn(app.device(), wrong(code)))
    expect(answers.map(({ status, body }) => [status, body.code, body.message])).toEqual([
      [400, 'INVALID_OTP', 'Invalid OTP'],
      [400, 'INVALID_OTP', 'Invalid OTP'],
      [400, 'INVALID_OTP', 'Invalid OTP'],
      [403, 'TOO_MANY_ATTEMPTS', 'Too many attempts'],
    ])
    expect((await signIn(app.device(), code)).status).toBe(403)
    expect(await count('users')).toBe(0)
    expect((await signIn(app.device(), await codeFor(app, 'sign-in'))).status).toBe(200)
  })

  it('200 wrong guesses at once: exactly 3 are looked at, and the right code is refused afterwards', async () => {
    const app = new TestApp(unlimited)
    const code = await codeFor(app, 'sign-in')
    const answers = await Promise.all(Array.from({ length: 200 }, () => signIn(app.device(), wrong(code))))
    expect(answers.filter(({ body }) => body.code === 'INVALID_OTP')).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 403 || status === 429)).toHaveLength(197)
    expect((await signIn(app.device(), code)).status).toBe(429)
    // Sending again gives a new code and no new guesses.
    const refused = await signIn(app.device(), await codeFor(app, 'sign-in'))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('x-retry-after'))).toBeGreaterThan(3000)
    expect(await count('sessions')).toBe(0)
  })

  it('the budget of an address: 10 guesses an hour, whatever codes; a right one forgets them', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp(unlimited)
    for (let n = 0; n < 3; n++) {
      const code = await codeFor(app, 'sign-in')
      for (let m = 0; m < 3; m++) expect((await signIn(app.device(), wrong(code))).status).toBe(400)
    }
    const tenth = await codeFor(app, 'sign-in')
    expect((await signIn(app.device(), tenth)).status).toBe(200)
    for (let n = 0; n < 4; n++) {
      const code = await codeFor(app, 'sign-in')
      for (let m = 0; m < 3; m++) await signIn(app.device(), wrong(code))
    }
    const code = await codeFor(app, 'sign-in')
    expect((await signIn(app.device(), code)).status).toBe(429)
    // Another type of code has a budget of its own.
    expect((await app.device().post('/email-otp/verify-email', { email: alice.email, otp: code })).status).toBe(400)
    vi.setSystemTime(Date.now() + ms(hours(1)))
    expect((await signIn(app.device(), await codeFor(app, 'sign-in'))).status).toBe(200)
  })

  it('20 right codes at once make one session', async () => {
    const app = new TestApp(unlimited)
    const code = await codeFor(app, 'sign-in')
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(app.device(), code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect([await count('users'), await count('sessions')]).toEqual([1, 1])
  })

  it('400 OTP_EXPIRED after 300 seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp(unlimited)
    const code = await codeFor(app, 'sign-in')
    vi.setSystemTime(Date.now() + ms(minutes(5)))
    const { status, body } = await signIn(app.device(), code)
    expect([status, body]).toEqual([400, { code: 'OTP_EXPIRED', message: 'otp expired' }])
  })

  it('a code of one type or address is none of another', async () => {
    const app = new TestApp(silent)
    await signUp(app, alice)
    const code = await codeFor(app, 'email-verification')
    expect((await signIn(app.device(), code)).body.code).toBe('INVALID_OTP')
    const own = await codeFor(app, 'sign-in')
    expect((await signIn(app.device(), own, 'bob@example.com')).body.code).toBe('INVALID_OTP')
  })

  it('dies with the security version', async () => {
    const app = new TestApp(silent)
    await signUp(app, alice)
    const code = await codeFor(app, 'sign-in')
    await env.DB.prepare('update users set security_version = security_version + 1').run()
    expect((await signIn(app.device(), code)).body.code).toBe('INVALID_OTP')
    expect(await count('sessions')).toBe(1)
  })

  it('400 USER_NOT_FOUND where sign-up is off', async () => {
    const code = await codeFor(new TestApp(unlimited), 'sign-in')
    const { status, body } = await signIn(
      new TestApp({ ...unlimited, emailOTP: { disableSignUp: true } }).device(),
      code,
    )
    expect([status, body.code]).toEqual([400, 'USER_NOT_FOUND'])
    expect(await count('users')).toBe(0)
  })

  it('answers with the callback as url when one is given, and refuses a foreign one', async () => {
    const app = new TestApp(unlimited)
    const body = { email: alice.email, otp: await codeFor(app, 'sign-in') }
    const foreign = await app.device().post('/sign-in/email-otp', { ...body, callbackURL: 'https://evil.example.org' })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'INVALID_CALLBACKURL'])
    const answer = await app.device().post('/sign-in/email-otp', { ...body, callbackURL: '/dash' })
    expect(answer.body).toMatchObject({ redirect: true, url: '/dash' })
  })

  it('400 for what is no address and for missing fields', async () => {
    const device = new TestApp(unlimited).device()
    expect((await signIn(device, '000000', 'nope')).body.code).toBe('INVALID_EMAIL')
    expect((await device.post('/sign-in/email-otp', { email: alice.email })).body.code).toBe('VALIDATION_ERROR')
    expect((await device.post('/sign-in/email-otp', { email: alice.email, otp: 1 })).body.code).toBe('VALIDATION_ERROR')
  })
})

describe('POST /email-otp/verify-email', () => {
  const verify = (device: Device, otp: string, email = alice.email) =>
    device.post('/email-otp/verify-email', { email, otp })

  it('200: verifies, keeps the password, and tells the signed-in browser', async () => {
    const app = new TestApp(silent)
    const device = await signUp(app, alice)
    const { status, body } = await verify(device, await codeFor(app, 'email-verification'))
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: true, token: null, user: { email: alice.email, emailVerified: true } })
    expect((await device.get('/get-session')).body.user.emailVerified).toBe(true)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
  })

  it('signs in where autoSignInAfterVerification says so, and this code verified', async () => {
    const app = new TestApp({ ...silent, emailAndPassword: { requireEmailVerification: true } })
    await app.device().post('/sign-up/email', alice)
    const device = app.device()
    const { body, cookies } = await verify(device, await codeFor(app, 'email-verification'))
    expect(body.token).toMatch(/^\w{32}$/)
    expect(cookies[0]).toContain('session_token')
    const again = await verify(app.device(), await codeFor(app, 'email-verification'))
    expect([again.status, again.body.token, again.cookies]).toEqual([200, null, []])

    const off = new TestApp({ ...silent, emailVerification: { autoSignInAfterVerification: false } })
    await env.DB.prepare('update users set email_verified = 0').run()
    expect((await verify(off.device(), await codeFor(off, 'email-verification'))).body.token).toBeNull()
  })

  it('400 USER_NOT_FOUND for a stranger with the right code, INVALID_OTP with another', async () => {
    const app = new TestApp(unlimited)
    const code = await codeFor(app, 'email-verification', 'ghost@example.com')
    expect((await verify(app.device(), wrong(code), 'ghost@example.com')).body.code).toBe('INVALID_OTP')
    const { status, body } = await verify(app.device(), code, 'ghost@example.com')
    expect([status, body.code]).toEqual([400, 'USER_NOT_FOUND'])
  })

  it('400 without a code, wrong, not an address; 403 at the fourth', async () => {
    const app = new TestApp(silent)
    await signUp(app, alice)
    expect((await verify(app.device(), '000000')).body.code).toBe('INVALID_OTP')
    expect((await verify(app.device(), '000000', 'nope')).body.code).toBe('INVALID_EMAIL')
    const code = await codeFor(app, 'email-verification')
    for (let n = 0; n < 3; n++) expect((await verify(app.device(), wrong(code))).body.code).toBe('INVALID_OTP')
    expect((await verify(app.device(), code)).body.code).toBe('TOO_MANY_ATTEMPTS')
    expect((await env.DB.prepare('select email_verified as v from users').first<{ v: number }>())!.v).toBe(0)
  })
})

describe('POST /forget-password/email-otp and /email-otp/reset-password', () => {
  const reset = (app: TestApp, otp: string, password = 'password9999', email = alice.email) =>
    app.device().post('/email-otp/reset-password', { email, otp, password })

  async function resetCode(app: TestApp): Promise<string> {
    const { status, body } = await app.device().post('/forget-password/email-otp', { email: alice.email })
    expect([status, body]).toEqual([200, { success: true }])
    return (await app.mailbox())[0]!.codes[0]!
  }

  it('200: the new password works, the old one and all sessions are gone', async () => {
    const app = new TestApp(silent)
    const device = await signUp(app, alice)
    const code = await resetCode(app)
    const { status, body } = await reset(app, code)
    expect([status, body]).toEqual([200, { success: true }])
    expect((await device.get('/list-sessions')).status).toBe(401)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(401)
    expect((await app.device().post('/sign-in/email', { ...alice, password: 'password9999' })).status).toBe(200)
    expect((await reset(app, code)).body.code).toBe('INVALID_OTP')
  })

  it('gives a password to who had none', async () => {
    const app = new TestApp(silent)
    await app.device().post('/sign-in/email-otp', { email: alice.email, otp: await codeFor(app, 'sign-in') })
    await reset(app, await resetCode(app))
    expect((await app.device().post('/sign-in/email', { ...alice, password: 'password9999' })).status).toBe(200)
  })

  it('a password that will not do uses nothing up', async () => {
    const app = new TestApp(silent)
    await signUp(app, alice)
    const code = await resetCode(app)
    expect((await reset(app, code, 'short')).body.code).toBe('PASSWORD_TOO_SHORT')
    expect((await reset(app, code, 'x'.repeat(129))).body.code).toBe('PASSWORD_TOO_LONG')
    expect((await reset(app, code)).status).toBe(200)
  })

  it('400 USER_NOT_FOUND for a stranger; in strict nobody learns that', async () => {
    const app = new TestApp(unlimited)
    const { status, body } = await app.device().post('/forget-password/email-otp', { email: 'nobody@example.com' })
    expect([status, body.code]).toEqual([400, 'USER_NOT_FOUND'])
    expect((await reset(app, '000000', 'password9999', 'nobody@example.com')).body.code).toBe('USER_NOT_FOUND')
    const strict = new TestApp({ ...unlimited, profile: 'strict' })
    const asked = await strict.device().post('/forget-password/email-otp', { email: 'nobody@example.com' })
    expect([asked.status, asked.body]).toEqual([200, { success: true }])
    expect((await reset(strict, '000000', 'password9999', 'nobody@example.com')).body.code).toBe('INVALID_OTP')
    expect(await app.mailbox()).toEqual([])
  })

  it('in strict no guess at a code tells whether there is somebody, and nothing is mailed', async () => {
    const strict = new TestApp({
      ...silent,
      profile: 'strict',
      emailOTP: { disableSignUp: true },
      emailAndPassword: { requireEmailVerification: false },
    })
    await signUp(strict, alice)
    await strict.clearMailbox()
    const guesses: Record<CodeType, (email: string) => Promise<Answer>> = {
      'forget-password': (email) => reset(strict, '000000', 'password9999', email),
      'email-verification': (email) => strict.device().post('/email-otp/verify-email', { email, otp: '000000' }),
      'sign-in': (email) => strict.device().post('/sign-in/email-otp', { email, otp: '000000' }),
    }
    for (const [type, guess] of Object.entries(guesses)) {
      const told = []
      for (const email of [alice.email, 'nobody@example.com']) {
        await send(strict.device(), type as CodeType, email)
        for (let n = 0; n < 5; n++) told.push((await guess(email)).body.code)
      }
      expect(told.slice(5)).toEqual(told.slice(0, 5))
      expect(told[3]).toBe('TOO_MANY_ATTEMPTS')
    }
    expect((await strict.mailbox()).map(({ to }) => to)).toEqual([alice.email, alice.email, alice.email])
  })

  it('403 after three wrong ones; nothing is changed', async () => {
    const app = new TestApp(silent)
    const device = await signUp(app, alice)
    const code = await resetCode(app)
    for (let n = 0; n < 3; n++) expect((await reset(app, wrong(code))).body.code).toBe('INVALID_OTP')
    expect((await reset(app, code)).body.code).toBe('TOO_MANY_ATTEMPTS')
    expect((await device.get('/list-sessions')).status).toBe(200)
  })
})

const carol = { name: 'Carol', email: 'carol@example.com', password: 'password4321' }

describe('sendVerificationOnSignUp', () => {
  it('mails a code to who signs up, and to no placeholder', async () => {
    const app = new TestApp({ ...silent, emailOTP: { sendVerificationOnSignUp: true } })
    const device = await signUp(app, carol)
    const [mail] = await app.mailbox()
    expect(mail).toMatchObject({ to: carol.email, codes: [expect.stringMatching(/^\d{6}$/)] })
    const { status } = await device.post('/email-otp/verify-email', { email: carol.email, otp: mail!.codes[0] })
    expect(status).toBe(200)
    await app.clearMailbox()
    await app.device().post('/sign-in/anonymous')
    expect(await app.mailbox()).toEqual([])
  })
})

describe('create and get on the server only', () => {
  it('404 over HTTP', async () => {
    const device = new TestApp(unlimited).device()
    const body = { email: alice.email, type: 'sign-in' }
    expect((await device.post('/email-otp/create-verification-otp', body)).status).toBe(404)
    expect((await device.get('/email-otp/get-verification-otp', { query: body })).status).toBe(404)
  })

  it('a code that the server made signs in; looking at it does not use it', async () => {
    const app = new TestApp(unlimited)
    const api = app.serverApi()
    await app.clearMailbox()
    const asked = { email: 'Carol@example.com', type: 'sign-in' } as const
    const created = await api.createVerificationOtp(asked)
    expect(created).toEqual({ ok: true, result: expect.stringMatching(/^\d{6}$/) })
    const code = (created as { result: string }).result
    expect(await api.getVerificationOtp(asked)).toEqual({ ok: true, result: { otp: code } })
    expect(await app.mailbox()).toEqual([])
    expect((await app.device().post('/sign-in/email-otp', { email: carol.email, otp: code })).status).toBe(200)
    expect(await api.getVerificationOtp(asked)).toEqual({ ok: true, result: { otp: null } })
    expect(await api.createVerificationOtp({ ...asked, email: 'nope' })).toMatchObject({ code: 'INVALID_EMAIL' })
  })
})
