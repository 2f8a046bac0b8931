import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, TestApp } from '../../testing/harness.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { count, rowOf, storedRow, storedRows } from '../../testing/rows.ts'
import { banUsers, deleteAccounts } from '../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }
const realHash = { account: { passwordHash: null } }

afterEach(() => {
  vi.useRealTimers()
})

describe('POST /sign-up/email', () => {
  it('200: creates user, account and session, in one round trip', async () => {
    const app = new TestApp(realHash)
    const device = app.device()
    const { status, body, io, cookies } = await device.post('/sign-up/email', { ...alice, email: 'Alice@Example.com' })
    expect(status).toBe(200)
    expect(body.token).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(Object.keys(body.user)).toEqual(['id', 'email', 'name', 'image', 'emailVerified', 'createdAt', 'updatedAt'])
    expect(body.user).toMatchObject({ email: 'alice@example.com', name: 'Alice', image: null, emailVerified: false })
    expect({ d1: io.d1![0], durable: io.durable![0] }).toEqual({ d1: 1, durable: 1 })
    const session = cookies.find((line) => line.startsWith('gatehouse.session_token='))
    expect(session).toMatch(/^[^;]+; Max-Age=604[78]\d\d; Path=\/; HttpOnly; SameSite=Lax$/)
    const { password } = (await rowOf('accounts'))!
    expect(password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
  })

  it('422 USER_ALREADY_EXISTS, and nothing is written', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    const { status, body } = await app.device().post('/sign-up/email', { ...alice, email: 'ALICE@example.com' })
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 422,
      code: 'USER_ALREADY_EXISTS',
      message: 'User already exists',
    })
    expect({
      users: await count('users'),
      sessions: await count('sessions'),
      accounts: await count('accounts'),
    }).toEqual({ users: 1, sessions: 1, accounts: 1 })
  })

  it('20 in parallel with one address: one wins', async () => {
    const app = new TestApp(unlimited)
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.device().post('/sign-up/email', alice)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(19)
    expect(await count('users')).toBe(1)
  })

  it.each([
    ['an invalid address', { ...alice, email: 'nope' }, 'INVALID_EMAIL'],
    ['no fields', {}, 'INVALID_EMAIL'],
    ['a short password', { ...alice, password: 'short' }, 'PASSWORD_TOO_SHORT'],
    ['a long password', { ...alice, password: 'x'.repeat(129) }, 'PASSWORD_TOO_LONG'],
    ['a wrong type', { ...alice, email: 5 }, 'VALIDATION_ERROR'],
    ['a list', [], 'VALIDATION_ERROR'],
  ])('400 for %s, and nothing is written', async (_what, body, code) => {
    const answer = await new TestApp().device().post('/sign-up/email', body)
    expect(answer).toMatchObject({ status: 400, body: { code } })
    expect(await count('users')).toBe(0)
  })

  it('422 FAILED_TO_CREATE_USER without a name', async () => {
    const { status, body } = await new TestApp().device().post('/sign-up/email', { ...alice, name: undefined })
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'FAILED_TO_CREATE_USER' })
  })

  it('400 where sign-up is off', async () => {
    for (const emailAndPassword of [{ enabled: false }, { disableSignUp: true }]) {
      const { status, body } = await new TestApp({ emailAndPassword }).device().post('/sign-up/email', alice)
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED' })
    }
  })

  it('does not sign in where autoSignIn is off or verification required', async () => {
    for (const emailAndPassword of [{ autoSignIn: false }, { requireEmailVerification: true }]) {
      const app = new TestApp({ emailAndPassword })
      const { body, cookies } = await app
        .device()
        .post('/sign-up/email', { ...alice, email: `${Math.random()}@a.example` })
      expect(body.token).toBeNull()
      // The cookies identify the browser of the sign-up, and that of the link, when the address is verified.
      expect(cookies.map((line) => line.split('=')[0])).toEqual(['gatehouse.mailed_link', 'gatehouse.signed_up'])
      expect(await count('sessions')).toBe(0)
    }
  })

  it('ignores columns that only the server may set', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice, {
      role: 'admin',
      emailVerified: true,
      banned: true,
      twoFactorEnabled: true,
      isAnonymous: true,
      phoneNumberVerified: true,
      id: 'chosen',
      securityVersion: 7,
    })
    const row = await storedRow('users')
    expect(row).toMatchObject({
      role: 'user',
      email_verified: 0,
      banned: 0,
      two_factor_enabled: 0,
      security_version: 0,
    })
    expect(row!.id).not.toBe('chosen')
    expect((await device.get('/get-session')).body.user.emailVerified).toBe(false)
  })

  it('ADMIN_EMAILS in development names who becomes an administrator', async () => {
    const app = new TestApp({}, { ADMIN_EMAILS: ' Alice@example.com, root@example.com' })
    await signUp(app, alice)
    await signUp(app, bob)
    expect(await storedRows('users', 'name', 'role')).toEqual([
      { name: 'Alice', role: 'admin' },
      { name: 'Bob', role: 'user' },
    ])
  })

  it('strict: a taken address gets the response of any other, and its owner a mail', async () => {
    const app = new TestApp({ profile: 'strict' })
    const fresh = await app.device().post('/sign-up/email', alice)
    const taken = await app.device().post('/sign-up/email', { ...alice, name: 'Mallory' })
    expect(taken.status).toBe(200)
    expect(fresh.body.token).toBeNull()
    expect(taken.body.token).toBeNull()
    expect(Object.keys(taken.body.user)).toEqual(Object.keys(fresh.body.user))
    expect(taken.body.user.id).not.toBe(fresh.body.user.id)
    expect((await app.mailbox())[0]!.subject).toContain('You already have an account')
  })
})

describe('additional fields of the user', () => {
  const app = (more: object = {}) =>
    new TestApp({
      ...more,
      user: {
        additionalFields: {
          level: { type: 'number', required: true, signUp: true },
          nick: { type: 'string', defaultValue: 'none' },
          secret: { type: 'string', returned: false },
          flag: { type: 'boolean', input: false, defaultValue: false },
        },
      },
    })

  it('are stored, validated, defaulted, shown or hidden', async () => {
    const device = await signUp(app(), alice, { level: 3, secret: 'x', flag: true, unknown: 1 })
    const { user } = (await device.get('/get-session')).body
    expect(user).toMatchObject({ level: 3, nick: 'none', flag: false })
    expect(user).not.toHaveProperty('secret')
    expect(user).not.toHaveProperty('unknown')
    expect((await rowOf('users'))!.additionalFields).toEqual({ level: 3, nick: 'none', secret: 'x', flag: false })
  })

  it('are in the responses of sign-up and sign-in too; in strict also for a taken address', async () => {
    const tested = app()
    const signedUp = await tested.device().post('/sign-up/email', { ...alice, level: 3, secret: 'x' })
    expect(signedUp.body.user).toMatchObject({ level: 3, nick: 'none', flag: false })
    expect(signedUp.body.user).not.toHaveProperty('secret')
    const signedIn = await tested.device().post('/sign-in/email', alice)
    expect(signedIn.body.user).toEqual({ ...signedUp.body.user })
    const strict = app({ profile: 'strict' })
    const fresh = await strict.device().post('/sign-up/email', { ...bob, level: 4 })
    const taken = await strict.device().post('/sign-up/email', { ...alice, level: 4 })
    for (const field of ['level', 'nick', 'flag']) expect(taken.body.user[field]).toEqual(fresh.body.user[field])
  })

  it('400 for a missing or mistyped one', async () => {
    const missing = await app().device().post('/sign-up/email', alice)
    expect(missing).toMatchObject({ status: 400, body: { code: 'LEVEL_IS_REQUIRED' } })
    const mistyped = await app()
      .device()
      .post('/sign-up/email', { ...alice, level: 'high' })
    expect(mistyped.status).toBe(400)
    expect(mistyped.body.issues[0].path).toBe('level')
  })

  it('change by update-user without losing each other', async () => {
    const device = await signUp(app(), alice, { level: 3 })
    await Promise.all([device.post('/update-user', { level: 4 }), device.post('/update-user', { nick: 'al' })])
    const { user } = (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body
    expect(user).toMatchObject({ level: 4, nick: 'al' })
    expect((await device.post('/update-user', { level: 'x' })).status).toBe(400)
  })
})

describe('POST /sign-in/email', () => {
  it('200: two round trips to D1 and two strict counters', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    const { status, body, io } = await app.device().post('/sign-in/email', { ...alice, email: 'ALICE@example.com' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ redirect: false, token: expect.any(String), user: { email: alice.email } })
    expect({ d1: io.d1![0], durable: io.durable![0], kv: io.kv![0] }).toEqual({ d1: 2, durable: 2, kv: 0 })
  })

  it('returns the callback as url', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    const { body } = await app.device().post('/sign-in/email', { ...alice, callbackURL: '/dashboard' })
    expect(body).toMatchObject({ redirect: true, url: '/dashboard' })
  })

  it('the same response for a wrong password, an unknown user and a user without a password', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    await signUp(app, bob)
    await deleteAccounts({ userId: (await rowOf('users', { email: bob.email }))!.id })
    const answers = await Promise.all([
      app.device().post('/sign-in/email', { email: alice.email, password: 'wrong-password' }),
      app.device().post('/sign-in/email', { email: 'unknown@example.com', password: 'wrong-password' }),
      app.device().post('/sign-in/email', { email: bob.email, password: bob.password }),
    ])
    for (const { status, body, io } of answers) {
      expect(status).toBe(401)
      expect(body).toEqual({ code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' })
      expect(io.d1![0]).toBe(1)
    }
  })

  it('400 for an invalid address, for missing fields, and where it is off', async () => {
    const device = new TestApp(unlimited).device()
    expect((await device.post('/sign-in/email', { email: 'nope', password: 'x' })).body.code).toBe('INVALID_EMAIL')
    const missing = await device.post('/sign-in/email', {})
    expect(missing).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(missing.body.issues.map(({ path }: { path: string }) => path)).toEqual(['email', 'password'])
    const off = await new TestApp({ emailAndPassword: { enabled: false } }).device().post('/sign-in/email', alice)
    expect(off).toMatchObject({ status: 400, body: { code: 'EMAIL_AND_PASSWORD_IS_NOT_ENABLED' } })
  })

  it('rememberMe false: never longer than a session that is remembered', async () => {
    const app = new TestApp({ session: { expiresIn: 3600 } })
    await signUp(app, alice)
    const device = await signIn(app, alice, { rememberMe: false })
    const { session } = (await device.get('/get-session')).body
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(3_600_000)
  })

  it('rememberMe false: cookies without a lifetime, a day in the database', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    const device = await signIn(app, alice, { rememberMe: false })
    const answer = await device.post('/sign-in/email', { ...alice, rememberMe: false })
    const [token, forgetful] = answer.cookies
    expect(token).not.toContain('Max-Age')
    expect(forgetful).toMatch(/^gatehouse\.dont_remember=true\./)
    const { session } = (await device.get('/get-session')).body
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(86_400_000)
  })

  it('403 EMAIL_NOT_VERIFIED and a new mail, where verification is required', async () => {
    const app = new TestApp({ emailAndPassword: { requireEmailVerification: true } })
    await app.device().post('/sign-up/email', alice)
    await app.clearMailbox()
    const { status, body, cookies } = await app.device().post('/sign-in/email', alice)
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'EMAIL_NOT_VERIFIED' })
    expect(cookies.map((line) => line.split('=')[0])).toEqual(['gatehouse.mailed_link'])
    expect(await app.mailbox()).toHaveLength(1)
    const wrong = await app.device().post('/sign-in/email', { ...alice, password: 'wrong-password' })
    expect(wrong.status).toBe(401)
  })

  it('200 parallel wrong guesses from one address: three are evaluated, the rest get 429 with a wait', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    const attacker = app.device()
    const guesses = Array.from({ length: 200 }, (_, n) =>
      attacker.post('/sign-in/email', { email: alice.email, password: `guess-number-${n}` }),
    )
    const answers = await Promise.all(guesses)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(197)
    expect(refused[0]!.body).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: 'Too many requests. Please try again later.',
    })
    expect(Number(refused[0]!.headers.get('x-retry-after'))).toBeGreaterThan(0)
  })

  it('guesses from many addresses share one budget per account, which a success empties', async () => {
    const app = new TestApp({ passwordGuesses: { max: 4 } })
    await signUp(app, alice)
    const guess = (password: string) => app.device().post('/sign-in/email', { email: alice.email, password })
    for (let n = 0; n < 3; n++) expect((await guess('wrong-password')).status).toBe(401)
    expect((await guess(alice.password)).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 10 }, () => guess('wrong-password')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(4)
    expect((await guess(alice.password)).status).toBe(429)
  })

  it('a ban or a new password that comes between the check and the session wins', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    await banUsers()
    const before = await count('sessions')
    const { status, body } = await app.device().post('/sign-in/email', alice)
    expect(status).toBeGreaterThanOrEqual(401)
    expect(body.code).toBeTruthy()
    expect(await count('sessions')).toBe(before)
  })
})

describe('password reset', () => {
  const ask = async (app: TestApp, path = '/request-password-reset') => {
    const answer = await app.device().post(path, { email: alice.email, redirectTo: '/reset' })
    const link = await app.linkTo(alice.email)
    return { answer, link, token: new URL(link).pathname.split('/').at(-1)! }
  }

  it('mails a link; the response is the same for an unknown user', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    for (const path of ['/request-password-reset', '/forget-password']) {
      const { answer, token } = await ask(app, path)
      const unknown = await app.device().post(path, { email: 'unknown@example.com' })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual(unknown.body)
      expect(answer.body.message).toBe('If this email exists in our system, check your email for the reset link')
      expect(token).toMatch(/^[A-Za-z0-9]{24}$/)
    }
  })

  it('the link redirects with the token each time it is opened, and with an error when it is not valid', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    const { link, token } = await ask(app)
    for (let n = 0; n < 2; n++) {
      const { status, headers } = await app.device().get(link)
      expect({ status, location: headers.get('location') }).toEqual({
        status: 302,
        location: `http://localhost:8787/reset?token=${token}`,
      })
    }
    const dead = await app.device().get('/reset-password/nosuchtoken', { query: { callbackURL: '/reset' } })
    expect(dead.headers.get('location')).toBe('http://localhost:8787/reset?error=INVALID_TOKEN')
    const foreign = await app
      .device()
      .get(`/reset-password/${token}`, { query: { callbackURL: 'https://evil.example.org' } })
    expect(foreign).toMatchObject({ status: 403, body: { code: 'INVALID_CALLBACKURL' } })
  })

  it('sets the password, ends every session and every other token', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const first = await ask(app)
    await app.clearMailbox()
    const second = await ask(app)
    const reset = (token: string) => app.device().post('/reset-password', { newPassword: 'another-password', token })
    expect((await reset(second.token)).body).toEqual({ status: true })
    expect((await device.get('/get-session')).body).toBeNull()
    expect(await reset(first.token)).toMatchObject({ status: 400, body: { code: 'INVALID_TOKEN' } })
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(401)
    expect((await app.device().post('/sign-in/email', { ...alice, password: 'another-password' })).status).toBe(200)
  })

  it('20 parallel uses of one token: one wins', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    const { token } = await ask(app)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        app.device().post('/reset-password', { newPassword: `password-${n}-x`, token }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const winner = answers.findIndex(({ status }) => status === 200)
    const right = await app.device().post('/sign-in/email', { ...alice, password: `password-${winner}-x` })
    expect(right.status).toBe(200)
  })

  it('an unacceptable password does not use the token', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    const { token } = await ask(app)
    const short = await app.device().post('/reset-password', { newPassword: 'short', token })
    expect(short).toMatchObject({ status: 400, body: { code: 'PASSWORD_TOO_SHORT' } })
    const fine = await app.device().post('/reset-password', { newPassword: 'long-enough' }, { query: { token } })
    expect(fine.body).toEqual({ status: true })
  })

  it('the token expires after an hour', async () => {
    const app = new TestApp()
    await signUp(app, alice)
    const { token } = await ask(app)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_601_000 })
    const { status, body } = await app.device().post('/reset-password', { newPassword: 'long-enough', token })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_TOKEN' })
  })

  it('400 without a token, without a password, for no address, and where it is off', async () => {
    const device = new TestApp().device()
    expect((await device.post('/reset-password', { newPassword: 'long-enough' })).body.code).toBe('INVALID_TOKEN')
    expect((await device.post('/reset-password', { token: 'x' })).body.code).toBe('VALIDATION_ERROR')
    expect((await device.post('/request-password-reset', { email: 'nope' })).body.code).toBe('VALIDATION_ERROR')
    const off = new TestApp({ emailAndPassword: { enabled: false } }).device()
    expect((await off.post('/forget-password', { email: alice.email })).body.code).toBe('RESET_PASSWORD_ISNT_ENABLED')
  })
})

describe('POST /change-password', () => {
  const change = (device: Device, more: object = {}) =>
    device.post('/change-password', { currentPassword: alice.password, newPassword: 'another-password', ...more })

  it('changes it and keeps the sessions', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const other = await signIn(app, alice)
    const { status, body } = await change(device)
    expect(status).toBe(200)
    expect(body).toMatchObject({ token: null, user: { email: alice.email } })
    expect((await other.get('/get-session', { query: { disableCookieCache: 'true' } })).body).not.toBeNull()
    expect((await app.device().post('/sign-in/email', { ...alice, password: 'another-password' })).status).toBe(200)
  })

  it('revokeOtherSessions: the others end, this one gets a new token', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const other = await signIn(app, alice)
    const before = device.cookie('session_token')
    const { body } = await change(device, { revokeOtherSessions: true })
    expect(device.cookie('session_token')).not.toBe(before)
    const session = await device.get('/get-session')
    expect(session.body.session.token).toBe(body.token)
    expect((await other.get('/get-session')).body).toBeNull()
    expect(
      (
        await app
          .device()
          .get('/get-session', { headers: { cookie: `gatehouse.session_token=${encodeURIComponent(before!)}` } })
      ).body,
    ).toBeNull()
  })

  it('ends a pending reset link', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    await app.device().post('/forget-password', { email: alice.email })
    const token = new URL(await app.linkTo(alice.email)).pathname.split('/').at(-1)
    await change(device)
    const { status } = await app.device().post('/reset-password', { newPassword: 'attackers-word', token })
    expect(status).toBe(400)
  })

  it('refuses a wrong current password, invalid new ones, and a visitor', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    expect(await change(device, { currentPassword: 'wrong-password' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PASSWORD' },
    })
    expect((await change(device, { newPassword: 'short' })).body.code).toBe('PASSWORD_TOO_SHORT')
    expect((await change(device, { newPassword: 'x'.repeat(129) })).body.code).toBe('PASSWORD_TOO_LONG')
    expect((await device.post('/change-password', {})).body.code).toBe('VALIDATION_ERROR')
    expect(await change(app.device())).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    await deleteAccounts()
    expect((await change(device)).body.code).toBe('CREDENTIAL_ACCOUNT_NOT_FOUND')
  })
})

describe('set-password', () => {
  it('is not available over HTTP', async () => {
    const device = await signUp(new TestApp(), alice)
    const { status, body } = await device.post('/set-password', { newPassword: 'another-password' })
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' })
  })

  it('sets a password for a user without one, once', async () => {
    const app = new TestApp({ ...unlimited, ...realHash })
    await signUp(app, alice)
    await deleteAccounts()
    const { id: userId } = (await rowOf('users'))!
    const api = app.serverApi()
    expect(await api.setPassword({ userId, newPassword: 'short' })).toMatchObject({
      ok: false,
      code: 'PASSWORD_TOO_SHORT',
    })
    expect(await api.setPassword({ userId, newPassword: alice.password })).toEqual({
      ok: true,
      result: { status: true },
    })
    expect(await api.setPassword({ userId, newPassword: 'once-more-please' })).toMatchObject({
      ok: false,
      code: 'USER_ALREADY_HAS_A_PASSWORD',
    })
    expect((await app.device().post('/sign-in/email', alice)).status).toBe(200)
  })
})
