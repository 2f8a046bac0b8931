import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seal } from '../../kit/encrypt.ts'
import { type Device, env, outcome, TestApp } from '../../testing/harness.ts'
import { bob, signUp } from '../../testing/people.ts'
import { count, updateRows } from '../../testing/rows.ts'
import { challenge, passTime, signUpProtected, stopClock } from '../../testing/two-factor.ts'

// Hundreds of requests and dozens of password hashes are slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const unlimited = { rateLimit: { enabled: false } }

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

const countSessions = () => count('sessions')

/** The newest mailed code. */
const mailedCode = async (app: TestApp) => (await app.mailbox())[0]!.codes[0]!

describe('POST /two-factor/send-otp and /two-factor/verify-otp', () => {
  it('a mailed code of six digits signs in', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app)
    const device = await challenge(app)
    const sent = await device.post('/two-factor/send-otp')
    expect({ status: sent.status, body: sent.body }).toEqual({ status: 200, body: { status: true } })
    const code = await mailedCode(app)
    expect(code).toMatch(/^\d{6}$/)
    const { status, body } = await device.post('/two-factor/verify-otp', { code })
    expect({ status, fields: Object.keys(body) }).toEqual({ status: 200, fields: ['token', 'user'] })
    expect(outcome(await device.post('/two-factor/send-otp', {}, { headers: { cookie: '' } }))).toEqual({
      status: 401,
      code: 'INVALID_TWO_FACTOR_COOKIE',
    })
  })

  it('costs two round trips to D1 and two objects, one of them the limit per address', async () => {
    const app = new TestApp()
    await signUpProtected(new TestApp(unlimited))
    const device = await challenge(app)
    const sent = await device.post('/two-factor/send-otp')
    expect(sent).toMatchObject({ io: { d1: [1, 2], durable: [2, 2] } })
    const { io } = await device.post('/two-factor/verify-otp', { code: await mailedCode(app), trustDevice: true })
    expect(io).toMatchObject({ d1: [2, 2], durable: [2, 2] })
  })

  it('says how long the code lives, as configured', async () => {
    const app = new TestApp({ ...unlimited, twoFactor: { otpOptions: { period: 60 } } })
    await signUpProtected(app)
    const device = await challenge(app)
    await device.post('/two-factor/send-otp')
    expect((await app.mailbox())[0]!.text).toContain('for 1 minute.')
    passTime(60)
    const late = await device.post('/two-factor/verify-otp', { code: await mailedCode(app) })
    expect(outcome(late)).toEqual({ status: 400, code: 'OTP_HAS_EXPIRED' })
  })

  it('20 right codes at once, and again, in the own session: one is used', async () => {
    const { device } = await signUpProtected(new TestApp(unlimited))
    const app = new TestApp(unlimited)
    await device.post('/two-factor/send-otp')
    const code = await mailedCode(app)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => device.post('/two-factor/verify-otp', { code }, { keep: false })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await device.post('/two-factor/verify-otp', { code })).status).toBeGreaterThanOrEqual(400)
  })

  it('a code belongs to the sign-in that it was sent for', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app)
    await (await challenge(app)).post('/two-factor/send-otp')
    const answer = await (await challenge(app)).post('/two-factor/verify-otp', { code: await mailedCode(app) })
    expect(outcome(answer)).toEqual({ status: 400, code: 'OTP_HAS_EXPIRED' })
  })

  it('400 OTP_HAS_EXPIRED after three minutes, and where none was sent; 400 OTP_NOT_ENABLED without two-factor', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app)
    const device = await challenge(app)
    const none = await device.post('/two-factor/verify-otp', { code: '000000' })
    expect({ status: none.status, body: none.body }).toEqual({
      status: 400,
      body: { code: 'OTP_HAS_EXPIRED', message: 'OTP has expired' },
    })
    await device.post('/two-factor/send-otp')
    passTime(181)
    expect(outcome(await device.post('/two-factor/verify-otp', { code: await mailedCode(app) }))).toEqual({
      status: 400,
      code: 'OTP_HAS_EXPIRED',
    })
    const other = await signUp(app, bob)
    expect(outcome(await other.post('/two-factor/send-otp'))).toEqual({ status: 400, code: 'OTP_NOT_ENABLED' })
  })

  const wrongOtp = (right: string, n: number) => String((Number(right) + 1 + n) % 1_000_000).padStart(6, '0')

  it('200 wrong guesses at once: five are looked at, the rest refused, and so is the right one afterwards', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app)
    const device = await challenge(app)
    await device.post('/two-factor/send-otp')
    const right = await mailedCode(app)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => device.post('/two-factor/verify-otp', { code: wrongOtp(right, n) })),
    )
    expect(answers.filter(({ body }) => body.code === 'INVALID_CODE')).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(0)
    expect((await device.post('/two-factor/verify-otp', { code: right })).status).toBeGreaterThanOrEqual(400)
    expect((await device.get('/get-session')).body).toBeNull()
  })

  it('one after the other: five wrong ones, then too many, then expired; a new code works', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app)
    const device = await challenge(app)
    await device.post('/two-factor/send-otp')
    const right = await mailedCode(app)
    for (let n = 0; n < 5; n++) {
      expect(outcome(await device.post('/two-factor/verify-otp', { code: wrongOtp(right, n) }))).toEqual({
        status: 401,
        code: 'INVALID_CODE',
      })
    }
    const sixth = await device.post('/two-factor/verify-otp', { code: right })
    expect({ status: sixth.status, body: sixth.body }).toEqual({
      status: 400,
      body: {
        code: 'TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE',
        message: 'Too many attempts. Please request a new code.',
      },
    })
    expect(outcome(await device.post('/two-factor/verify-otp', { code: right }))).toEqual({
      status: 400,
      code: 'OTP_HAS_EXPIRED',
    })
    await device.post('/two-factor/send-otp')
    expect((await device.post('/two-factor/verify-otp', { code: await mailedCode(app) })).status).toBe(200)
  })

  it('sending again, and signing in again, does not refill the budget of the account', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app)
    let looked = 0
    for (let round = 0; round < 6; round++) {
      const device = await challenge(app)
      await device.post('/two-factor/send-otp')
      const right = await mailedCode(app)
      for (let n = 0; n < 5; n++) {
        const { body } = await device.post('/two-factor/verify-otp', { code: wrongOtp(right, n) })
        if (body.code === 'INVALID_CODE') looked++
      }
    }
    expect(looked).toBe(15)
    const last = await challenge(app)
    await last.post('/two-factor/send-otp')
    expect(outcome(await last.post('/two-factor/verify-otp', { code: await mailedCode(app) }))).toEqual({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
    })
  })

  it('20 parallel right codes create one session', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app)
    const before = await countSessions()
    const device = await challenge(app)
    await device.post('/two-factor/send-otp')
    const code = await mailedCode(app)
    const answers = await Promise.all(Array.from({ length: 20 }, () => device.post('/two-factor/verify-otp', { code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await countSessions()).toBe(before + 1)
  })
})

describe('POST /two-factor/verify-backup-code', () => {
  const useCode = (device: Device, code: string, more: object = {}) =>
    device.post('/two-factor/verify-backup-code', { code, ...more })

  it('each code works once, with or without its hyphen', async () => {
    const app = new TestApp(unlimited)
    const { backupCodes } = await signUpProtected(app)
    const answer = await useCode(await challenge(app), backupCodes[0]!)
    expect({ status: answer.status, fields: Object.keys(answer.body) }).toEqual({
      status: 200,
      fields: ['token', 'user'],
    })
    const again = await useCode(await challenge(app), backupCodes[0]!)
    expect({ status: again.status, body: again.body }).toEqual({
      status: 401,
      body: { code: 'INVALID_BACKUP_CODE', message: 'Invalid backup code' },
    })
    expect((await useCode(await challenge(app), ` ${backupCodes[1]!.replace('-', '')} `)).status).toBe(200)
  })

  it('a list that was sealed as a whole, as it once was, goes on: one code is used, the others are left', async () => {
    const app = new TestApp(unlimited)
    const { backupCodes } = await signUpProtected(app)
    const whole = await seal([env.GATEHOUSE_SECRET!], JSON.stringify(backupCodes))
    await updateRows('two_factors', { backupCodes: [whole] })
    const first = (await challenge(app)).post('/two-factor/verify-backup-code', { code: backupCodes[3] })
    expect((await first).status).toBe(200)
    const again = (await challenge(app)).post('/two-factor/verify-backup-code', { code: backupCodes[3] })
    expect((await again).status).toBe(401)
    const other = (await challenge(app)).post('/two-factor/verify-backup-code', { code: backupCodes[4] })
    expect((await other).status).toBe(200)
  })

  it('costs two round trips to D1 and two objects, the limit per address and a trusted device included', async () => {
    const { backupCodes } = await signUpProtected(new TestApp(unlimited))
    const { io } = await useCode(await challenge(new TestApp()), backupCodes[0]!, { trustDevice: true })
    expect(io).toMatchObject({ d1: [2, 2], durable: [2, 2] })
  })

  it('20 at once in one waiting sign-in, with 10 codes: one session, and one code is used', async () => {
    const app = new TestApp({ ...unlimited, twoFactor: { guesses: { max: 100 } } })
    const { device, backupCodes } = await signUpProtected(app)
    const before = await countSessions()
    const visitor = await challenge(app)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => useCode(visitor, backupCodes[n % 10]!)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await countSessions()).toBe(before + 1)
    expect((await device.get('/two-factor/status')).body.backupCodesLeft).toBe(9)
  })

  it('disableSession: the code is used, and that is all', async () => {
    const app = new TestApp(unlimited)
    const { backupCodes } = await signUpProtected(app)
    const before = await countSessions()
    const device = await challenge(app)
    const answer = await useCode(device, backupCodes[0]!, { disableSession: true })
    expect({ status: answer.status, fields: Object.keys(answer.body) }).toEqual({ status: 200, fields: ['user'] })
    expect(answer.cookies.filter((line) => line.includes('session'))).toEqual([])
    expect(await countSessions()).toBe(before)
    expect(outcome(await useCode(device, backupCodes[1]!))).toEqual({ status: 401, code: 'INVALID_TWO_FACTOR_COOKIE' })
  })

  it('20 at once with one code make one session; two codes at once make two', async () => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 100 }, twoFactor: { guesses: { max: 100 } } })
    const { backupCodes } = await signUpProtected(app)
    const devices = await Promise.all(Array.from({ length: 20 }, () => challenge(app)))
    const before = await countSessions()
    const answers = await Promise.all(devices.map((device) => useCode(device, backupCodes[0]!)))
    expect(answers.map(outcome).sort((a, b) => a.status - b.status)).toEqual([
      { status: 200, code: null },
      ...Array(19).fill({ status: 401, code: 'INVALID_BACKUP_CODE' }),
    ])
    expect(await countSessions()).toBe(before + 1)
    const [one, other] = await Promise.all([challenge(app), challenge(app)])
    const both = await Promise.all([useCode(one, backupCodes[1]!), useCode(other, backupCodes[2]!)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
  })

  it('200 wrong codes at once: five are looked at, the rest refused, and so is a right one afterwards', async () => {
    const app = new TestApp(unlimited)
    const { backupCodes } = await signUpProtected(app)
    const device = await challenge(app)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => useCode(device, `aaaaa-${String(n).padStart(5, '0')}`)),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(195)
    expect((await useCode(device, backupCodes[0]!)).status).toBe(429)
  })

  it('401 without a pending sign-in, 400 BACKUP_CODES_ARENT_ENABLED without two-factor', async () => {
    const app = new TestApp(unlimited)
    const { backupCodes } = await signUpProtected(app)
    expect(outcome(await useCode(app.device(), backupCodes[0]!))).toEqual({
      status: 401,
      code: 'INVALID_TWO_FACTOR_COOKIE',
    })
    const other = await signUp(app, bob)
    expect(outcome(await useCode(other, 'xxxxx-xxxxx'))).toEqual({ status: 400, code: 'BACKUP_CODES_ARENT_ENABLED' })
  })
})
