import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serverKey } from '../../../testing/api-keys.ts'
import { codeOf } from '../../../testing/authenticator.ts'
import { cheapHash } from '../../../testing/cheap-hash.ts'
import { type Device, outcome, TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { google } from '../../../testing/outside/social/google.ts'
import { comeBack, errorAt, locationOf, startAt, walk } from '../../../testing/outside/walk.ts'
import { addPasskey, SoftwareAuthenticator } from '../../../testing/passkeys.ts'
import { alice, bob, signUp } from '../../../testing/people.ts'
import { storedRows, updateRows } from '../../../testing/rows.ts'
import {
  banUsers,
  deleteUsers,
  demandSecondFactor,
  endSessions,
  impersonateAs,
  invalidatePending,
  makeSessionsStale,
  updateUsers,
  verifyAddresses,
} from '../../../testing/states.ts'
import { passTime, signUpProtected, stopClock } from '../../../testing/two-factor.ts'

const unlimited = { rateLimit: { enabled: false } }
const number = '+15550001'

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Two days pass; the session remains valid. */
const age = () => passTime(2 * 86_400)
const sensitive = (device: Device) => device.post('/api-key/create', {})
const stored = () => storedRows('sessions', 'id', 'token', 'authenticated_at', 'amr')
const events = async () =>
  (await storedRows('security_events', 'type', 'method', 'session_id')).filter(({ type }) => type.startsWith('step-up'))
const lastCode = async (app: TestApp, to: string) => (await app.mailbox()).find((entry) => entry.to === to)!.codes[0]!

/** Signs up a user and makes their session two days old. */
async function stale(app: TestApp): Promise<Device> {
  const device = await signUp(app, alice)
  age()
  return device
}

describe('POST /step-up', () => {
  it('200 by password: the session keeps its id and token, is recent again, and the action goes through', async () => {
    const device = await stale(new TestApp(unlimited))
    const before = (await stored())[0]!
    const refused = await sensitive(device)
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 403,
      body: { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh', methods: ['password'] },
    })
    const { status, body, cookies, io } = await device.post('/step-up', {
      method: 'password',
      password: alice.password,
    })
    expect({ status, body }).toEqual({ status: 200, body: { authenticatedAt: new Date().toISOString(), amr: ['pwd'] } })
    expect(cookies.some((line) => line.startsWith('gatehouse.session_token='))).toBe(true)
    expect(io).toMatchObject({ d1: [3, 3], durable: [1, 3] })
    const after = (await stored())[0]!
    expect({ id: after.id, token: after.token, authenticatedAt: after.authenticated_at }).toEqual({
      id: before.id,
      token: before.token,
      authenticatedAt: Date.now(),
    })
    expect((await sensitive(device)).status).toBe(200)
    expect(await events()).toEqual([{ type: 'step-up', method: 'password', session_id: before.id }])
  })

  it('400 for a wrong password, which counts against the budget of confirmations and is in the log', async () => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 3 } })
    const device = await stale(app)
    const guess = async (password: string) => outcome(await device.post('/step-up', { method: 'password', password }))
    expect(await guess('wrong password')).toEqual({ status: 400, code: 'INVALID_PASSWORD' })
    expect(await events()).toMatchObject([{ type: 'step-up-failed', method: 'password' }])
    await guess('wrong password')
    await guess('wrong password')
    expect(await guess(alice.password)).toEqual({ status: 429, code: 'TOO_MANY_REQUESTS' })
    // The budget of sign-ins is separate.
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
    expect(outcome(await sensitive(device))).toEqual({ status: 403, code: 'SESSION_IS_NOT_FRESH' })
  })

  it.each([
    ['another password', () => updateRows('accounts', { password: 'another' })],
    ['another security version', invalidatePending],
    ['a ban', () => banUsers()],
    ['the end of the session', () => endSessions()],
  ])('proves nothing when this arrives between the verification and the write: %s', async (_what, change) => {
    let meanwhile = async () => {}
    const passwordHash = {
      hash: cheapHash.hash,
      verify: async (given: Parameters<typeof cheapHash.verify>[0]) => {
        const right = await cheapHash.verify(given)
        await meanwhile()
        return right
      },
    }
    const device = await stale(new TestApp({ ...unlimited, account: { passwordHash } }))
    meanwhile = async () => void (await change())
    const answer = device.post('/step-up', { method: 'password', password: alice.password })
    expect(outcome(await answer)).toEqual({ status: 400, code: 'INVALID_PASSWORD' })
    const [row] = await stored()
    expect(row === undefined || row.authenticated_at < Date.now()).toBe(true)
  })

  it('takes the second factor alone from a user who has one', async () => {
    const app = new TestApp(unlimited)
    const { device, totpURI, backupCodes } = await signUpProtected(app)
    await verifyAddresses()
    age()
    const { body } = await sensitive(device)
    expect(body.methods).toEqual(['totp', 'email-otp', 'backup-code'])
    const password = { method: 'password', password: alice.password }
    expect(outcome(await device.post('/step-up', password))).toEqual({
      status: 400,
      code: 'STEP_UP_METHOD_NOT_AVAILABLE',
    })
    const totp = { method: 'totp', code: await codeOf(totpURI) }
    const [first, second] = await Promise.all([device.post('/step-up', totp), device.post('/step-up', totp)])
    // A TOTP step is accepted once.
    expect([first!.status, second!.status].sort()).toEqual([200, 400])
    expect((await stored())[0]!.amr).toBe('["otp","mfa"]')
    expect((await sensitive(device)).status).toBe(200)
    age()
    const code = { method: 'backup-code', code: backupCodes[0]! }
    const both = await Promise.all([device.post('/step-up', code), device.post('/step-up', code)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await device.get('/two-factor/status')).body.backupCodesLeft).toBe(9)
    expect(outcome(await device.post('/step-up', { method: 'totp', code: '000000' }))).toEqual({
      status: 400,
      code: 'INVALID_CODE',
    })
  })

  it('counts guesses at the second factor against the budgets of sign-ins', async () => {
    const { device, totpURI } = await signUpProtected(new TestApp(unlimited))
    age()
    for (let guess = 0; guess < 5; guess++) await device.post('/step-up', { method: 'totp', code: '000000' })
    const right = { code: await codeOf(totpURI) }
    expect(outcome(await device.post('/step-up', { method: 'totp', ...right }))).toEqual({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
    })
    expect(outcome(await device.post('/two-factor/verify-totp', right))).toEqual({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
    })
  })

  it('200 by the mailed code of the second factor, which belongs to this session and purpose', async () => {
    const app = new TestApp(unlimited)
    const { device } = await signUpProtected(app)
    age()
    await app.clearMailbox()
    await device.post('/two-factor/send-otp', {})
    const other = await lastCode(app, alice.email)
    expect(outcome(await device.post('/step-up', { method: 'email-otp', code: other }))).toEqual({
      status: 400,
      code: 'OTP_HAS_EXPIRED',
    })
    await app.clearMailbox()
    expect((await device.post('/step-up/send-code', { method: 'email-otp' })).body).toEqual({ status: true })
    const code = await lastCode(app, alice.email)
    const { status, body } = await device.post('/step-up', { method: 'email-otp', code })
    expect({ status, amr: body.amr }).toEqual({ status: 200, amr: ['otp', 'mfa'] })
    expect(outcome(await device.post('/step-up', { method: 'email-otp', code }))).toEqual({
      status: 400,
      code: 'OTP_HAS_EXPIRED',
    })
  })

  it('200 by a mailed code for a verified address; it is good for one session and one use', async () => {
    const app = new TestApp(unlimited)
    const device = await stale(app)
    expect(outcome(await device.post('/step-up/send-code', { method: 'email-otp' }))).toEqual({
      status: 400,
      code: 'STEP_UP_METHOD_NOT_AVAILABLE',
    })
    await verifyAddresses()
    expect((await sensitive(device)).body.methods).toEqual(['password', 'email-otp'])
    const other = app.device()
    await other.post('/sign-in/email', alice)
    await app.clearMailbox()
    await device.post('/step-up/send-code', { method: 'email-otp' })
    const code = await lastCode(app, alice.email)
    const given = { method: 'email-otp', code }
    expect(outcome(await other.post('/step-up', given))).toEqual({ status: 400, code: 'OTP_HAS_EXPIRED' })
    expect(outcome(await app.device().post('/sign-in/email-otp', { email: alice.email, otp: code }))).toEqual({
      status: 400,
      code: 'INVALID_OTP',
    })
    const both = await Promise.all([device.post('/step-up', given), device.post('/step-up', given)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await sensitive(device)).status).toBe(200)
  })

  it('limits the guesses at a code, and over all codes', async () => {
    const app = new TestApp(unlimited)
    const device = await stale(app)
    await verifyAddresses()
    const guess = async (code: string) => outcome(await device.post('/step-up', { method: 'email-otp', code }))
    const codes: unknown[] = []
    for (let sent = 0; sent < 4; sent++) {
      await device.post('/step-up/send-code', { method: 'email-otp' })
      for (let tries = 0; tries < 3; tries++) codes.push(await guess('0'))
    }
    expect(codes[0]).toEqual({ status: 400, code: 'INVALID_CODE' })
    expect(codes.at(-1)).toEqual({ status: 429, code: 'TOO_MANY_REQUESTS' })
  })

  it('200 by a text message to a verified number', async () => {
    const app = new TestApp(unlimited)
    const device = await stale(app)
    await updateUsers({ phoneNumber: number, phoneNumberVerified: true })
    expect((await sensitive(device)).body.methods).toEqual(['password', 'phone-otp'])
    await app.clearMailbox()
    await device.post('/step-up/send-code', { method: 'phone-otp' })
    const code = await lastCode(app, number)
    const { status, body } = await device.post('/step-up', { method: 'phone-otp', code })
    expect({ status, amr: body.amr }).toEqual({ status: 200, amr: ['otp', 'sms'] })
  })

  it.each([
    ['email-code', 'email-otp', alice.email],
    ['phone-code', 'phone-otp', number],
  ])('200 with the earlier id %s; the sign-in log has %s', async (earlier, present, to) => {
    const app = new TestApp(unlimited)
    const device = await stale(app)
    await verifyAddresses()
    await updateUsers({ phoneNumber: number, phoneNumberVerified: true })
    await app.clearMailbox()
    expect((await device.post('/step-up/send-code', { method: earlier })).status).toBe(200)
    const code = await lastCode(app, to)
    expect((await device.post('/step-up', { method: earlier, code })).status).toBe(200)
    expect(await events()).toMatchObject([{ type: 'step-up', method: present }])
  })

  it('not by a number that a session alone added a short while ago', async () => {
    const device = await stale(new TestApp(unlimited))
    await verifyAddresses()
    await updateUsers({
      phoneNumber: '+15550001',
      phoneNumberVerified: true,
      phoneNumberChangedAt: new Date(Date.now() - 86_400_000),
    })
    expect((await sensitive(device)).body.methods).toEqual(['password', 'email-otp'])
    expect(outcome(await device.post('/step-up/send-code', { method: 'phone-otp' }))).toEqual({
      status: 400,
      code: 'STEP_UP_METHOD_NOT_AVAILABLE',
    })
  })

  it('200 by a passkey of the caller, and of no other user', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const own = await addPasskey(device)
    const stranger = await signUp(app, bob)
    const theirs = await addPasskey(stranger, new SoftwareAuthenticator())
    age()
    expect((await sensitive(device)).body.methods).toEqual(['passkey', 'password'])
    const options = async (who = device) => (await who.get('/step-up/passkey-options')).body
    const give = async (response: unknown, who = device) =>
      outcome(await who.post('/step-up', { method: 'passkey', response }))
    expect((await options()).allowCredentials).toMatchObject([{ id: own.credentialId }])
    expect(await give(theirs.assert(await options()))).toEqual({ status: 400, code: 'AUTHENTICATION_FAILED' })
    // The challenge of a sign-in is separate.
    const signIn = (await device.post('/passkey/generate-authenticate-options')).body
    expect(await give(own.assert(signIn))).toEqual({ status: 400, code: 'CHALLENGE_NOT_FOUND' })
    expect(await give({ id: 'x' })).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    const response = own.assert(await options())
    const answer = await device.post('/step-up', { method: 'passkey', response })
    expect(answer).toMatchObject({ status: 200, body: { amr: ['hwk', 'user', 'mfa'] } })
    expect(await give(response)).toEqual({ status: 400, code: 'CHALLENGE_NOT_FOUND' })
    expect((await sensitive(device)).status).toBe(200)
  })

  it('a user with a second factor gives a passkey that verifies its user', async () => {
    const { device } = await signUpProtected(new TestApp(unlimited))
    const authenticator = await addPasskey(device)
    age()
    const options = async () => (await device.get('/step-up/passkey-options')).body
    expect((await options()).userVerification).toBe('required')
    const unverified = authenticator.assert(await options(), { userVerified: false })
    expect(outcome(await device.post('/step-up', { method: 'passkey', response: unverified }))).toEqual({
      status: 400,
      code: 'AUTHENTICATION_FAILED',
    })
    const response = authenticator.assert(await options())
    expect((await device.post('/step-up', { method: 'passkey', response })).status).toBe(200)
  })

  it('403 for an API key and for an administrator who acts as the user; 401 without a session', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const body = { method: 'password', password: alice.password }
    const { user } = (await device.get('/get-session')).body
    const byKey = app.device()
    byKey.headers = { 'x-api-key': (await serverKey(app, { userId: user.id })).key }
    expect(outcome(await byKey.post('/step-up', body))).toEqual({ status: 403, code: 'OWN_SESSION_REQUIRED' })
    await impersonateAs('another')
    expect(outcome(await device.post('/step-up', body))).toEqual({ status: 403, code: 'OWN_SESSION_REQUIRED' })
    expect(outcome(await app.device().post('/step-up', body))).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  })

  it('200 for a caller by bearer token', async () => {
    const app = new TestApp(unlimited)
    const device = app.device()
    const token = (await device.post('/sign-up/email', alice)).headers.get('set-auth-token')
    age()
    device.jar.clear()
    device.headers = { authorization: `Bearer ${token}` }
    expect(outcome(await sensitive(device))).toEqual({ status: 403, code: 'SESSION_IS_NOT_FRESH' })
    const { status, cookies } = await device.post('/step-up', { method: 'password', password: alice.password })
    expect({ status, cookies }).toEqual({ status: 200, cookies: [] })
    expect((await sensitive(device)).status).toBe(200)
  })
})

describe('GET /step-up/methods', () => {
  it('200: the methods, the last authentication, and whether it is recent; one round trip', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    const signedInAt = new Date().toISOString()
    const { body, io } = await device.get('/step-up/methods')
    expect(body).toEqual({ methods: ['password'], authenticatedAt: signedInAt, fresh: true })
    expect(io).toMatchObject({ d1: [1, 1] })
    age()
    expect((await device.get('/step-up/methods')).body).toMatchObject({ authenticatedAt: signedInAt, fresh: false })
  })
})

describe('POST /step-up/provider', () => {
  /** Google, which returns the time of the authentication for each sign-in. */
  async function linked(authTime: () => unknown = () => Math.floor(Date.now() / 1000)) {
    const claims = google.claims!
    const provider = new OAuthProvider({
      ...google,
      authorization: { ...google.authorization, optional: [...google.authorization.optional!, 'max_age'] },
      claims: (person) => ({ ...claims(person), auth_time: authTime() }),
    }).install()
    provider.person = { id: 'alice-at-google', email: alice.email }
    const app = new TestApp({ ...unlimited, socialProviders: { google: provider.options } })
    const device = app.device()
    await walk(device, provider)
    age()
    const start = (more: Record<string, unknown> = {}, who = device) =>
      startAt(who, provider, more, '/step-up/provider')
    return { app, provider, device, start }
  }

  it('the provider authenticates the user again, and the session is recent', async () => {
    const { device, provider } = await linked()
    expect((await sensitive(device)).body.methods).toEqual(['email-otp', 'provider:google'])
    const before = await stored()
    const { body, io } = await device.post('/step-up/provider', { provider: 'google', callbackURL: '/dash' })
    const { searchParams } = new URL(body.url)
    expect({
      prompt: searchParams.get('prompt'),
      maxAge: searchParams.get('max_age'),
      redirect: body.redirect,
    }).toEqual({ prompt: 'select_account', maxAge: '0', redirect: true })
    expect(io.d1![0]).toBe(2)
    expect(locationOf(await comeBack(device, provider.authorize(body.url)))).toBe('/dash')
    const after = await stored()
    expect(after.map(({ id, token }) => [id, token])).toEqual(before.map(({ id, token }) => [id, token]))
    expect({ authenticatedAt: after[0]!.authenticated_at, amr: after[0]!.amr }).toEqual({
      authenticatedAt: Date.now(),
      amr: '["fed"]',
    })
    expect((await sensitive(device)).status).toBe(200)
  })

  it('an identity that is not linked to the user proves nothing, and is not linked by it', async () => {
    const { device, provider, start } = await linked()
    provider.person = { id: 'mallory-at-google', email: alice.email }
    expect(locationOf(await comeBack(device, await start()))).toBe(errorAt('step_up_failed'))
    expect(outcome(await sensitive(device))).toEqual({ status: 403, code: 'SESSION_IS_NOT_FRESH' })
    expect((await device.get('/list-accounts')).body).toHaveLength(1)
    expect(await events()).toMatchObject([{ type: 'step-up-failed', method: 'google' }])
  })

  it('an authentication before the start proves nothing', async () => {
    const old = Math.floor(Date.now() / 1000)
    const { device, start } = await linked(() => old)
    expect(locationOf(await comeBack(device, await start()))).toBe(errorAt('step_up_failed'))
    expect(outcome(await sensitive(device))).toEqual({ status: 403, code: 'SESSION_IS_NOT_FRESH' })
  })

  it('is for the session that started it', async () => {
    const { device, provider, start } = await linked()
    const callback = await start()
    await walk(device, provider)
    await makeSessionsStale()
    expect(locationOf(await comeBack(device, callback))).toBe(errorAt('step_up_failed'))
    expect(outcome(await sensitive(device))).toEqual({ status: 403, code: 'SESSION_IS_NOT_FRESH' })
  })

  it('400 for a provider that is not linked, not configured, or when the user has a second factor', async () => {
    const { device } = await linked()
    const start = async (provider: string) =>
      outcome(await device.post('/step-up/provider', { provider, callbackURL: '/dash' }))
    expect(await start('github')).toEqual({ status: 400, code: 'STEP_UP_METHOD_NOT_AVAILABLE' })
    await demandSecondFactor()
    expect(await start('google')).toEqual({ status: 400, code: 'STEP_UP_METHOD_NOT_AVAILABLE' })
  })
})

describe('amr of a session', () => {
  const amr = async () => (await stored()).map((row) => JSON.parse(row.amr))

  it('says how the user signed in; a rotation carries it and the time over', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    expect(await amr()).toEqual([['pwd']])
    const [before] = await stored()
    passTime(60)
    const change = { currentPassword: alice.password, newPassword: 'battery staple', revokeOtherSessions: true }
    expect((await device.post('/change-password', change)).status).toBe(200)
    const [after] = await stored()
    expect({ authenticatedAt: after!.authenticated_at, amr: after!.amr }).toEqual({
      authenticatedAt: before!.authenticated_at,
      amr: before!.amr,
    })
    expect(after!.token).not.toBe(before!.token)
  })

  it('a second factor adds to the first', async () => {
    const app = new TestApp(unlimited)
    const { totpURI } = await signUpProtected(app)
    const device = app.device()
    await device.post('/sign-in/email', alice)
    await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    expect((await amr()).at(-1)).toEqual(['pwd', 'otp', 'mfa'])
  })

  it('guests have none, and an administrator who acts as a user is never recent', async () => {
    const app = new TestApp(unlimited)
    await app.device().post('/sign-in/anonymous')
    expect(await amr()).toEqual([[]])
    await deleteUsers()
    const admin = await signUp(app, alice)
    await updateUsers({ role: 'admin' })
    const { user } = (await (await signUp(app, bob)).get('/get-session')).body
    expect((await admin.post('/admin/impersonate-user', { userId: user.id })).status).toBe(200)
    const rows = await storedRows('sessions', 'amr', 'authenticated_at', 'impersonated_by')
    const { impersonated_by, ...row } = rows.find((session) => session.impersonated_by !== null)!
    expect(row).toEqual({ amr: '[]', authenticated_at: 0 })
  })
})
