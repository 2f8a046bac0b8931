import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { codeOf, readTotpUri, wrongCode } from '../../testing/authenticator.ts'
import { outcome, TestApp } from '../../testing/harness.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { rowsOf, storedRow, storedRows } from '../../testing/rows.ts'
import { deleteAccounts, impersonateAs } from '../../testing/states.ts'
import { challenge, passTime, signUpProtected, stopClock } from '../../testing/two-factor.ts'

// Hundreds of requests and dozens of password hashes are slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const unlimited = { rateLimit: { enabled: false } }
const { password } = alice

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

describe('POST /two-factor/enable', () => {
  it('200: an address for authenticator apps, and ten backup codes; two-factor is not on yet', async () => {
    const app = new TestApp()
    const device = await signUp(app, alice)
    const { status, body, io, cookies } = await device.post('/two-factor/enable', { password, issuer: 'My Shop' })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['totpURI', 'backupCodes'])
    expect(body.totpURI).toMatch(
      /^otpauth:\/\/totp\/My%20Shop:alice%40example\.com\?secret=[A-Z2-7]{32}&issuer=My%20Shop&digits=6&period=30$/,
    )
    expect(new Set(body.backupCodes).size).toBe(10)
    for (const code of body.backupCodes) expect(code).toMatch(/^[A-Za-z0-9]{5}-[A-Za-z0-9]{5}$/)
    expect(cookies).toEqual([])
    expect(io.d1).toEqual([3, 3])
    const fresh = await device.get('/get-session', { query: { disableCookieCache: 'true' } })
    expect(fresh.body.user.twoFactorEnabled).toBe(false)
    await signIn(app, alice)
  })

  it('stores neither the secret nor a code readably', async () => {
    const device = await signUp(new TestApp(), alice)
    const { body } = await device.post('/two-factor/enable', { password })
    const row = await storedRow('two_factors')
    const stored = JSON.stringify(row)
    expect(stored).not.toContain(readTotpUri(body.totpURI).secret)
    for (const code of body.backupCodes) expect(stored).not.toContain(code)
  })

  it('names the issuer of the configuration, or else the application', async () => {
    const own = await signUp(new TestApp({ twoFactor: { issuer: 'Wire' } }), alice)
    const named = await own.post('/two-factor/enable', { password })
    expect(readTotpUri(named.body.totpURI).issuer).toBe('Wire')
    const other = await signUp(new TestApp(), bob)
    const unnamed = await other.post('/two-factor/enable', { password: bob.password })
    expect(readTotpUri(unnamed.body.totpURI).issuer).toBe('Gatehouse')
  })

  it.each([
    ['Acme: EU', 'Acme EU'],
    ['a:b:c', 'a b c'],
    ['Acme\u0007\n \u202eEU', 'Acme EU'],
    [':', 'Gatehouse'],
  ])('issuer %j: %j, because a colon separates it from the account', async (issuer, shown) => {
    const device = await signUp(new TestApp({ appName: 'Gatehouse' }), alice)
    const { body } = await device.post('/two-factor/enable', { password, issuer })
    expect(readTotpUri(body.totpURI).issuer).toBe(shown)
    expect(body.totpURI.split('?')[0]).toBe(`otpauth://totp/${encodeURIComponent(shown)}:alice%40example.com`)
  })

  it.each([{ appName: 'Acme: EU' }, { twoFactor: { issuer: 'Acme: EU' } }])('%o: without the colon', async (config) => {
    const device = await signUp(new TestApp(config), alice)
    const { body } = await device.post('/two-factor/enable', { password })
    expect(body.totpURI.split('?')[0]).toBe('otpauth://totp/Acme%20EU:alice%40example.com')
    expect(readTotpUri(body.totpURI).issuer).toBe('Acme EU')
  })

  it('rejects a wrong or missing password, a missing session, a user without one; writes nothing', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const refusals = [
      [await device.post('/two-factor/enable', { password: 'wrongwrong1' }), 400, 'INVALID_PASSWORD'],
      [await device.post('/two-factor/enable', {}), 400, 'VALIDATION_ERROR'],
      [await device.post('/two-factor/enable', { password: 5 }), 400, 'VALIDATION_ERROR'],
      [await device.post('/two-factor/enable', { password, issuer: '' }), 400, 'VALIDATION_ERROR'],
      [await app.device().post('/two-factor/enable', { password }), 401, 'UNAUTHORIZED'],
    ] as const
    for (const [answer, status, code] of refusals) expect(answer).toMatchObject({ status, body: { code } })
    await deleteAccounts()
    const { status, body } = await device.post('/two-factor/enable', { password })
    expect({ status, body }).toEqual({
      status: 400,
      body: { code: 'NO_PASSWORD_CREDENTIAL_FOUND', message: 'No password credential found' },
    })
    expect(await rowsOf('two_factors')).toEqual([])
  })

  it('400 for a guest, whom no second factor protects', async () => {
    const device = new TestApp(unlimited).device()
    await device.post('/sign-in/anonymous')
    expect(outcome(await device.post('/two-factor/enable', {}))).toMatchObject({ code: 'NO_PASSWORD_CREDENTIAL_FOUND' })
    expect(await rowsOf('two_factors')).toEqual([])
  })

  it('needs no password of a user without one, but a recent authentication; each change of it, too', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    await deleteAccounts()
    const enabled = await device.post('/two-factor/enable', {})
    expect(enabled.status).toBe(200)
    const code = await codeOf(enabled.body.totpURI)
    expect((await device.post('/two-factor/verify-totp', { code })).status).toBe(200)
    const renewed = await device.post('/two-factor/generate-backup-codes', {})
    expect(renewed.body.backupCodes).toHaveLength(10)
    expect((await device.post('/two-factor/get-totp-uri', {})).status).toBe(200)
    vi.setSystemTime(Date.now() + 86_400_001)
    for (const path of ['enable', 'get-totp-uri', 'generate-backup-codes', 'disable']) {
      expect(outcome(await device.post(`/two-factor/${path}`, {}))).toEqual({
        status: 403,
        code: 'SESSION_IS_NOT_FRESH',
      })
    }
    const [, next] = renewed.body.backupCodes
    expect((await device.post('/step-up', { method: 'backup-code', code: next })).status).toBe(200)
    expect((await device.post('/two-factor/disable', {})).status).toBe(200)
    expect(await rowsOf('two_factors')).toEqual([])
  })

  it('shares the one budget for the password', async () => {
    const app = new TestApp({ ...unlimited, passwordGuesses: { max: 3 } })
    const device = await signUp(app, alice)
    const guesses = await Promise.all(
      Array.from({ length: 20 }, () => device.post('/two-factor/enable', { password: 'wrongwrong1' })),
    )
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(3)
    expect((await device.post('/two-factor/enable', { password })).status).toBe(429)
  })

  it('an aborted set-up keeps access: the old secret works until the first code of the new one', async () => {
    const app = new TestApp(unlimited)
    const { device, totpURI, backupCodes } = await signUpProtected(app)
    const again = (await device.post('/two-factor/enable', { password })).body
    const old = await challenge(app)
    expect((await old.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })).status).toBe(200)
    expect((await device.post('/two-factor/verify-totp', { code: await codeOf(again.totpURI) })).status).toBe(200)
    expect(await storedRows('two_factors', 'confirmed')).toEqual([{ confirmed: 1 }])
    passTime(60)
    const second = await challenge(app)
    const dead = await second.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    expect(dead).toMatchObject({ status: 401, body: { code: 'INVALID_CODE' } })
    const gone = await second.post('/two-factor/verify-backup-code', { code: backupCodes[0] })
    expect(gone.body.code).toBe('INVALID_BACKUP_CODE')
    expect((await second.post('/two-factor/verify-totp', { code: await codeOf(again.totpURI) })).status).toBe(200)
  })

  it('takes precedence: an earlier pending sign-in in the browser does not receive its codes', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app, bob)
    const device = await signUp(app, alice)
    const { email, password } = bob
    expect((await device.post('/sign-in/email', { email, password })).body).toEqual({ twoFactorRedirect: true })
    const { totpURI } = (await device.post('/two-factor/enable', { password: alice.password })).body
    const { status, body } = await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    expect({ status, email: body.user?.email }).toEqual({ status: 200, email: alice.email })
  })

  it('lapses within the hour, and is deleted; what is in force stays', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const { totpURI, backupCodes } = (await device.post('/two-factor/enable', { password })).body
    passTime(3599)
    expect((await device.post('/two-factor/get-totp-uri', { password })).body).toEqual({ totpURI })
    passTime(1)
    for (const [path, body, code] of [
      ['get-totp-uri', { password }, 'TOTP_NOT_ENABLED'],
      ['verify-totp', { code: await codeOf(totpURI) }, 'TOTP_NOT_ENABLED'],
      ['verify-backup-code', { code: backupCodes[0] }, 'BACKUP_CODES_ARENT_ENABLED'],
      ['send-otp', {}, 'OTP_NOT_ENABLED'],
    ] as const) {
      const answer = await device.post(`/two-factor/${path}`, body)
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({ path, status: 400, code })
    }
    await signUpProtected(app, bob)
    passTime(3600)
    await app.runScheduled()
    expect(await storedRows('two_factors', 'confirmed')).toEqual([{ confirmed: 1 }])
  })

  it('waits as long as the configuration says', async () => {
    const device = await signUp(new TestApp({ ...unlimited, twoFactor: { setUpLifetime: 60 } }), alice)
    const { totpURI } = (await device.post('/two-factor/enable', { password })).body
    passTime(60)
    const late = await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    expect(late.body.code).toBe('TOTP_NOT_ENABLED')
  })

  it('backup codes of an unconfirmed set-up are invalid, also in the own session', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    const { backupCodes } = (await device.post('/two-factor/enable', { password })).body
    const answer = await device.post('/two-factor/verify-backup-code', { code: backupCodes[0] })
    expect(answer).toMatchObject({ status: 400, body: { code: 'BACKUP_CODES_ARENT_ENABLED' } })
  })

  it('skipVerificationOnEnable: of 20 at once one is in force, with one session', async () => {
    const app = new TestApp({ ...unlimited, twoFactor: { skipVerificationOnEnable: true } })
    const device = await signUp(app, alice)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => device.post('/two-factor/enable', { password }, { keep: false })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await rowsOf('sessions')).toHaveLength(1)
    const visitor = await challenge(app)
    const { totpURI } = answers.find(({ status }) => status === 200)!.body
    expect((await visitor.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })).status).toBe(200)
  })

  it('skipVerificationOnEnable: on at once, with a new session', async () => {
    const app = new TestApp({ ...unlimited, twoFactor: { skipVerificationOnEnable: true } })
    const device = await signUp(app, alice)
    const before = device.cookie('session_token')
    const { status, cookies, headers } = await device.post('/two-factor/enable', { password })
    expect(status).toBe(200)
    expect(cookies[0]).toMatch(/^gatehouse\.session_token=[^;]+; Max-Age=604800; /)
    expect(headers.get('set-auth-token')).toBe(device.jar.get('gatehouse.session_token'))
    expect(device.cookie('session_token')).not.toBe(before)
    expect((await device.get('/get-session')).body.user.twoFactorEnabled).toBe(true)
    await challenge(app)
  })
})

describe('POST /two-factor/verify-totp while signed in', () => {
  it('the first code turns two-factor on and replaces the session; the token of the body is the new one', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const before = device.jar.get('gatehouse.session_token')!
    const { totpURI } = (await device.post('/two-factor/enable', { password })).body
    const { status, body, io } = await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['token', 'user'])
    expect(Object.keys(body.user)).toEqual(['id', 'email', 'name', 'image', 'emailVerified', 'createdAt', 'updatedAt'])
    expect(io).toMatchObject({ d1: [2, 2], durable: [1, 2] })
    const session = (await device.get('/get-session')).body
    expect(session.session.token).toBe(body.token)
    expect(session.user.twoFactorEnabled).toBe(true)
    const old = app.device()
    old.jar.set('gatehouse.session_token', before)
    expect((await old.get('/get-session')).body).toBeNull()
    expect(await rowsOf('sessions')).toHaveLength(1)
  })

  it('400 TOTP_NOT_ENABLED before enabling; 401 INVALID_CODE for a wrong code, and two-factor stays off', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    const early = await device.post('/two-factor/verify-totp', { code: '000000' })
    expect({ status: early.status, body: early.body }).toEqual({
      status: 400,
      body: { code: 'TOTP_NOT_ENABLED', message: 'TOTP not enabled' },
    })
    const { totpURI } = (await device.post('/two-factor/enable', { password })).body
    const wrong = await device.post('/two-factor/verify-totp', { code: await wrongCode(totpURI) })
    expect({ status: wrong.status, body: wrong.body }).toEqual({
      status: 401,
      body: { code: 'INVALID_CODE', message: 'Invalid code' },
    })
    expect(await storedRows('users', 'two_factor_enabled')).toEqual([{ two_factor_enabled: 0 }])
  })

  it('20 first codes at once: one session lives on', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    const { totpURI } = (await device.post('/two-factor/enable', { password })).body
    const code = await codeOf(totpURI)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => device.post('/two-factor/verify-totp', { code }, { keep: false })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await rowsOf('sessions')).toHaveLength(1)
  })

  it('a mailed code may be the first one too, and never replaces a secret in force', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    await device.post('/two-factor/enable', { password })
    await device.post('/two-factor/send-otp')
    const code = (await app.mailbox())[0]!.codes[0]
    expect((await device.post('/two-factor/verify-otp', { code })).status).toBe(200)
    expect((await device.get('/get-session')).body.user.twoFactorEnabled).toBe(true)
    await device.post('/two-factor/enable', { password })
    await device.post('/two-factor/send-otp')
    const next = (await app.mailbox())[0]!.codes[0]
    expect((await device.post('/two-factor/verify-otp', { code: next })).status).toBe(200)
    expect((await storedRows('two_factors', 'confirmed')).sort((a, b) => a.confirmed - b.confirmed)).toEqual([
      { confirmed: 0 },
      { confirmed: 1 },
    ])
  })

  it('an already protected person is answered with the session that there is', async () => {
    const { device, totpURI, backupCodes } = await signUpProtected(new TestApp(unlimited))
    const { session } = (await device.get('/get-session')).body
    const totp = await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    expect({ status: totp.status, token: totp.body.token, cookies: totp.cookies }).toEqual({
      status: 200,
      token: session.token,
      cookies: [],
    })
    const backup = await device.post('/two-factor/verify-backup-code', { code: backupCodes[0] })
    expect({ status: backup.status, token: backup.body.token, cookies: backup.cookies }).toEqual({
      status: 200,
      token: session.token,
      cookies: [],
    })
  })
})

describe('POST /two-factor/disable', () => {
  it('turns it off, forgets secret, codes and devices, and replaces the session', async () => {
    const app = new TestApp(unlimited)
    const { device, totpURI } = await signUpProtected(app)
    const trusting = await challenge(app)
    await trusting.post('/two-factor/verify-totp', { code: await codeOf(totpURI), trustDevice: true })
    const before = device.cookie('session_token')
    const wrong = await device.post('/two-factor/disable', { password: 'wrongwrong1' })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'INVALID_PASSWORD' } })
    const { status, body, cookies } = await device.post('/two-factor/disable', { password })
    expect({ status, body }).toEqual({ status: 200, body: { status: true } })
    expect(cookies[0]).toMatch(/^gatehouse\.session_token=[^;]+; Max-Age=604800; /)
    expect(device.cookie('session_token')).not.toBe(before)
    expect((await device.get('/get-session')).body.user.twoFactorEnabled).toBe(false)
    expect(await rowsOf('two_factors')).toEqual([])
    expect(await rowsOf('trusted_devices')).toEqual([])
    await signIn(app, alice)
    expect((await app.device().post('/two-factor/disable', { password })).status).toBe(401)
  })
})

describe('a bearer caller', () => {
  it('receives the new token, and no cookie, when two-factor is turned on and off', async () => {
    const app = new TestApp(unlimited)
    const browser = await signUp(app, alice)
    let token = browser.jar.get('gatehouse.session_token')!
    const device = app.device()
    const post = (path: string, body: object) =>
      device.post(path, body, { headers: { authorization: `Bearer ${token}` } })
    const { totpURI } = (await post('/two-factor/enable', { password })).body
    for (const [path, body] of [
      ['/two-factor/verify-totp', { code: await codeOf(totpURI) }],
      ['/two-factor/disable', { password }],
    ] as const) {
      const { status, headers, cookies } = await post(path, body)
      expect({ path, status, cookies }).toEqual({ path, status: 200, cookies: [] })
      expect(headers.get('set-auth-token')).toBeTruthy()
      expect(headers.get('set-auth-token')).not.toBe(token)
      token = headers.get('set-auth-token')!
      const session = await device.get('/get-session', { headers: { authorization: `Bearer ${token}` } })
      expect(session.body.user.twoFactorEnabled).toBe(path === '/two-factor/verify-totp')
    }
    expect(await rowsOf('sessions')).toHaveLength(1)
  })
})

describe('POST /two-factor/get-totp-uri', () => {
  it('gives the address again, for the password', async () => {
    const { device, totpURI } = await signUpProtected(new TestApp(unlimited))
    const { body } = await device.post('/two-factor/get-totp-uri', { password })
    expect(body).toEqual({ totpURI })
    const wrong = await device.post('/two-factor/get-totp-uri', { password: 'wrongwrong1' })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'INVALID_PASSWORD' } })
  })

  it('400 before enabling and where TOTP is off', async () => {
    const early = await signUp(new TestApp(), alice)
    const { status, body } = await early.post('/two-factor/get-totp-uri', { password })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'TOTP_NOT_ENABLED' })
    const off = await signUp(
      new TestApp({ twoFactor: { totpOptions: { disable: true }, otpOptions: { disable: true } } }),
      bob,
    )
    for (const [path, given, code, message] of [
      ['/two-factor/get-totp-uri', { password: bob.password }, 'TOTP_ISNT_CONFIGURED', "totp isn't configured"],
      ['/two-factor/verify-totp', { code: '000000' }, 'TOTP_ISNT_CONFIGURED', "totp isn't configured"],
      ['/two-factor/send-otp', {}, 'OTP_ISNT_CONFIGURED', "otp isn't configured"],
      ['/two-factor/verify-otp', { code: '000000' }, 'OTP_ISNT_CONFIGURED', "otp isn't configured"],
    ] as const) {
      const answer = await off.post(path, given)
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: { code, message } })
    }
  })
})

describe('POST /two-factor/generate-backup-codes', () => {
  it('replaces the codes; 400 before enabling', async () => {
    const app = new TestApp(unlimited)
    const early = await signUp(app, bob)
    const refused = await early.post('/two-factor/generate-backup-codes', { password: bob.password })
    expect(refused).toMatchObject({ status: 400, body: { code: 'TWO_FACTOR_ISNT_ENABLED' } })
    const { device, backupCodes } = await signUpProtected(app)
    const { body } = await device.post('/two-factor/generate-backup-codes', { password })
    expect(Object.keys(body)).toEqual(['status', 'backupCodes'])
    expect(body.backupCodes).toHaveLength(10)
    const visitor = await challenge(app)
    expect((await visitor.post('/two-factor/verify-backup-code', { code: backupCodes[0] })).status).toBe(401)
    expect((await visitor.post('/two-factor/verify-backup-code', { code: body.backupCodes[0] })).status).toBe(200)
  })
})

describe('GET /two-factor/status, POST /two-factor/forget-devices', () => {
  it('say how many codes are left and devices trusted, and forget them', async () => {
    const app = new TestApp(unlimited)
    const { device, totpURI, backupCodes } = await signUpProtected(app)
    const trusting = await challenge(app)
    await trusting.post('/two-factor/verify-totp', { code: await codeOf(totpURI), trustDevice: true })
    await (await challenge(app)).post('/two-factor/verify-backup-code', { code: backupCodes[0] })
    const { body, io } = await device.get('/two-factor/status')
    expect(io.d1).toEqual([1, 1])
    expect(body).toEqual({ enabled: true, backupCodesLeft: 9, trustedDevices: 1 })
    expect((await device.post('/two-factor/forget-devices')).body).toEqual({ status: true })
    expect((await device.get('/two-factor/status')).body.trustedDevices).toBe(0)
    expect((await trusting.post('/sign-in/email', alice)).body).toEqual({ twoFactorRedirect: true })
  })
})

describe('server-only operations', () => {
  it('are not to be had over HTTP', async () => {
    const { device } = await signUpProtected(new TestApp(unlimited))
    expect((await device.get('/two-factor/view-backup-codes')).status).toBe(404)
    expect((await device.post('/totp/generate', {})).status).toBe(404)
  })

  it('view-backup-codes and totp generate', async () => {
    const app = new TestApp(unlimited)
    const { device, totpURI, backupCodes } = await signUpProtected(app)
    const { user } = (await device.get('/get-session')).body
    const api = app.serverApi()
    const viewed = await api.viewBackupCodes({ userId: user.id })
    expect(viewed).toEqual({ ok: true, result: { status: true, backupCodes } })
    expect(await api.viewBackupCodes({ userId: 'unknown' })).toMatchObject({ code: 'BACKUP_CODES_ARENT_ENABLED' })
    const { secret } = readTotpUri(totpURI)
    expect(await api.generateTotp({ secret })).toEqual({ ok: true, result: { code: await codeOf(totpURI) } })
  })
})

describe('a session that is not the user’s own', () => {
  it('403: while an administrator acts as them', async () => {
    const { device } = await signUpProtected(new TestApp(unlimited))
    await impersonateAs('admin')
    for (const [path, body] of [
      ['enable', { password }],
      ['disable', { password }],
      ['get-totp-uri', { password }],
      ['generate-backup-codes', { password }],
      ['verify-totp', { code: '000000' }],
      ['verify-backup-code', { code: 'aaaaa-bbbbb' }],
      ['verify-otp', { code: '000000' }],
      ['send-otp', {}],
      ['forget-devices', {}],
    ] as const) {
      const answer = await device.post(`/two-factor/${path}`, body)
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({
        path,
        status: 403,
        code: 'OWN_SESSION_REQUIRED',
      })
    }
    expect((await device.get('/two-factor/status')).status).toBe(200)
  })
})
