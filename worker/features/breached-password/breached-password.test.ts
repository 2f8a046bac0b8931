import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { count } from '../../testing/organizations.ts'
import { PasswordRanges } from '../../testing/outside/password-ranges.ts'
import { alice, signUp } from '../../testing/people.ts'

afterEach(() => vi.restoreAllMocks())

const on = { rateLimit: { enabled: false }, breachedPassword: { enabled: true } }
const leaked = 'leaked-password'
const compromised = {
  code: 'PASSWORD_COMPROMISED',
  message: 'The password you entered has been compromised. Please choose a different password.',
}
const start = (more: object = {}) => ({
  ranges: new PasswordRanges().leak(leaked).install(),
  app: new TestApp({ ...on, ...more }),
})

describe('a password that is known from a leak', () => {
  it('400 at sign-up; the service is told five characters of its hash', async () => {
    const { app, ranges } = start()
    const { status, body } = await app.device().post('/sign-up/email', { ...alice, password: leaked })
    expect([status, body, await count('users')]).toEqual([400, compromised, 0])
    expect(ranges.asked).toEqual([expect.stringMatching(/^[0-9A-F]{5}$/)])
  })

  it('400 at change-password, reset by link and by code: nothing changes, and the code is still good', async () => {
    const { app } = start()
    const device = await signUp(app, alice)
    const change = { currentPassword: alice.password, newPassword: leaked }
    expect((await device.post('/change-password', change)).body).toEqual(compromised)

    await app.device().post('/request-password-reset', { email: alice.email })
    const token = new URL(await app.linkTo(alice.email)).pathname.split('/').at(-1)!
    expect((await app.device().post('/reset-password', { token, newPassword: leaked })).body).toEqual(compromised)

    await app.device().post('/forget-password/email-otp', { email: alice.email })
    const [otp] = (await app.mailbox()).find(({ to }) => to === alice.email)!.codes
    const reset = { email: alice.email, otp, password: leaked }
    expect((await app.device().post('/email-otp/reset-password', reset)).body).toEqual(compromised)

    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
    expect((await app.device().post('/email-otp/reset-password', { ...reset, password: 'no-leak-1' })).status).toBe(200)
    expect((await app.device().post('/reset-password', { token, newPassword: 'no-leak-2' })).status).toBeLessThan(500)
  })

  it('400 where a server sets the first password of a person', async () => {
    const { app } = start()
    const device = await signUp(app, alice)
    const { user } = (await device.get('/get-session')).body
    const { setPassword } = await import('../email-password/change-password.ts')
    const { scope } = app.openScope()
    await expect(setPassword(scope, user.id, leaked)).rejects.toMatchObject({ code: 'PASSWORD_COMPROMISED' })
  })

  it('the message by configuration', async () => {
    const { app } = start({
      breachedPassword: { enabled: true, customPasswordCompromisedMessage: 'Known. Take another.' },
    })
    const { body } = await app.device().post('/sign-up/email', { ...alice, password: leaked })
    expect(body).toEqual({ ...compromised, message: 'Known. Take another.' })
  })
})

describe('any other password', () => {
  it('passes, also when its hash is in the padding', async () => {
    const { app, ranges } = start()
    ranges.pad(alice.password)
    await signUp(app, alice)
    expect(ranges.asked).toHaveLength(1)
  })

  it('is asked about only after the rules of length', async () => {
    const { app, ranges } = start()
    const { body } = await app.device().post('/sign-up/email', { ...alice, password: 'short' })
    expect([body.code, ranges.asked]).toEqual(['PASSWORD_TOO_SHORT', []])
  })

  it('is not asked about when it is given to sign in, nor where the check is off', async () => {
    const { app, ranges } = start()
    await signUp(app, alice)
    await app.device().post('/sign-in/email', alice)
    await signUp(new TestApp({ rateLimit: { enabled: false } }), { ...alice, email: 'b@example.com', password: leaked })
    expect(ranges.asked).toHaveLength(1)
  })
})

describe('the service out of order', () => {
  it.each([
    [
      { status: 503 },
      { code: 'FAILED_TO_CHECK_PASSWORD_STATUS_503', message: 'Failed to check password. Status: 503' },
    ],
    [
      { status: 429 },
      { code: 'FAILED_TO_CHECK_PASSWORD_STATUS_429', message: 'Failed to check password. Status: 429' },
    ],
    [
      { status: 302 },
      { code: 'FAILED_TO_CHECK_PASSWORD_STATUS_302', message: 'Failed to check password. Status: 302' },
    ],
    ['answers garbage', unclear()],
    ['answers nothing', unclear()],
  ] as const)('500 when it answers %j: nobody is let through unchecked', async (trouble, refusal) => {
    const { app, ranges } = start()
    ranges.breakDown(trouble)
    const { status, body, cookies } = await app.device().post('/sign-up/email', alice)
    expect([status, body, cookies, await count('users')]).toEqual([500, refusal, [], 0])
    ranges.breakDown(null)
    expect((await app.device().post('/sign-up/email', alice)).status).toBe(200)
  })
})

function unclear() {
  return {
    code: 'FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER',
    message: 'Failed to check password. Please try again later.',
  }
}
