import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { codeOf } from '../../testing/authenticator.ts'
import { origin, outcome, TestApp } from '../../testing/harness.ts'
import { addPasskey, assertOn, type Forgery, SoftwareAuthenticator, signInWithPasskey } from '../../testing/passkeys.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { count, storedRow } from '../../testing/rows.ts'
import { banUsers } from '../../testing/states.ts'
import { passTime, signUpProtected, stopClock } from '../../testing/two-factor.ts'

const unlimited = { rateLimit: { enabled: false } }

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

const sessions = () => count('sessions')
const stored = () => storedRow('passkeys')

const begin = '/passkey/generate-authenticate-options'
const finish = '/passkey/verify-authentication'

/** A user with a passkey, on a device that has signed out. */
async function withPasskey(app: TestApp, authenticator = new SoftwareAuthenticator()) {
  const owner = await signUp(app, alice)
  await addPasskey(owner, authenticator)
  return { owner, authenticator }
}

describe('POST /passkey/generate-authenticate-options', () => {
  const anonymous = {
    rpId: 'localhost',
    challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    timeout: 60_000,
    userVerification: 'preferred',
  }

  it('200: the same for every visitor, with any address and without a body', async () => {
    const app = new TestApp(unlimited)
    await withPasskey(app)
    const bodiless = new Request(`${origin}/api/auth${begin}`, { method: 'POST', headers: { origin } })
    const answers = [
      await app.device().post(begin),
      await app.device().post(begin, { email: alice.email }),
      await app.device().post(begin, { email: 'unknown@example.com' }),
      await app.fetch(bodiless),
    ]
    for (const answer of answers) {
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: anonymous })
      expect(answer.cookies).toHaveLength(1)
      expect(answer.io).toMatchObject({ d1: [0, 2], durable: [1, 1] })
    }
  })

  it('200: the options for a signed-in user name the passkeys of that user', async () => {
    const app = new TestApp(unlimited)
    const { owner, authenticator } = await withPasskey(app)
    const { body, io } = await owner.post(begin)
    expect(body).toEqual({
      ...anonymous,
      allowCredentials: [{ id: authenticator.credentialId, type: 'public-key', transports: ['internal'] }],
    })
    expect(io).toMatchObject({ d1: [2, 2] })
  })

  it('400: an invalid body', async () => {
    expect(outcome(await new TestApp(unlimited).device().post(begin, { email: 1 }))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
    })
  })
})

describe('POST /passkey/verify-authentication', () => {
  it('200: a session, and the use is written down', async () => {
    const app = new TestApp(unlimited)
    const { authenticator } = await withPasskey(app)
    const device = app.device()
    const answer = await signInWithPasskey(device, authenticator)
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['session'])
    expect(answer.body.session).toMatchObject({ token: expect.any(String), userId: expect.any(String) })
    expect(answer.cookies.find((line) => line.startsWith('gatehouse.session_token='))).toMatch(/Max-Age=604[78]\d\d;/)
    expect(answer.io).toMatchObject({ d1: [2, 3], durable: [1, 3] })
    expect((await device.get('/get-session')).body).toMatchObject({
      session: { id: answer.body.session.id },
      user: { email: alice.email },
    })
    expect(await stored()).toMatchObject({ counter: 1, last_used_at: Date.now() })
  })

  it('200: returns the requested target if it is permitted', async () => {
    const app = new TestApp(unlimited)
    const { authenticator } = await withPasskey(app)
    const device = app.device()
    const signInTo = async (callbackURL: string) =>
      device.post(finish, { response: await assertOn(device, authenticator), callbackURL })
    expect((await signInTo('/welcome')).body).toMatchObject({ redirect: true, url: '/welcome' })
    expect(outcome(await signInTo('https://evil.example/'))).toEqual({ status: 403, code: 'INVALID_CALLBACKURL' })
  })

  it('200: keys that never count, that have been synced since, and that name their owner', async () => {
    const app = new TestApp(unlimited)
    const { authenticator } = await withPasskey(app, new SoftwareAuthenticator({ counts: false, synced: true }))
    for (const userHandle of [undefined, 'dQ']) {
      expect((await signInWithPasskey(app.device(), authenticator, { userHandle })).status).toBe(200)
    }
    expect(await stored()).toMatchObject({ counter: 0, backed_up: 1 })
  })

  it('20 parallel uses of one assertion: one session', async () => {
    const app = new TestApp(unlimited)
    const { authenticator } = await withPasskey(app)
    const before = await sessions()
    const device = app.device()
    const response = await assertOn(device, authenticator)
    const answers = await Promise.all(Array.from({ length: 20 }, () => device.post(finish, { response })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessions()).toBe(before + 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(outcome(answer)).toEqual({ status: 400, code: 'AUTHENTICATION_FAILED' })
      expect(answer.cookies).toEqual([])
    }
    expect(outcome(await device.post(finish, { response }))).toEqual({ status: 400, code: 'AUTHENTICATION_FAILED' })
  })

  it('of assertions that were made one after the other, an older one loses, also at the same moment', async () => {
    const app = new TestApp(unlimited)
    const { authenticator } = await withPasskey(app)
    const before = await sessions()
    const assertions = []
    for (let n = 0; n < 10; n++) {
      const device = app.device()
      assertions.push({ device, response: await assertOn(device, authenticator, { counter: 7 }) })
    }
    const answers = await Promise.all(assertions.map(({ device, response }) => device.post(finish, { response })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessions()).toBe(before + 1)
    expect((await stored())?.counter).toBe(7)
  })

  it('400: no cookie, another browser, the other ceremony, late', async () => {
    const app = new TestApp(unlimited)
    const { owner, authenticator } = await withPasskey(app)
    const device = app.device()
    const response = await assertOn(device, authenticator)
    const thief = app.device()
    expect(outcome(await thief.post(finish, { response }))).toEqual({ status: 400, code: 'CHALLENGE_NOT_FOUND' })
    await thief.post(begin)
    expect(outcome(await thief.post(finish, { response }))).toEqual({ status: 400, code: 'AUTHENTICATION_FAILED' })
    const { challenge } = (await owner.get('/passkey/generate-register-options')).body
    expect(outcome(await signInWithPasskey(owner, authenticator, { challenge }))).toEqual({
      status: 400,
      code: 'AUTHENTICATION_FAILED',
    })
    passTime(300)
    expect(outcome(await device.post(finish, { response }))).toEqual({ status: 400, code: 'CHALLENGE_NOT_FOUND' })
  })

  it('200: two ceremonies of one browser do not disturb each other', async () => {
    const app = new TestApp(unlimited)
    const { authenticator } = await withPasskey(app)
    const device = app.device()
    const first = await assertOn(device, authenticator)
    const second = await assertOn(device, authenticator)
    expect((await device.post(finish, { response: first })).status).toBe(200)
    expect((await device.post(finish, { response: second })).status).toBe(200)
  })

  it('401: an unknown or deleted passkey', async () => {
    const app = new TestApp(unlimited)
    const { owner, authenticator } = await withPasskey(app)
    expect(outcome(await signInWithPasskey(app.device(), new SoftwareAuthenticator()))).toEqual({
      status: 401,
      code: 'PASSKEY_NOT_FOUND',
    })
    const [{ id }] = (await owner.get('/passkey/list-user-passkeys')).body
    await owner.post('/passkey/delete-passkey', { id })
    expect(outcome(await signInWithPasskey(app.device(), authenticator))).toEqual({
      status: 401,
      code: 'PASSKEY_NOT_FOUND',
    })
  })

  const { privateKey: signer } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const forgeries: Record<string, Forgery> = {
    'another origin': { origin: 'https://evil.example' },
    'another RP id': { rpId: 'evil.example' },
    'another type': { type: 'webauthn.create' },
    'another key': { signer },
    'a counter that has not grown': { counter: 3 },
    'a counter of 0 for a key that counts': { counter: 0 },
    'no user present': { userPresent: false },
  }
  for (const [what, forgery] of Object.entries(forgeries)) {
    it(`400: ${what}`, async () => {
      const app = new TestApp(unlimited)
      const { authenticator } = await withPasskey(app)
      expect((await signInWithPasskey(app.device(), authenticator, { counter: 3 })).status).toBe(200)
      const before = await sessions()
      const answer = await signInWithPasskey(app.device(), authenticator, forgery)
      expect(outcome(answer)).toEqual({ status: 400, code: 'AUTHENTICATION_FAILED' })
      expect(answer.cookies).toEqual([])
      expect(await sessions()).toBe(before)
      expect((await stored())?.counter).toBe(3)
    })
  }

  it('400: the assertion of one key in the name of another', async () => {
    const app = new TestApp(unlimited)
    const { authenticator } = await withPasskey(app)
    const mine = await addPasskey(await signUp(app, bob))
    const { credentialId } = authenticator
    expect(outcome(await signInWithPasskey(app.device(), mine, { credentialId }))).toEqual({
      status: 400,
      code: 'AUTHENTICATION_FAILED',
    })
  })

  it('400: every signed byte counts', async () => {
    const app = new TestApp(unlimited)
    const { authenticator } = await withPasskey(app)
    for (const part of ['authenticatorData', 'clientDataJSON', 'signature'] as const) {
      const device = app.device()
      const good = await assertOn(device, authenticator)
      const bytes = Buffer.from(good.response[part], 'base64url')
      // The last byte before the challenge's end, a flag, and the last byte of the signature.
      const at = part === 'clientDataJSON' ? bytes.lastIndexOf('false') + 4 : bytes.length - 1
      bytes[at]! ^= 1
      const response = { ...good, response: { ...good.response, [part]: bytes.toString('base64url') } }
      expect({ part, status: (await device.post(finish, { response })).status }).toEqual({ part, status: 400 })
    }
  })

  it('400: no user verification, where the configuration demands it', async () => {
    const app = new TestApp({ ...unlimited, passkey: { authenticatorSelection: { userVerification: 'required' } } })
    const { authenticator } = await withPasskey(app)
    expect((await app.device().post(begin)).body.userVerification).toBe('required')
    expect(outcome(await signInWithPasskey(app.device(), authenticator, { userVerified: false }))).toEqual({
      status: 400,
      code: 'AUTHENTICATION_FAILED',
    })
  })

  it('401: a banned user', async () => {
    const app = new TestApp(unlimited)
    const { authenticator } = await withPasskey(app)
    await banUsers()
    expect((await signInWithPasskey(app.device(), authenticator)).status).toBeGreaterThanOrEqual(401)
    expect((await stored())?.counter).toBe(0)
  })

  it('400: not a response', async () => {
    const app = new TestApp(unlimited)
    const { authenticator } = await withPasskey(app)
    const device = app.device()
    const good = await assertOn(device, authenticator)
    const inner = (changes: object) => ({ ...good, response: { ...good.response, ...changes } })
    const bad = [
      undefined,
      null,
      {},
      { ...good, id: 1 },
      { ...good, rawId: 'other' },
      inner({ authenticatorData: 'AAAA' }),
      inner({ signature: '' }),
      inner({ userHandle: 1 }),
    ]
    for (const response of bad) {
      await device.post(begin)
      const { status, body } = await device.post(finish, { response })
      expect({ status, code: typeof body.code }).toEqual({ status: 400, code: 'string' })
    }
  })

  it('429: ten in ten seconds', async () => {
    const device = new TestApp().device()
    const response = await assertOn(device, new SoftwareAuthenticator())
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push((await device.post(finish, { response })).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  })
})

describe('the second factor', () => {
  it('is not asked after a key that verified its user', async () => {
    const app = new TestApp(unlimited)
    const { device } = await signUpProtected(app)
    const authenticator = await addPasskey(device)
    expect((await signInWithPasskey(app.device(), authenticator)).body).toHaveProperty('session')
  })

  it('is asked after a key that did not verify its user, and the use of the key is stored', async () => {
    const app = new TestApp(unlimited)
    const { device: owner, totpURI } = await signUpProtected(app)
    const authenticator = await addPasskey(owner, new SoftwareAuthenticator({ userVerified: false }))
    const before = await sessions()
    const device = app.device()
    const answer = await signInWithPasskey(device, authenticator)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { twoFactorRedirect: true } })
    expect(answer.cookies.map((line) => line.split('=')[0])).toEqual(['gatehouse.two_factor'])
    expect(await sessions()).toBe(before)
    expect((await stored())?.counter).toBe(1)
    expect((await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })).status).toBe(200)
    expect((await device.get('/get-session')).body.user.email).toBe(alice.email)
  })
})
