import { afterEach, describe, expect, it, vi } from 'vitest'
import { administrator } from '../../testing/admins.ts'
import { codeOf } from '../../testing/authenticator.ts'
import { type Device, outcome, TestApp } from '../../testing/harness.ts'
import { addPasskey, type Forgery, SoftwareAuthenticator, signInWithPasskey } from '../../testing/passkeys.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { count, rowOf } from '../../testing/rows.ts'
import { codeTo } from '../../testing/set-ups.ts'
import { address, password, ruled, signedInAs } from '../../testing/sign-in-rules.ts'
import { verifyAddresses } from '../../testing/states.ts'
import { challenge, signUpProtected, stopClock } from '../../testing/two-factor.ts'

vi.setConfig({ testTimeout: 30_000 })

afterEach(() => {
  vi.useRealTimers()
})

const carol = { name: 'Carol', email: 'carol@example.com', password: 'password9012' }
const on = { rateLimit: { enabled: false }, passkey: { secondFactor: true } }

const give = async (device: Device, key: SoftwareAuthenticator, more: object = {}, forged: Forgery = {}) => {
  const { body: options } = await device.get('/passkey/second-factor-options')
  return device.post('/passkey/verify-second-factor', { response: key.assert(options, forged), ...more })
}
const sessionOf = async (device: Device) => (await device.get('/get-session')).body?.session ?? null
const factorsOf = async (device: Device) => (await rowOf('sessions', { id: (await sessionOf(device)).id }))!.amr
const gone = { status: 401, code: 'INVALID_TWO_FACTOR_COOKIE' }

async function withPasskey(config: object = on) {
  const app = new TestApp(config)
  const owner = await signUp(app, alice)
  // A key without a PIN: it proves possession only.
  const key = await addPasskey(owner, new SoftwareAuthenticator({ userVerified: false }))
  return { app, owner, key }
}

describe('a sign-in with a password, of a user with a passkey', () => {
  it('asks for it, in the response of the second factor, and both make a session', async () => {
    const { app, key } = await withPasskey()
    await verifyAddresses()
    const device = app.device()
    const answer = await device.post('/sign-in/email', alice)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { twoFactorRedirect: true } })
    expect(answer.cookies.map((line) => line.split('=')[0])).toEqual(['gatehouse.two_factor'])
    expect(await sessionOf(device)).toBeNull()
    expect((await device.get('/two-factor/challenge')).body).toMatchObject({
      methods: ['passkey', 'otp'],
      newPlace: false,
    })
    const { body: options } = await device.get('/passkey/second-factor-options')
    expect(options.allowCredentials).toEqual([{ id: key.credentialId, type: 'public-key', transports: ['internal'] }])
    const given = await device.post('/passkey/verify-second-factor', { response: key.assert(options) })
    expect(given.status).toBe(200)
    expect(given.body).toEqual({ token: expect.any(String), user: expect.objectContaining({ email: alice.email }) })
    expect(await factorsOf(device)).toEqual(['pwd', 'hwk', 'user', 'mfa'])
    expect(outcome(await give(device, key))).toEqual(gone)
  })

  it('one password step leads to one session, of twenty at a time too', async () => {
    const { app, key } = await withPasskey()
    const device = await challenge(app)
    const { body: options } = await device.get('/passkey/second-factor-options')
    const response = key.assert(options)
    const before = await count('sessions')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => device.post('/passkey/verify-second-factor', { response })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await count('sessions')).toBe(before + 1)
  })

  it('does not ask by default, nor of users without a passkey; the passkey alone counts as both in any case', async () => {
    const { app } = await withPasskey()
    const off = new TestApp({ rateLimit: { enabled: false } })
    expect((await off.device().post('/sign-in/email', alice)).body.token).toEqual(expect.any(String))
    const key = await addPasskey(await signUp(off, bob))
    expect((await signInWithPasskey(app.device(), key)).status).toBe(200)
    await signUp(app, carol)
    expect((await app.device().post('/sign-in/email', carol)).body.token).toEqual(expect.any(String))
  })

  it('costs one read more with the option, and nothing without', async () => {
    const { app } = await withPasskey()
    await signUp(app, carol)
    const off = new TestApp({ rateLimit: { enabled: false } })
    const cost = async (at: TestApp) => (await at.device().post('/sign-in/email', carol)).io.d1![0]
    expect([await cost(off), await cost(app)]).toEqual([2, 3])
  })
})

describe('rejected', () => {
  it('the passkey of another user, of another ceremony, of another browser, a wrong signature, without a password', async () => {
    const { app, key } = await withPasskey()
    const other = await addPasskey(await signUp(app, bob))
    const failed = { status: 400, code: 'AUTHENTICATION_FAILED' }
    const lost = { status: 400, code: 'CHALLENGE_NOT_FOUND' }
    const device = await challenge(app)
    expect(outcome(await give(device, other))).toEqual(failed)
    expect(outcome(await give(device, key, {}, { origin: 'https://elsewhere.example' }))).toEqual(failed)
    const stranger = new SoftwareAuthenticator()
    expect(outcome(await give(device, stranger, {}, { credentialId: key.credentialId }))).toEqual(failed)
    const { body: ofSignIn } = await device.post('/passkey/generate-authenticate-options')
    const send = (at: Device, response: unknown) => at.post('/passkey/verify-second-factor', { response })
    expect(outcome(await send(device, key.assert(ofSignIn)))).toEqual(lost)
    const { body: theirs } = await (await challenge(app)).get('/passkey/second-factor-options')
    expect(outcome(await send(device, key.assert(theirs)))).toEqual(lost)
    const visitor = app.device()
    expect(outcome(await visitor.get('/passkey/second-factor-options'))).toEqual(gone)
    expect(outcome(await send(visitor, key.assert(ofSignIn)))).toEqual(gone)
    // The challenge of the second step does not sign in by a passkey alone.
    const { body: second } = await device.get('/passkey/second-factor-options')
    const alone = await device.post('/passkey/verify-authentication', { response: key.assert(second) })
    expect(alone.status).toBe(400)
    expect(await sessionOf(device)).toBeNull()
    expect((await give(device, key)).status).toBe(200)
  })

  it('after a change of the password', async () => {
    const { app, owner, key } = await withPasskey()
    const device = await challenge(app)
    const changedAlice = { ...alice, password: 'another-password-1' }
    const changed = { currentPassword: alice.password, newPassword: changedAlice.password }
    expect((await owner.post('/change-password', changed)).status).toBe(200)
    expect(outcome(await device.get('/passkey/second-factor-options'))).toEqual(gone)
    const { body: lost } = await (await challenge(app, changedAlice)).get('/passkey/second-factor-options')
    const response = key.assert(lost)
    expect(outcome(await device.post('/passkey/verify-second-factor', { response }))).not.toMatchObject({ status: 200 })
  })

  it('a sign-in that waits for a code of an app, while the option is off', async () => {
    stopClock()
    const app = new TestApp({ rateLimit: { enabled: false } })
    const { device: owner } = await signUpProtected(app)
    const key = await addPasskey(owner)
    const device = await challenge(app)
    expect((await device.get('/two-factor/challenge')).body.methods).not.toContain('passkey')
    expect(outcome(await device.get('/passkey/second-factor-options'))).toEqual(gone)
    expect(outcome(await device.post('/passkey/verify-second-factor', { response: key.assert({} as never) }))).toEqual(
      gone,
    )
  })
})

describe('without the passkey', () => {
  it('a code by mail does, for published clients too, to a verified address only', async () => {
    const { app } = await withPasskey()
    const device = await challenge(app)
    expect((await device.get('/two-factor/challenge')).body.methods).toEqual(['passkey'])
    expect(outcome(await device.post('/two-factor/send-otp'))).toEqual({ status: 400, code: 'OTP_NOT_ENABLED' })
    await verifyAddresses()
    const next = await challenge(app)
    expect((await next.post('/two-factor/send-otp')).status).toBe(200)
    expect((await next.post('/two-factor/verify-otp', { code: await codeTo(app, alice.email) })).status).toBe(200)
    expect(await factorsOf(next)).toEqual(['pwd'])
  })

  it('what the user has set up does, and a trusted device is not asked', async () => {
    stopClock()
    const app = new TestApp(on)
    const { device: owner, totpURI, backupCodes } = await signUpProtected(app)
    const key = await addPasskey(owner, new SoftwareAuthenticator({ userVerified: false }))
    const device = await challenge(app)
    expect((await device.get('/two-factor/challenge')).body.methods).toEqual(['passkey', 'totp', 'otp', 'backup-code'])
    expect((await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })).status).toBe(200)
    const another = await challenge(app)
    expect((await another.post('/two-factor/verify-backup-code', { code: backupCodes[0] })).status).toBe(200)
    const trusted = await challenge(app)
    expect((await give(trusted, key, { trustDevice: true })).status).toBe(200)
    await trusted.post('/sign-out')
    expect((await trusted.post('/sign-in/email', alice)).body.token).toEqual(expect.any(String))
    expect((await app.device().post('/sign-in/email', alice)).body).toEqual({ twoFactorRedirect: true })
  })

  it('no device is trusted for a passkey alone', async () => {
    const { app, key } = await withPasskey()
    const device = await challenge(app)
    await give(device, key, { trustDevice: true })
    await device.post('/sign-out')
    expect((await device.post('/sign-in/email', alice)).body).toEqual({ twoFactorRedirect: true })
    expect(await count('trusted_devices')).toBe(0)
  })

  it('a password that an administrator sets still needs it', async () => {
    const { app, owner, key } = await withPasskey()
    const { user } = (await owner.get('/get-session')).body
    const { device: admin } = await administrator(app)
    const newPassword = 'chosen-by-support-1'
    expect((await admin.post('/admin/set-user-password', { userId: user.id, newPassword })).status).toBe(200)
    const device = await challenge(app, { ...alice, password: newPassword })
    expect((await give(device, key)).status).toBe(200)
  })

  it('the deletion of the last passkey ends it', async () => {
    const { app, owner } = await withPasskey()
    const [{ id }] = (await owner.get('/passkey/list-user-passkeys')).body
    expect((await owner.post('/passkey/delete-passkey', { id })).status).toBe(200)
    expect((await app.device().post('/sign-in/email', alice)).body.token).toEqual(expect.any(String))
  })
})

describe('step-up', () => {
  const stepUp = async (device: Device, key: SoftwareAuthenticator) => {
    const { body: options } = await device.get('/step-up/passkey-options')
    return device.post('/step-up', { method: 'passkey', response: key.assert(options) })
  }

  it('needs the passkey, and the session keeps both factors', async () => {
    const { app, key } = await withPasskey()
    const device = await challenge(app)
    await give(device, key)
    expect((await device.get('/step-up/methods')).body.methods).toEqual(['passkey', 'email-otp'])
    const byPassword = await device.post('/step-up', { method: 'password', password: alice.password })
    expect(outcome(byPassword)).toEqual({ status: 400, code: 'STEP_UP_METHOD_NOT_AVAILABLE' })
    expect((await stepUp(device, key)).body.amr).toEqual(['pwd', 'hwk', 'user', 'mfa'])
    expect((await stepUp(device, key)).body.amr).toEqual(['pwd', 'hwk', 'user', 'mfa'])
  })

  it('a key alone that does not verify its user stays one factor', async () => {
    const { app, key } = await withPasskey()
    const device = app.device()
    expect((await signInWithPasskey(device, key)).status).toBe(200)
    expect((await stepUp(device, key)).body.amr).toEqual(['hwk', 'user'])
  })

  it('a verified password does not count as a recent authentication', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { app, key, owner } = await withPasskey()
    const device = await challenge(app)
    await give(device, key)
    vi.setSystemTime(Date.now() + 86_400_001)
    const refused = { status: 403, code: 'SESSION_IS_NOT_FRESH' }
    expect(outcome(await device.post('/two-factor/enable', { password: alice.password }))).toEqual(refused)
    await stepUp(device, key)
    expect((await device.post('/two-factor/enable', { password: alice.password })).status).toBe(200)
    expect(outcome(await owner.post('/two-factor/enable', { password: alice.password }))).toEqual(refused)
  })
})

it('meets the rule of an organization for a second factor, where a code by mail does not', async () => {
  const { app, rule, ada } = await ruled(on)
  const key = await addPasskey(ada.device, new SoftwareAuthenticator({ userVerified: false }))
  await rule({ allowedMethods: null, requiresSecondFactor: true })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })
  const device = app.device()
  expect((await device.post('/sign-in/email', { email: address, password })).body).toEqual({ twoFactorRedirect: true })
  expect((await device.get('/two-factor/challenge')).body.methods).toEqual(['passkey'])
  expect(outcome(await device.post('/two-factor/send-otp'))).toEqual({ status: 400, code: 'OTP_NOT_ENABLED' })
  expect((await give(device, key)).status).toBe(200)
  expect(await signedInAs(device)).toBe(address)
})

it('needs the second factor of the configuration', async () => {
  expect(() => new TestApp({ passkey: { secondFactor: true }, twoFactor: { enabled: false } })).toThrow(
    /passkey.secondFactor/,
  )
  expect((await new TestApp(on).device().get('/config')).body.passkey.secondFactor).toBe(true)
})
