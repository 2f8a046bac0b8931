import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../configuration/read-config.ts'
import { minutes, ms } from '../../kit/time.ts'
import { config } from '../../testing/config.ts'
import { type Device, env, outcome, TestApp } from '../../testing/harness.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { count, rowOf, rowsOf } from '../../testing/rows.ts'
import { deleteAccounts, impersonateAs, updateUsers, verifyAddresses } from '../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }
const open = { ...unlimited, phoneNumber: { signUpOnVerification: true } }
const number = '+15550001111'
const other = '+15550002222'

afterEach(() => {
  vi.useRealTimers()
})

const lastCode = async (app: TestApp, to = number) => (await app.mailbox()).find((entry) => entry.to === to)!.codes[0]!

/** Requests a code to a number and reads it. */
async function codeFor(app: TestApp, to = number, device: Device = app.device()): Promise<string> {
  const { status, body } = await device.post('/phone-number/send-otp', { phoneNumber: to })
  expect({ status, body }).toEqual({ status: 200, body: { message: 'code sent' } })
  return lastCode(app, to)
}

const verify = (device: Device, code: string, more: object = {}) =>
  device.post('/phone-number/verify', { phoneNumber: number, code, ...more })

const wrong = (code: string) => (code === '000000' ? '111111' : '000000')

/** A user with a password and a proven number. */
async function withNumber(app: TestApp, to = number): Promise<Device> {
  const device = await signUp(app, alice, { phoneNumber: to })
  const { status } = await verify(device, await codeFor(app, to, device), { phoneNumber: to, disableSession: true })
  expect(status).toBe(200)
  return device
}

describe('POST /phone-number/send-otp', () => {
  it('200: sends 6 digits in a text message that telephones can parse', async () => {
    const app = new TestApp(open)
    const code = await codeFor(app)
    expect(code).toMatch(/^\d{6}$/)
    const [message] = await app.mailbox()
    expect(message).toMatchObject({ channel: 'sms', to: number })
    expect(message!.text).toContain(`\n@localhost #${code}`)
  })

  it.each([
    [{ phoneNumber: '123' }, 'INVALID_PHONE_NUMBER'],
    [{ phoneNumber: '15550001111' }, 'INVALID_PHONE_NUMBER'],
    [{ phoneNumber: '+1555000111122223' }, 'INVALID_PHONE_NUMBER'],
    [{ phoneNumber: '+1 555 000' }, 'INVALID_PHONE_NUMBER'],
    [{}, 'VALIDATION_ERROR'],
    [{ phoneNumber: 15550001111 }, 'VALIDATION_ERROR'],
  ])('400 for %j', async (body, code) => {
    const app = new TestApp()
    const answer = await app.device().post('/phone-number/send-otp', body)
    expect(answer).toMatchObject({ status: 400, body: { code } })
    expect(await app.mailbox()).toEqual([])
  })

  it('uses the validator of the configuration', async () => {
    const phoneNumberValidator = async (text: string) => text.startsWith('x')
    const device = new TestApp({ phoneNumber: { phoneNumberValidator } }).device()
    expect((await device.post('/phone-number/send-otp', { phoneNumber: 'x1' })).status).toBe(200)
    expect((await device.post('/phone-number/send-otp', { phoneNumber: number })).body.code).toBe(
      'INVALID_PHONE_NUMBER',
    )
  })

  it('429 after 10 in a minute', async () => {
    const device = new TestApp().device()
    const statuses = []
    for (let n = 0; n < 11; n++) {
      statuses.push((await device.post('/phone-number/send-otp', { phoneNumber: number })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429])
  })

  it.each(['compatible', 'strict'] as const)('%s: sends no code that cannot be used', async (profile) => {
    const app = new TestApp({ ...unlimited, profile, emailAndPassword: { requireEmailVerification: false } })
    const texts = async (device: Device, to: string) => {
      await app.clearMailbox()
      const { status, body } = await device.post('/phone-number/send-otp', { phoneNumber: to })
      expect({ status, body }).toEqual({ status: 200, body: { message: 'code sent' } })
      return (await app.mailbox()).length
    }
    expect(await texts(app.device(), number)).toBe(0)
    const device = await signUp(app, alice)
    await updateUsers({ phoneNumber: number })
    // A claim, then the claimant's own browser, a caller who may take the number, and the user who has proven it.
    expect(await texts(app.device(), number)).toBe(0)
    expect(await texts(device, number)).toBe(1)
    expect(await texts(await signUp(app, bob), number)).toBe(1)
    await updateUsers({ phoneNumberVerified: true }, { phoneNumber: number })
    expect(await texts(app.device(), number)).toBe(1)
  })
})

describe('POST /phone-number/verify', () => {
  it('200: creates a user with signUpOnVerification', async () => {
    const app = new TestApp(open)
    const device = app.device()
    const { status, body, cookies } = await verify(device, await codeFor(app))
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: true, token: expect.stringMatching(/^\w{32}$/) })
    expect(body.user).toMatchObject({
      name: number,
      emailVerified: false,
      phoneNumber: number,
      phoneNumberVerified: true,
      email: expect.stringMatching(/^15550001111-[0-9a-z]{12}@phone\.localhost$/),
    })
    expect(cookies[0]).toContain('session_token')
    const { user } = (await device.get('/get-session')).body
    expect(user).toMatchObject({ phoneNumber: number, phoneNumberVerified: true })
  })

  it('uses names and switches of the configuration', async () => {
    const names = {
      getTempEmail: (text: string) => `${text.slice(1)}@phone.example.com`,
      getTempName: (text: string) => `Tel ${text}`,
    }
    const app = new TestApp({ ...unlimited, phoneNumber: { signUpOnVerification: names } })
    expect((await verify(app.device(), await codeFor(app))).body.user).toMatchObject({
      email: '15550001111@phone.example.com',
      name: `Tel ${number}`,
    })
    const off = new TestApp({ ...unlimited, phoneNumber: { signUpOnVerification: { enabled: false } } })
    const helper = await signUp(off, bob)
    const answer = await verify(off.device(), await codeFor(off, other, helper), { phoneNumber: other })
    expect(answer).toMatchObject({ status: 400, body: { code: 'PHONE_NUMBER_ISNT_REGISTERED' } })
    expect(await count('users')).toBe(2)
  })

  it('200 again for the existing user; no session with disableSession; a code once', async () => {
    const app = new TestApp(open)
    const first = await verify(app.device(), await codeFor(app))
    const code = await codeFor(app)
    const quiet = await verify(app.device(), code, { disableSession: true })
    expect(quiet).toMatchObject({ status: 200, body: { token: null }, cookies: [] })
    expect(quiet.body.user.id).toBe(first.body.user.id)
    const again = await verify(app.device(), code)
    expect({ status: again.status, body: again.body }).toEqual({
      status: 400,
      body: { code: 'OTP_NOT_FOUND', message: 'OTP not found' },
    })
    expect((await verify(app.device(), await codeFor(app))).body.user.id).toBe(first.body.user.id)
    expect({ users: await count('users'), sessions: await count('sessions') }).toEqual({ users: 1, sessions: 2 })
  })

  it('400 for a wrong code, 403 for the fourth, then OTP_NOT_FOUND', async () => {
    const app = new TestApp(open)
    const code = await codeFor(app)
    const answers = []
    for (let n = 0; n < 4; n++) answers.push(await verify(app.device(), wrong(code)))
    answers.push(await verify(app.device(), code))
    expect(answers.map(outcome)).toEqual([
      { status: 400, code: 'INVALID_OTP' },
      { status: 400, code: 'INVALID_OTP' },
      { status: 400, code: 'INVALID_OTP' },
      { status: 403, code: 'TOO_MANY_ATTEMPTS' },
      { status: 400, code: 'OTP_NOT_FOUND' },
    ])
    expect(await count('users')).toBe(0)
  })

  it('200 parallel wrong guesses: exactly 3 are verified, and neither code nor budget is restored', async () => {
    const app = new TestApp(open)
    const code = await codeFor(app)
    const answers = await Promise.all(Array.from({ length: 200 }, () => verify(app.device(), wrong(code))))
    expect(answers.filter(({ body }) => body.code === 'INVALID_OTP')).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(0)
    expect((await verify(app.device(), code)).status).toBe(429)
    expect((await verify(app.device(), await codeFor(app))).status).toBe(429)
  })

  it('20 parallel right codes create one user and one session', async () => {
    const app = new TestApp(open)
    const code = await codeFor(app)
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(app.device(), code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect({ users: await count('users'), sessions: await count('sessions') }).toEqual({ users: 1, sessions: 1 })
  })

  it('400 OTP_EXPIRED after 300 seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp(open)
    const code = await codeFor(app)
    vi.setSystemTime(Date.now() + ms(minutes(5)))
    const { status, body } = await verify(app.device(), code)
    expect({ status, body }).toEqual({ status: 400, body: { code: 'OTP_EXPIRED', message: 'OTP expired' } })
  })

  it('400 PHONE_NUMBER_ISNT_REGISTERED, never 200 null, where numbers create no users', async () => {
    const app = new TestApp(unlimited)
    const code = await codeFor(app, number, await signUp(app, alice))
    const { status, body } = await verify(app.device(), code)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'PHONE_NUMBER_ISNT_REGISTERED' })
  })
})

describe('POST /phone-number/verify with updatePhoneNumber', () => {
  it('200: the caller gets the number, in the same session', async () => {
    const app = new TestApp(unlimited)
    const device = await withNumber(app)
    const code = await codeFor(app, other, device)
    const { status, body } = await verify(device, code, { phoneNumber: other, updatePhoneNumber: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: true, token: expect.any(String), user: { phoneNumber: other } })
    const { session, user } = (await device.get('/get-session')).body
    expect(user).toMatchObject({ phoneNumber: other, phoneNumberVerified: true })
    expect(session.token).toBe(body.token)
  })

  it("403 for a session that is not the user's own; also for update-user", async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    await impersonateAs('admin')
    const code = await codeFor(app, number, device)
    const { status, body } = await verify(device, code, { updatePhoneNumber: true })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'OWN_SESSION_REQUIRED' })
    for (const fields of [{ phoneNumber: other }, { phoneNumber: null }, { username: 'another' }, { name: 'Bob' }]) {
      expect((await device.post('/update-user', fields)).body.code).toBe('OWN_SESSION_REQUIRED')
    }
  })

  it('401 USER_NOT_FOUND without a session; the code remains valid', async () => {
    const app = new TestApp(open)
    const code = await codeFor(app)
    const { status, body } = await verify(app.device(), code, { updatePhoneNumber: true })
    expect({ status, body }).toEqual({ status: 401, body: { code: 'USER_NOT_FOUND', message: 'User not found' } })
    expect((await verify(app.device(), code)).status).toBe(200)
  })

  it("400 PHONE_NUMBER_ALREADY_EXISTS for another user's proven number; a claimed one is reassigned", async () => {
    const app = new TestApp(unlimited)
    await withNumber(app)
    const device = await signUp(app, bob)
    const refused = await verify(device, await codeFor(app), { updatePhoneNumber: true })
    expect(refused).toMatchObject({ status: 400, body: { code: 'PHONE_NUMBER_ALREADY_EXISTS' } })
    await updateUsers({ phoneNumberVerified: false })
    expect((await verify(device, await codeFor(app), { updatePhoneNumber: true })).body.user.phoneNumber).toBe(number)
    expect((await rowOf('users', { email: alice.email }))!.phoneNumber).toBeNull()
  })

  it('5 users in parallel with one code: one gets the number', async () => {
    const app = new TestApp(unlimited)
    const devices = await Promise.all(
      Array.from({ length: 5 }, (_, n) => signUp(app, { ...bob, email: `p${n}@example.com` })),
    )
    const code = await codeFor(app, number, devices[0])
    const answers = await Promise.all(devices.map((device) => verify(device, code, { updatePhoneNumber: true })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('a number that was given without a proof', () => {
  it.each(['compatible', 'strict'] as const)(
    "%s: does not open the claimant's account: the code creates another one",
    async (profile) => {
      const app = new TestApp({ ...open, profile, emailAndPassword: { requireEmailVerification: false } })
      const claimant = await signUp(app, alice)
      await updateUsers({ phoneNumber: number })
      // Also when the claimant requests the code: the number's owner does not sign in to the claimant's account.
      for (const sender of [app.device(), claimant]) {
        const { status, body } = await verify(app.device(), await codeFor(app, number, sender))
        expect({ status, phoneNumber: body.user.phoneNumber }).toEqual({ status: 200, phoneNumber: number })
        expect(body.user.email).toMatch(/@phone\.localhost$/)
      }
      const rows = (await rowsOf('users')).map(({ email, phoneNumber, phoneNumberVerified }) => ({
        email,
        number: phoneNumber,
        v: Number(phoneNumberVerified),
      }))
      expect(rows).toEqual([
        { email: alice.email, number: null, v: 0 },
        { email: expect.stringMatching(/@phone\.localhost$/), number, v: 1 },
      ])
    },
  )

  it('remains if numbers create no users', async () => {
    const app = new TestApp(unlimited)
    const claimant = await signUp(app, alice, { phoneNumber: number })
    const code = await codeFor(app, number, claimant)
    const { status, body } = await verify(app.device(), code)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'PHONE_NUMBER_ISNT_REGISTERED' })
    expect({ users: await count('users'), sessions: await count('sessions') }).toEqual({ users: 1, sessions: 1 })
    // Nothing was used: the claimant can still confirm it.
    expect((await verify(claimant, code)).body.user).toMatchObject({ email: alice.email, phoneNumberVerified: true })
  })

  it('20 browsers with the right code in parallel: one user gets the number', async () => {
    const app = new TestApp(open)
    await signUp(app, alice, { phoneNumber: number })
    const code = await codeFor(app)
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(app.device(), code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    // Ten guesses per hour: the others are too late or exceed the limit.
    const others = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)
    expect(new Set(others)).toEqual(new Set(['OTP_NOT_FOUND', 'TOO_MANY_REQUESTS']))
    expect({ users: await count('users'), sessions: await count('sessions') }).toEqual({ users: 2, sessions: 2 })
  })

  it('is verified by the claimant, also with a proven address', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice, { phoneNumber: number })
    await verifyAddresses()
    const { body } = await verify(device, await codeFor(app, number, device), { disableSession: true })
    expect(body.user).toMatchObject({ email: alice.email, phoneNumberVerified: true })
  })
})

describe('POST /sign-in/phone-number', () => {
  const signIn = (device: Device, more: object = {}) =>
    device.post('/sign-in/phone-number', { phoneNumber: number, password: alice.password, ...more })

  it('200, with the number in the answer; rememberMe false ends with the browser', async () => {
    const app = new TestApp(unlimited)
    await withNumber(app)
    const { status, body, io } = await signIn(app.device())
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ email: alice.email, phoneNumber: number, phoneNumberVerified: true })
    expect({ d1: io.d1![0], durable: io.durable![0] }).toEqual({ d1: 2, durable: 1 })
    const { cookies } = await signIn(app.device(), { rememberMe: false })
    expect(cookies[0]).not.toContain('Max-Age')
    expect(cookies[1]).toContain('dont_remember=true')
  })

  it('401, the same response for a wrong password, no password and an unknown number', async () => {
    const app = new TestApp(unlimited)
    await withNumber(app)
    const device = app.device()
    const answers = [
      await signIn(device, { password: 'wrongwrong1' }),
      await signIn(device, { phoneNumber: '+13333333333' }),
    ]
    await deleteAccounts()
    answers.push(await signIn(device))
    for (const { status, body } of answers) {
      expect({ status, body }).toEqual({
        status: 401,
        body: { code: 'INVALID_PHONE_NUMBER_OR_PASSWORD', message: 'Invalid phone number or password' },
      })
    }
  })

  it('400 for an invalid number and for missing fields', async () => {
    const device = new TestApp(unlimited).device()
    expect((await signIn(device, { phoneNumber: '123' })).body.code).toBe('INVALID_PHONE_NUMBER')
    expect((await device.post('/sign-in/phone-number', {})).body.code).toBe('VALIDATION_ERROR')
  })

  it('guesses count against the number, apart from those at the address', async () => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 2 } })
    const own = await withNumber(app)
    for (let n = 0; n < 2; n++) await signIn(app.device(), { password: 'wrongwrong1' })
    expect((await signIn(app.device())).status).toBe(429)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
    // Other browsers do not block a browser that has signed in with this name before.
    expect((await own.post('/sign-in/email', alice)).status).toBe(200)
    expect((await signIn(own)).status).toBe(200)
  })

  it('requireVerification: 401 and a code, which works in that browser and opens no account in others', async () => {
    const app = new TestApp({ ...unlimited, phoneNumber: { requireVerification: true } })
    await signUp(app, alice, { phoneNumber: number })
    await verifyAddresses()
    expect((await signIn(app.device(), { password: 'wrongwrong1' })).body.code).toBe('INVALID_PHONE_NUMBER_OR_PASSWORD')
    const device = app.device()
    const { status, body } = await signIn(device)
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 401,
      code: 'PHONE_NUMBER_NOT_VERIFIED',
      message: 'Phone number not verified',
    })
    const code = await lastCode(app)
    expect((await verify(app.device(), code)).body.code).toBe('PHONE_NUMBER_ISNT_REGISTERED')
    expect((await verify(device, code)).body.user.email).toBe(alice.email)
    expect(device.jar.has('gatehouse.phone_claim')).toBe(false)
    expect((await signIn(app.device())).status).toBe(200)
  })

  it('429 after 3 in 10 seconds', async () => {
    const device = new TestApp().device()
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await signIn(device)).status)
    expect(statuses).toEqual([401, 401, 401, 429])
  })
})

describe('resetting the password by number', () => {
  const ask = (app: TestApp, path = 'request-password-reset', phoneNumber = number) =>
    app.device().post(`/phone-number/${path}`, { phoneNumber })
  const reset = (app: TestApp, otp: string, newPassword = 'password9999') =>
    app.device().post('/phone-number/reset-password', { phoneNumber: number, otp, newPassword })

  it.each(['request-password-reset', 'forget-password'])('%s: 200, and the code sets a new password', async (path) => {
    const app = new TestApp(unlimited)
    const device = await withNumber(app)
    await app.clearMailbox()
    expect((await ask(app, path)).body).toEqual({ status: true })
    const code = await lastCode(app)
    const { status, body } = await reset(app, code)
    expect({ status, body }).toEqual({ status: 200, body: { status: true } })
    expect((await device.get('/list-sessions')).status).toBe(401)
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(401)
    const again = { phoneNumber: number, password: 'password9999' }
    expect((await app.device().post('/sign-in/phone-number', again)).status).toBe(200)
    expect((await reset(app, code)).body.code).toBe('INVALID_OTP')
  })

  it('sets a password for a user without one', async () => {
    const app = new TestApp(open)
    await verify(app.device(), await codeFor(app))
    await ask(app)
    expect((await reset(app, await lastCode(app))).status).toBe(200)
    const again = { phoneNumber: number, password: 'password9999' }
    expect((await app.device().post('/sign-in/phone-number', again)).status).toBe(200)
  })

  it('400 PHONE_NUMBER_ISNT_REGISTERED for an unknown and a claimed number; strict does not reveal it', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice, { phoneNumber: number })
    await app.clearMailbox()
    for (const phoneNumber of [number, '+12222222222']) {
      const { status, body } = await ask(app, 'forget-password', phoneNumber)
      expect({ status, body }).toEqual({
        status: 400,
        body: { code: 'PHONE_NUMBER_ISNT_REGISTERED', message: "phone number isn't registered" },
      })
    }
    const strict = new TestApp({ ...unlimited, profile: 'strict' })
    expect((await ask(strict, 'forget-password', '+12222222222')).body).toEqual({ status: true })
    expect(await app.mailbox()).toEqual([])
  })

  it('400 wrong, without a code, expired; 403 at the fourth; nothing is changed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp(unlimited)
    await withNumber(app)
    expect((await reset(app, '000000')).body.code).toBe('INVALID_OTP')
    await ask(app)
    const code = await lastCode(app)
    expect((await reset(app, code, 'short')).body.code).toBe('PASSWORD_TOO_SHORT')
    for (let n = 0; n < 3; n++) expect((await reset(app, wrong(code))).body.code).toBe('INVALID_OTP')
    const fourth = await reset(app, code)
    expect(fourth).toMatchObject({ status: 403, body: { code: 'TOO_MANY_ATTEMPTS' } })
    await ask(app)
    vi.setSystemTime(Date.now() + ms(minutes(5)))
    expect((await reset(app, await lastCode(app))).body.code).toBe('OTP_EXPIRED')
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
  })

  it('in strict neither guesses nor updatePhoneNumber reveal the users of numbers; nothing is sent', async () => {
    const app = new TestApp({
      ...unlimited,
      profile: 'strict',
      emailAndPassword: { requireEmailVerification: false },
    })
    await signUp(app, alice)
    await updateUsers({ phoneNumber: number, phoneNumberVerified: true })
    const stranger = await signUp(app, bob)
    await app.clearMailbox()
    const codes = []
    for (const phoneNumber of [number, '+12222222222']) {
      await app.device().post('/phone-number/send-otp', { phoneNumber })
      const guess = { phoneNumber, code: '000000' }
      for (let n = 0; n < 5; n++) codes.push((await app.device().post('/phone-number/verify', guess)).body.code)
      codes.push((await stranger.post('/phone-number/verify', { ...guess, updatePhoneNumber: true })).body.code)
      await ask(app, 'request-password-reset', phoneNumber)
      const chosen = { phoneNumber, otp: '000000', newPassword: 'password9999' }
      for (let n = 0; n < 4; n++)
        codes.push((await app.device().post('/phone-number/reset-password', chosen)).body.code)
    }
    expect(codes.slice(10)).toEqual(codes.slice(0, 10))
    expect({ first: codes[0], tenth: codes[9] }).toEqual({ first: 'INVALID_OTP', tenth: 'TOO_MANY_ATTEMPTS' })
    expect((await app.mailbox()).map(({ to }) => to)).toEqual([number, number])
  })

  it('a verification code does not reset the password', async () => {
    const app = new TestApp(unlimited)
    await withNumber(app)
    expect((await reset(app, await codeFor(app))).body.code).toBe('INVALID_OTP')
  })
})

describe('the number in sign-up and update-user', () => {
  it('422 FAILED_TO_CREATE_USER for a taken number, 400 for an invalid one; nothing is written', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice, { phoneNumber: number, phoneNumberVerified: true })
    const taken = await app.device().post('/sign-up/email', { ...bob, phoneNumber: number })
    expect({ status: taken.status, code: taken.body.code, path: taken.body.issues[0].path }).toEqual({
      status: 422,
      code: 'FAILED_TO_CREATE_USER',
      path: 'phoneNumber',
    })
    const none = await app.device().post('/sign-up/email', { ...bob, phoneNumber: '123' })
    expect(none).toMatchObject({ status: 400, body: { code: 'INVALID_PHONE_NUMBER' } })
    expect(await count('users')).toBe(1)
    expect((await rowOf('users'))!.phoneNumberVerified).toBe(false)
  })

  it('update-user changes it into a claim, removes it, and refuses one that is taken', async () => {
    const app = new TestApp(unlimited)
    const device = await withNumber(app)
    expect((await device.post('/update-user', { phoneNumber: other })).body).toEqual({ status: true })
    const read = async () => (await device.get('/get-session')).body.user
    expect(await read()).toMatchObject({ phoneNumber: other, phoneNumberVerified: false })
    await device.post('/update-user', { phoneNumber: null })
    expect(await read()).toMatchObject({ phoneNumber: null, phoneNumberVerified: false })
    await signUp(app, bob, { phoneNumber: other })
    const { status, body } = await device.post('/update-user', { phoneNumber: other })
    expect({ status, body }).toEqual({
      status: 400,
      body: { code: 'PHONE_NUMBER_ALREADY_EXISTS', message: 'Phone number already exists' },
    })
    expect((await device.post('/update-user', { phoneNumber: 'x' })).body.code).toBe('INVALID_PHONE_NUMBER')
  })
})

describe('production', () => {
  const production = {
    ...env,
    ENVIRONMENT: 'production',
    SMTP_HOST: 'mail.example.com',
    BASE_URL: 'https://accounts.example.com',
    CONFIG: undefined,
    RATE_LIMIT: undefined,
    ADMIN_EMAILS: undefined,
  } as unknown as typeof env
  const mail = { ...config, mail: { transport: 'smtp' } } as const
  const isOn = (more: object) =>
    (readConfig({ ...mail, ...more }, production).options.phoneNumber as { enabled: boolean }).enabled

  it('is on together with a transport for text messages', () => {
    expect(isOn({})).toBe(false)
    expect(isOn({ text: { transport: 'twilio' } })).toBe(true)
    expect(() => isOn({ phoneNumber: { enabled: true } })).toThrow('text.transport')
  })
})
