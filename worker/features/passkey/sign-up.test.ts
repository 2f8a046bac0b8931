import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, outcome, TestApp } from '../../testing/harness.ts'
import { addPasskey, SoftwareAuthenticator, signInWithPasskey } from '../../testing/passkeys.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { count } from '../../testing/rows.ts'
import { banUsers } from '../../testing/states.ts'

const open = { rateLimit: { enabled: false }, passkey: { signUp: true } }
const verifying = { ...open, emailAndPassword: { requireEmailVerification: true } }

afterEach(() => {
  vi.useRealTimers()
})

const begin = '/passkey/generate-sign-up-options'
const finish = '/sign-up/passkey'
const { name, email } = alice

/** The browser's response after it has created a passkey for a new challenge. */
async function made(device: Device, authenticator = new SoftwareAuthenticator()) {
  const { body } = await device.post(begin, { email })
  return { name, email, response: authenticator.register(body) }
}

describe('POST /passkey/generate-sign-up-options', () => {
  it('200: the options for the browser, the same for a taken address', async () => {
    const app = new TestApp(open)
    const free = await app.device().post(begin, { email })
    expect({ status: free.status, d1: free.io.d1?.[0] }).toEqual({ status: 200, d1: 0 })
    await signUp(app, alice)
    const taken = await app.device().post(begin, { email })
    for (const { body } of [free, taken]) {
      expect(body).toMatchObject({
        challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        user: { name: email, displayName: email },
        excludeCredentials: [],
      })
    }
  })

  it('400 unless it is configured; 400 without an address; 404 where passkeys are off', async () => {
    const closed = new TestApp({ rateLimit: { enabled: false } }).device()
    expect(outcome(await closed.post(begin, { email }))).toEqual({
      status: 400,
      code: 'PASSKEY_SIGN_UP_IS_NOT_ENABLED',
    })
    const response = new SoftwareAuthenticator().register({ rp: { id: 'localhost' }, challenge: 'x' } as never)
    expect(outcome(await closed.post(finish, { name, email, response }))).toEqual({
      status: 400,
      code: 'PASSKEY_SIGN_UP_IS_NOT_ENABLED',
    })
    expect((await closed.get('/config')).body.features.passkeySignUp).toBeUndefined()
    const device = new TestApp(open).device()
    expect((await device.get('/config')).body.features.passkeySignUp).toBe(true)
    for (const wrong of [{}, { email: 'x' }, { email: 7 }, { email: `${'a'.repeat(300)}@example.com` }]) {
      expect(outcome(await device.post(begin, wrong))).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    }
    const off = new TestApp({ ...open, passkey: { enabled: false, signUp: true } }).device()
    expect((await off.post(begin, { email })).status).toBe(404)
  })
})

describe('POST /sign-up/passkey', () => {
  it('429 after 3 in 10 seconds, as every sign-up', async () => {
    const device = new TestApp({ passkey: { signUp: true } }).device()
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await device.post(finish, {})).status)
    expect(statuses).toEqual([400, 400, 400, 429])
  })

  it('200: a user, their passkey and their session; the address is unverified and gets its mail', async () => {
    const app = new TestApp(open)
    const device = app.device()
    const authenticator = new SoftwareAuthenticator()
    const { status, body } = await device.post(finish, await made(device, authenticator))
    expect({ status, body }).toEqual({
      status: 200,
      body: { token: expect.any(String), user: expect.objectContaining({ name, email, emailVerified: false }) },
    })
    const { session, user } = (await device.get('/get-session')).body
    expect({ token: session.token, userId: user.id }).toEqual({ token: body.token, userId: body.user.id })
    expect((await device.get('/passkey/list-user-passkeys')).body).toMatchObject([
      { userId: user.id, credentialID: authenticator.credentialId },
    ])
    expect((await device.get('/list-accounts')).body).toEqual([])
    expect((await app.mailbox()).filter(({ to }) => to === email)).toHaveLength(1)
    const other = app.device()
    expect((await signInWithPasskey(other, authenticator)).status).toBe(200)
    expect((await other.get('/get-session')).body.user.id).toBe(user.id)
  })

  it('200: authenticators store the passkey under the id of the new user', async () => {
    const device = new TestApp(open).device()
    const { body: options } = await device.post(begin, { email })
    const { body } = await device.post(finish, { name, email, response: new SoftwareAuthenticator().register(options) })
    expect(atob(options.user.id)).toBe(body.user.id)
  })

  it('200: stores fields of the configuration and of other features, and ignores protected fields', async () => {
    const app = new TestApp({ ...open, user: { additionalFields: { company: { type: 'string', required: false } } } })
    const device = app.device()
    const given = { company: 'Acme', username: 'alice_1', role: 'admin', emailVerified: true, id: 'mine', banned: true }
    const { body } = await device.post(finish, { ...(await made(device)), ...given })
    const { user } = (await device.get('/get-session')).body
    expect(user).toMatchObject({ company: 'Acme', username: 'alice_1', role: 'user', emailVerified: false })
    expect(user.id).toBe(body.user.id)
    expect(user.id).not.toBe('mine')
  })

  it('400: a challenge is used once, of twenty at a time too', async () => {
    const device = new TestApp(open).device()
    const body = await made(device)
    const answers = await Promise.all(Array.from({ length: 20 }, () => device.post(finish, body, { keep: false })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body: { code } }) => code))).toEqual(
      new Set(['FAILED_TO_VERIFY_REGISTRATION']),
    )
    expect({
      users: await count('users'),
      passkeys: await count('passkeys'),
      sessions: await count('sessions'),
    }).toEqual({ users: 1, passkeys: 1, sessions: 1 })
  })

  it('400: late, in another browser, without a cookie, for the other ceremonies', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp(open)
    const device = app.device()
    const body = await made(device)
    expect(outcome(await app.device().post(finish, body))).toEqual({ status: 400, code: 'CHALLENGE_NOT_FOUND' })
    const other = app.device()
    await other.post(begin, { email })
    expect(outcome(await other.post(finish, body))).toEqual({ status: 400, code: 'FAILED_TO_VERIFY_REGISTRATION' })

    const member = await signUp(app, bob)
    const own = (await member.get('/passkey/generate-register-options')).body
    const forSignUp = { name, email, response: new SoftwareAuthenticator().register(own) }
    expect(outcome(await member.post(finish, forSignUp))).toEqual({
      status: 400,
      code: 'FAILED_TO_VERIFY_REGISTRATION',
    })
    const { response } = await made(member)
    expect(outcome(await member.post('/passkey/verify-registration', { response }))).toEqual({
      status: 400,
      code: 'FAILED_TO_VERIFY_REGISTRATION',
    })

    vi.setSystemTime(Date.now() + 300_001)
    expect(outcome(await device.post(finish, body))).toEqual({ status: 400, code: 'CHALLENGE_NOT_FOUND' })
    expect({ users: await count('users'), passkeys: await count('passkeys') }).toEqual({ users: 1, passkeys: 0 })
  })

  it.each([
    ['origin', { origin: 'https://evil.example' }],
    ['RP id', { rpId: 'evil.example' }],
    ['algorithm', { algorithm: -65535 }],
    ['kind of client data', { type: 'webauthn.get' }],
  ])('400: a forged %s, and no user is created', async (_what, forged) => {
    const device = new TestApp(open).device()
    const { body: options } = await device.post(begin, { email })
    const response = new SoftwareAuthenticator().register(options, forged)
    expect(outcome(await device.post(finish, { name, email, response }))).toEqual({
      status: 400,
      code: 'FAILED_TO_VERIFY_REGISTRATION',
    })
    expect(await count('users')).toBe(0)
  })

  it('400: an authenticator that is already registered; no user is created', async () => {
    const app = new TestApp(open)
    const authenticator = await addPasskey(await signUp(app, bob))
    const device = app.device()
    expect(outcome(await device.post(finish, await made(device, authenticator)))).toEqual({
      status: 400,
      code: 'PREVIOUSLY_REGISTERED',
    })
    expect({ users: await count('users'), passkeys: await count('passkeys') }).toEqual({ users: 1, passkeys: 1 })
  })

  it('422: a taken address, also by a concurrent sign-up; no passkey is stored', async () => {
    const app = new TestApp(open)
    const devices = Array.from({ length: 5 }, () => app.device())
    const bodies = await Promise.all(devices.map((device) => made(device)))
    const answers = await Promise.all(devices.map((device, at) => device.post(finish, bodies[at])))
    expect(answers.map(outcome).sort((a, b) => a.status - b.status)).toEqual([
      { status: 200, code: null },
      ...Array(4).fill({ status: 422, code: 'USER_ALREADY_EXISTS' }),
    ])
    expect({
      users: await count('users'),
      passkeys: await count('passkeys'),
      sessions: await count('sessions'),
    }).toEqual({ users: 1, passkeys: 1, sessions: 1 })
    expect(answers.filter(({ cookies }) => cookies.some((line) => line.includes('session_token=')))).toHaveLength(1)
  })

  it('400: no name, no response, and an invalid one', async () => {
    const device = new TestApp(open).device()
    const body = await made(device)
    for (const wrong of [
      { ...body, name: '  ' },
      { ...body, name: undefined },
      { ...body, email: 'x' },
      { ...body, response: undefined },
      { ...body, response: { ...body.response, type: 'password' } },
      { ...body, response: { ...body.response, response: { ...body.response.response, clientDataJSON: '%' } } },
    ]) {
      expect(outcome(await device.post(finish, wrong))).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    }
  })
})

describe('who has signed up with only a passkey', () => {
  it('cannot delete it, until they have another way in', async () => {
    const app = new TestApp(open)
    const device = app.device()
    await device.post(finish, await made(device))
    const [{ id }] = (await device.get('/passkey/list-user-passkeys')).body
    expect(outcome(await device.post('/passkey/delete-passkey', { id }))).toEqual({
      status: 400,
      code: 'LAST_WAY_TO_SIGN_IN',
    })
    await addPasskey(device)
    expect((await device.post('/passkey/delete-passkey', { id })).status).toBe(200)
  })

  it('keeps it when another browser confirms the address, which starts no session there', async () => {
    const app = new TestApp(open)
    const device = app.device()
    await device.post(finish, await made(device))
    const other = app.device()
    await other.get(await app.linkTo(email))
    expect(await count('passkeys')).toBe(1)
    expect((await device.get('/list-sessions')).status).toBe(200)
    expect((await other.get('/list-sessions')).status).toBe(401)
  })

  it('keeps it when they follow the link in the same browser', async () => {
    const app = new TestApp(open)
    const device = app.device()
    await device.post(finish, await made(device))
    await device.get(await app.linkTo(email))
    expect(await count('passkeys')).toBe(1)
    expect((await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body.user.emailVerified).toBe(
      true,
    )
  })

  it('has no session before the address is verified, where that is asked for, nor signs in', async () => {
    const app = new TestApp(verifying)
    const device = app.device()
    const authenticator = new SoftwareAuthenticator()
    const { status, body, cookies } = await device.post(finish, await made(device, authenticator))
    expect({ status, token: body.token, sessions: await count('sessions') }).toEqual({
      status: 200,
      token: null,
      sessions: 0,
    })
    expect(cookies.some((line) => line.includes('session_token='))).toBe(false)
    expect(outcome(await signInWithPasskey(app.device(), authenticator))).toEqual({
      status: 403,
      code: 'EMAIL_NOT_VERIFIED',
    })
    await device.get(await app.linkTo(email))
    expect((await signInWithPasskey(app.device(), authenticator)).status).toBe(200)
  })

  it('gets the same response for a taken address in the strict profile, and its owner gets a mail', async () => {
    const app = new TestApp({ ...open, profile: 'strict' })
    const first = app.device()
    const free = await first.post(finish, await made(first))
    await app.clearMailbox()
    const second = app.device()
    const taken = await second.post(finish, await made(second))
    expect({ status: taken.status, fields: Object.keys(taken.body.user) }).toEqual({
      status: 200,
      fields: Object.keys(free.body.user),
    })
    expect(taken.body.token).toBeNull()
    expect(taken.cookies.map((line) => line.split('=')[0])).toEqual(free.cookies.map((line) => line.split('=')[0]))
    expect({ users: await count('users'), passkeys: await count('passkeys') }).toEqual({ users: 1, passkeys: 1 })
    expect((await app.mailbox()).map(({ to }) => to)).toEqual([email])
  })

  it('cannot use the address of a banned user: the address is taken', async () => {
    const app = new TestApp(open)
    await signUp(app, alice)
    await banUsers()
    const device = app.device()
    expect(outcome(await device.post(finish, await made(device)))).toEqual({ status: 422, code: 'USER_ALREADY_EXISTS' })
  })
})
