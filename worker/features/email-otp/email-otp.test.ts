import { afterEach, describe, expect, it, vi } from 'vitest'
import { hours, minutes, ms } from '../../kit/time.ts'
import { type Answer, type Device, TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import { count, rowOf } from '../../testing/rows.ts'
import { invalidatePending, updateUsers } from '../../testing/states.ts'
import type { CodeType } from './email-otp.contract.ts'

const unlimited = { rateLimit: { enabled: false } }
const silent = { ...unlimited, emailVerification: { sendOnSignUp: false } }

afterEach(() => {
  vi.useRealTimers()
})

const send = (device: Device, type: CodeType, email = alice.email) =>
  device.post('/email-otp/send-verification-otp', { email, type })

/** Requests a code and reads it. */
async function codeFor(app: TestApp, type: CodeType, email = alice.email): Promise<string> {
  const { status, body } = await send(app.device(), type, email)
  expect({ status, body }).toEqual({ status: 200, body: { success: true } })
  return (await app.mailbox()).find(({ to }) => to === email)!.codes[0]!
}

const wrong = (code: string) => (code === '000000' ? '111111' : '000000')

describe('POST /email-otp/send-verification-otp', () => {
  it('200 for each type, with a separate code of 6 digits', async () => {
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

  it('200 for an unknown address; a reset is not mailed', async () => {
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
    expect(answer).toMatchObject({ status: 400, body: { code } })
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

  it('200: creates a user with an empty name and a verified address', async () => {
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

  it('200 for an existing user: the unproven password is removed', async () => {
    const app = new TestApp(silent)
    const squatter = await signUp(app, alice)
    const { status, io } = await signIn(app.device(), await codeFor(app, 'sign-in'))
    expect(status).toBe(200)
    expect({ d1: io.d1![0], durable: io.durable![0] }).toEqual({ d1: 2, durable: 2 })
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(401)
    expect((await squatter.get('/list-sessions')).status).toBe(401)
    expect(await count('accounts')).toBe(0)
  })

  it('400 for a wrong code, 403 for the fourth, and then for the right one', async () => {
    const app = new TestApp(unlimited)
    const code = await codeFor(app, 'sign-in')
    const answers = []
    for (let n = 0; n < 4; n++) answers.push(await signIn(app.device(), wrong(code)))
    expect(answers).toMatchObject([
      { status: 400, body: { code: 'INVALID_OTP', message: 'Invalid OTP' } },
      { status: 400, body: { code: 'INVALID_OTP', message: 'Invalid OTP' } },
      { status: 400, body: { code: 'INVALID_OTP', message: 'Invalid OTP' } },
      { status: 403, body: { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts' } },
    ])
    expect((await signIn(app.device(), code)).status).toBe(403)
    expect(await count('users')).toBe(0)
    expect((await signIn(app.device(), await codeFor(app, 'sign-in'))).status).toBe(200)
  })

  it('200 parallel wrong guesses: exactly 3 are verified, and the right code is rejected afterwards', async () => {
    const app = new TestApp(unlimited)
    const code = await codeFor(app, 'sign-in')
    const answers = await Promise.all(Array.from({ length: 200 }, () => signIn(app.device(), wrong(code))))
    expect(answers.filter(({ body }) => body.code === 'INVALID_OTP')).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 403 || status === 429)).toHaveLength(197)
    expect((await signIn(app.device(), code)).status).toBe(429)
    // A new code does not refill the budget.
    const refused = await signIn(app.device(), await codeFor(app, 'sign-in'))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('x-retry-after'))).toBeGreaterThan(3000)
    expect(await count('sessions')).toBe(0)
  })

  it('the budget of an address: 10 guesses an hour across codes; a right one resets it', async () => {
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
    // Another type of code has a separate budget.
    expect((await app.device().post('/email-otp/verify-email', { email: alice.email, otp: code })).status).toBe(400)
    vi.setSystemTime(Date.now() + ms(hours(1)))
    expect((await signIn(app.device(), await codeFor(app, 'sign-in'))).status).toBe(200)
  })

  it('20 parallel right codes create one session', async () => {
    const app = new TestApp(unlimited)
    const code = await codeFor(app, 'sign-in')
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(app.device(), code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect({ users: await count('users'), sessions: await count('sessions') }).toEqual({ users: 1, sessions: 1 })
  })

  it('400 OTP_EXPIRED after 300 seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp(unlimited)
    const code = await codeFor(app, 'sign-in')
    vi.setSystemTime(Date.now() + ms(minutes(5)))
    const { status, body } = await signIn(app.device(), code)
    expect({ status, body }).toEqual({ status: 400, body: { code: 'OTP_EXPIRED', message: 'otp expired' } })
  })

  it('a code is valid for its type and address only', async () => {
    const app = new TestApp(silent)
    await signUp(app, alice)
    const code = await codeFor(app, 'email-verification')
    expect((await signIn(app.device(), code)).body.code).toBe('INVALID_OTP')
    const own = await codeFor(app, 'sign-in')
    expect((await signIn(app.device(), own, 'bob@example.com')).body.code).toBe('INVALID_OTP')
  })

  it('ends with the security version', async () => {
    const app = new TestApp(silent)
    await signUp(app, alice)
    const code = await codeFor(app, 'sign-in')
    await invalidatePending()
    expect((await signIn(app.device(), code)).body.code).toBe('INVALID_OTP')
    expect(await count('sessions')).toBe(1)
  })

  it('400 USER_NOT_FOUND where sign-up is off', async () => {
    const code = await codeFor(new TestApp(unlimited), 'sign-in')
    const { status, body } = await signIn(
      new TestApp({ ...unlimited, emailOTP: { disableSignUp: true } }).device(),
      code,
    )
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'USER_NOT_FOUND' })
    expect(await count('users')).toBe(0)
  })

  it('returns a given callback as url, and refuses a foreign one', async () => {
    const app = new TestApp(unlimited)
    const body = { email: alice.email, otp: await codeFor(app, 'sign-in') }
    const foreign = await app.device().post('/sign-in/email-otp', { ...body, callbackURL: 'https://evil.example.org' })
    expect(foreign).toMatchObject({ status: 403, body: { code: 'INVALID_CALLBACKURL' } })
    const answer = await app.device().post('/sign-in/email-otp', { ...body, callbackURL: '/dash' })
    expect(answer.body).toMatchObject({ redirect: true, url: '/dash' })
  })

  it('400 for an invalid address and for missing fields', async () => {
    const device = new TestApp(unlimited).device()
    expect((await signIn(device, '000000', 'nope')).body.code).toBe('INVALID_EMAIL')
    expect((await device.post('/sign-in/email-otp', { email: alice.email })).body.code).toBe('VALIDATION_ERROR')
    expect((await device.post('/sign-in/email-otp', { email: alice.email, otp: 1 })).body.code).toBe('VALIDATION_ERROR')
  })
})

describe('POST /email-otp/verify-email', () => {
  const verify = (device: Device, otp: string, email = alice.email) =>
    device.post('/email-otp/verify-email', { email, otp })

  it('200: verifies, keeps the password, and updates the signed-in browser', async () => {
    const app = new TestApp(silent)
    const device = await signUp(app, alice)
    const { status, body } = await verify(device, await codeFor(app, 'email-verification'))
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: true, token: null, user: { email: alice.email, emailVerified: true } })
    expect((await device.get('/get-session')).body.user.emailVerified).toBe(true)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
  })

  it('signs in with autoSignInAfterVerification, if this code verified the address', async () => {
    const app = new TestApp({ ...silent, emailAndPassword: { requireEmailVerification: true } })
    await app.device().post('/sign-up/email', alice)
    const device = app.device()
    const { body, cookies } = await verify(device, await codeFor(app, 'email-verification'))
    expect(body.token).toMatch(/^\w{32}$/)
    expect(cookies[0]).toContain('session_token')
    const again = await verify(app.device(), await codeFor(app, 'email-verification'))
    expect(again).toMatchObject({ status: 200, body: { token: null }, cookies: [] })

    const off = new TestApp({ ...silent, emailVerification: { autoSignInAfterVerification: false } })
    await updateUsers({ emailVerified: false })
    expect((await verify(off.device(), await codeFor(off, 'email-verification'))).body.token).toBeNull()
  })

  it('400 USER_NOT_FOUND for an unknown address with the right code, INVALID_OTP with another', async () => {
    const app = new TestApp(unlimited)
    const code = await codeFor(app, 'email-verification', 'ghost@example.com')
    expect((await verify(app.device(), wrong(code), 'ghost@example.com')).body.code).toBe('INVALID_OTP')
    const { status, body } = await verify(app.device(), code, 'ghost@example.com')
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'USER_NOT_FOUND' })
  })

  it('400 without a code, wrong, not an address; 403 at the fourth', async () => {
    const app = new TestApp(silent)
    await signUp(app, alice)
    expect((await verify(app.device(), '000000')).body.code).toBe('INVALID_OTP')
    expect((await verify(app.device(), '000000', 'nope')).body.code).toBe('INVALID_EMAIL')
    const code = await codeFor(app, 'email-verification')
    for (let n = 0; n < 3; n++) expect((await verify(app.device(), wrong(code))).body.code).toBe('INVALID_OTP')
    expect((await verify(app.device(), code)).body.code).toBe('TOO_MANY_ATTEMPTS')
    expect((await rowOf('users'))!.emailVerified).toBe(false)
  })
})

describe('POST /forget-password/email-otp and /email-otp/reset-password', () => {
  const reset = (app: TestApp, otp: string, password = 'password9999', email = alice.email) =>
    app.device().post('/email-otp/reset-password', { email, otp, password })

  async function resetCode(app: TestApp): Promise<string> {
    const { status, body } = await app.device().post('/forget-password/email-otp', { email: alice.email })
    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    return (await app.mailbox())[0]!.codes[0]!
  }

  it('200: the new password works, the old one and all sessions are gone', async () => {
    const app = new TestApp(silent)
    const device = await signUp(app, alice)
    const code = await resetCode(app)
    const { status, body } = await reset(app, code)
    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    expect((await device.get('/list-sessions')).status).toBe(401)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(401)
    expect((await app.device().post('/sign-in/email', { ...alice, password: 'password9999' })).status).toBe(200)
    expect((await reset(app, code)).body.code).toBe('INVALID_OTP')
  })

  it('sets a password for a user without one', async () => {
    const app = new TestApp(silent)
    await app.device().post('/sign-in/email-otp', { email: alice.email, otp: await codeFor(app, 'sign-in') })
    await reset(app, await resetCode(app))
    expect((await app.device().post('/sign-in/email', { ...alice, password: 'password9999' })).status).toBe(200)
  })

  it('an unacceptable password does not use the code', async () => {
    const app = new TestApp(silent)
    await signUp(app, alice)
    const code = await resetCode(app)
    expect((await reset(app, code, 'short')).body.code).toBe('PASSWORD_TOO_SHORT')
    expect((await reset(app, code, 'x'.repeat(129))).body.code).toBe('PASSWORD_TOO_LONG')
    expect((await reset(app, code)).status).toBe(200)
  })

  it('400 USER_NOT_FOUND for an unknown address; strict does not reveal it', async () => {
    const app = new TestApp(unlimited)
    const { status, body } = await app.device().post('/forget-password/email-otp', { email: 'unknown@example.com' })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'USER_NOT_FOUND' })
    expect((await reset(app, '000000', 'password9999', 'unknown@example.com')).body.code).toBe('USER_NOT_FOUND')
    const strict = new TestApp({ ...unlimited, profile: 'strict' })
    const asked = await strict.device().post('/forget-password/email-otp', { email: 'unknown@example.com' })
    expect({ status: asked.status, body: asked.body }).toEqual({ status: 200, body: { success: true } })
    expect((await reset(strict, '000000', 'password9999', 'unknown@example.com')).body.code).toBe('INVALID_OTP')
    expect(await app.mailbox()).toEqual([])
  })

  it('in strict guesses do not reveal whether the user exists, and nothing is mailed', async () => {
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
      const codes = []
      for (const email of [alice.email, 'unknown@example.com']) {
        await send(strict.device(), type as CodeType, email)
        for (let n = 0; n < 5; n++) codes.push((await guess(email)).body.code)
      }
      expect(codes.slice(5)).toEqual(codes.slice(0, 5))
      expect(codes[3]).toBe('TOO_MANY_ATTEMPTS')
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
  it('mails a code after a sign-up, and none to a placeholder', async () => {
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

  it('a code that the server created signs in; reading it does not use it', async () => {
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
