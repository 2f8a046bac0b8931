import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../../configuration/read-config.ts'
import { enabledFeatures } from '../../../features.ts'
import { administrator, plain } from '../../../testing/admins.ts'
import { config } from '../../../testing/config.ts'
import { type Device, env, TestApp } from '../../../testing/harness.ts'
import { PasswordRanges } from '../../../testing/outside/password-ranges.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { count } from '../../../testing/rows.ts'
import { setFirstPassword } from '../change-password.ts'

afterEach(() => vi.restoreAllMocks())

const on = { rateLimit: { enabled: false }, breachedPassword: { enabled: true } }
const leaked = 'leaked-password'
const compromised = {
  code: 'PASSWORD_COMPROMISED',
  message: 'The password you entered has been compromised. Please choose a different password.',
}

/** A request that sets alice's password: the device, the rest of the body, and the field of the password. */
interface Way {
  device: Device
  body: object
  field: 'password' | 'newPassword'
}

/** Every endpoint that sets a password, including its earlier steps. */
const ways: Record<string, (app: TestApp) => Promise<Way>> = {
  '/sign-up/email': async (app) => ({ device: app.device(), body: alice, field: 'password' }),
  '/change-password': async (app) => ({
    device: await signUp(app, alice),
    body: { currentPassword: alice.password },
    field: 'newPassword',
  }),
  '/reset-password': async (app) => {
    const device = await signUp(app, alice)
    await device.post('/request-password-reset', { email: alice.email })
    const token = new URL(await app.linkTo(alice.email)).pathname.split('/').at(-1)!
    return { device, body: { token }, field: 'newPassword' }
  },
  '/email-otp/reset-password': async (app) => {
    const device = await signUp(app, alice)
    await device.post('/forget-password/email-otp', { email: alice.email })
    return { device, body: { email: alice.email, otp: await codeTo(app, alice.email) }, field: 'password' }
  },
  '/phone-number/reset-password': async (app) => {
    const device = await signUp(app, alice)
    const phoneNumber = '+4915112345678'
    await device.post('/phone-number/send-otp', { phoneNumber })
    const code = await codeTo(app, phoneNumber)
    await device.post('/phone-number/verify', { phoneNumber, code, updatePhoneNumber: true })
    await app.clearMailbox()
    await device.post('/phone-number/request-password-reset', { phoneNumber })
    return { device, body: { phoneNumber, otp: await codeTo(app, phoneNumber) }, field: 'newPassword' }
  },
  '/admin/create-user': async (app) => ({
    device: (await administrator(app)).device,
    body: { name: alice.name, email: alice.email },
    field: 'password',
  }),
  '/admin/set-user-password': async (app) => ({
    device: (await administrator(app)).device,
    body: { userId: (await plain(app, alice)).id },
    field: 'newPassword',
  }),
}

const codeTo = async (app: TestApp, address: string): Promise<string> =>
  (await app.mailbox()).find(({ to }) => to === address)!.codes[0]!

const endpoints = enabledFeatures(readConfig(config, env).options).flatMap(({ routes }) =>
  Object.values(routes?.contract ?? {}),
)

const start = (more: object = {}) => ({
  ranges: new PasswordRanges().leak(leaked).install(),
  app: new TestApp({ ...on, ...more }),
})

describe('a password that is known from a leak', () => {
  it('is refused at sign-up; the service receives five characters of its hash', async () => {
    const { app, ranges } = start()
    const { status, body } = await app.device().post('/sign-up/email', { ...alice, password: leaked })
    expect({ status, body, users: await count('users') }).toEqual({ status: 400, body: compromised, users: 0 })
    expect(ranges.asked).toEqual([expect.stringMatching(/^[0-9A-F]{5}$/)])
  })

  it.each(Object.keys(ways))('400 at %s: nothing changes, and what led there is still good', async (path) => {
    const { app } = start()
    const { device, body, field } = await ways[path]!(app)
    const refused = await device.post(path, { ...body, [field]: leaked })
    expect({ status: refused.status, body: refused.body }).toEqual({ status: 400, body: compromised })
    expect((await app.device().post('/sign-in/email', { email: alice.email, password: leaked })).status).toBe(401)
    expect((await device.post(path, { ...body, [field]: 'no-leak-at-all' })).status).toBe(200)
    expect((await app.device().post('/sign-in/email', { email: alice.email, password: 'no-leak-at-all' })).status).toBe(
      200,
    )
  })

  it('no endpoint that sets a password is missing above', () => {
    const setting = endpoints.filter(({ errors }) => errors.some(({ code }) => code === 'PASSWORD_TOO_SHORT'))
    expect(setting.map(({ path }) => path).sort()).toEqual(Object.keys(ways).sort())
  })

  it('is rejected if a server sets the first password of a user', async () => {
    const { app } = start()
    const device = await signUp(app, alice)
    const { user } = (await device.get('/get-session')).body
    const { scope } = app.openScope()
    await expect(setFirstPassword(scope, user.id, leaked)).rejects.toMatchObject({ code: 'PASSWORD_COMPROMISED' })
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
    expect({ code: body.code, asked: ranges.asked }).toEqual({ code: 'PASSWORD_TOO_SHORT', asked: [] })
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
  ] as const)('500 when it answers %j: no password passes unchecked', async (trouble, refusal) => {
    const { app, ranges } = start()
    ranges.breakDown(trouble)
    const { status, body, cookies } = await app.device().post('/sign-up/email', alice)
    expect({ status, body, cookies, users: await count('users') }).toEqual({
      status: 500,
      body: refusal,
      cookies: [],
      users: 0,
    })
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
