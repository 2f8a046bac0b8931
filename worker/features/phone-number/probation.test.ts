import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { codeOf } from '../../testing/authenticator.ts'
import { type Device, TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import { rowOf } from '../../testing/rows.ts'
import { deleteUsers, updateUsers, verifyAddresses } from '../../testing/states.ts'
import { passTime, signUpProtected, stopClock } from '../../testing/two-factor.ts'

const unlimited = { rateLimit: { enabled: false } }
const phoneNumber = '+15550003333'

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

const lastCode = async (app: TestApp) => (await app.mailbox()).find((entry) => entry.to === phoneNumber)!.codes[0]!

/** The session adds the number; the address is verified. */
async function addNumber(app: TestApp, device: Device): Promise<void> {
  await verifyAddresses()
  await device.post('/phone-number/send-otp', { phoneNumber })
  const code = await lastCode(app)
  const { status } = await device.post('/phone-number/verify', { phoneNumber, code, updatePhoneNumber: true })
  expect(status).toBe(200)
  await app.clearMailbox()
}

const askReset = (app: TestApp) => app.device().post('/phone-number/forget-password', { phoneNumber })
const reset = (app: TestApp, otp: string) =>
  app.device().post('/phone-number/reset-password', { phoneNumber, otp, newPassword: 'thief-password' })
const sentTo = async (app: TestApp) => (await app.mailbox()).map(({ to }) => to)

it('a number that a session alone added gets no reset code for 7 days, and the answer does not show it', async () => {
  const app = new TestApp(unlimited)
  const device = await signUp(app, alice)
  await addNumber(app, device)
  passTime(7 * 86_400 - 60)
  const { status, body } = await askReset(app)
  expect({ status, body, sent: await sentTo(app) }).toEqual({ status: 200, body: { status: true }, sent: [] })
  // An existing code does not reset the password either.
  await updateUsers({ phoneNumberChangedAt: null })
  await askReset(app)
  const code = await lastCode(app)
  await updateUsers({ phoneNumberChangedAt: new Date() })
  expect((await reset(app, code)).body.code).toBe('INVALID_OTP')
  passTime(7 * 86_400)
  await app.clearMailbox()
  await askReset(app)
  expect((await reset(app, await lastCode(app))).status).toBe(200)
})

it('a claim in update-user is on probation as well; a second verification of the own number changes nothing', async () => {
  const app = new TestApp(unlimited)
  const device = await signUp(app, alice)
  expect((await device.post('/update-user', { phoneNumber })).status).toBe(200)
  await updateUsers({ phoneNumberVerified: true, phoneNumberChangedAt: new Date(Date.now() - 1) })
  const changed = async () => (await rowOf('users'))!.phoneNumberChangedAt!.getTime()
  const before = await changed()
  expect(before).toBe(Date.now() - 1)
  await addNumber(app, device)
  expect(await changed()).toEqual(before)
})

it('resets immediately: by configuration, without a verified address, or added with the second factor', async () => {
  const configured = new TestApp({ ...unlimited, phoneNumber: { probation: 0 } })
  await addNumber(configured, await signUp(configured, alice))
  await askReset(configured)
  expect(await sentTo(configured)).toEqual([phoneNumber])

  await deleteUsers()
  const app = new TestApp(unlimited)
  await addNumber(app, await signUp(app, alice))
  await updateUsers({ emailVerified: false })
  await askReset(app)
  expect(await sentTo(app)).toEqual([phoneNumber])

  await deleteUsers()
  await app.clearMailbox()
  const { device, totpURI } = await signUpProtected(app)
  expect((await device.post('/step-up', { method: 'totp', code: await codeOf(totpURI) })).status).toBe(200)
  await addNumber(app, device)
  await askReset(app)
  expect(await sentTo(app)).toEqual([phoneNumber])
})
