import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../configuration/read-config.ts'
import { enabledFeatures } from '../../features.ts'
import type { Proof } from '../../identity/lifecycle.ts'
import { mergeOptions } from '../../kit/options.ts'
import { codeOf, wrongCode } from '../../testing/authenticator.ts'
import { config } from '../../testing/config.ts'
import { type Device, env, outcome, TestApp } from '../../testing/harness.ts'
import { alice } from '../../testing/people.ts'
import { count, deleteRows } from '../../testing/rows.ts'
import { deleteUsers, invalidatePending, verifyAddresses } from '../../testing/states.ts'
import { challenge, passTime, signUpProtected, stopClock } from '../../testing/two-factor.ts'
import { asksAfter, twoFactorOptions } from './two-factor.config.ts'

// Hundreds of requests and dozens of password hashes are slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const unlimited = { rateLimit: { enabled: false } }

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

const verifyTotp = (device: Device, code: string, more: object = {}) =>
  device.post('/two-factor/verify-totp', { code, ...more })

describe('the password step with two-factor on', () => {
  it('answers exactly { twoFactorRedirect: true }, with the pending cookie alone', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app)
    const before = await count('sessions')
    const answer = await app.device().post('/sign-in/email', alice)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { twoFactorRedirect: true } })
    expect(answer.cookies).toHaveLength(1)
    expect(answer.cookies[0]).toMatch(
      /^gatehouse\.two_factor=2fa-[\w-]+\.[^;]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(answer.headers.get('set-auth-token')).toBeNull()
    expect(await count('sessions')).toBe(before)
    expect({ d1: answer.io.d1![0], durable: answer.io.durable![0] }).toEqual({ d1: 1, durable: 1 })
  })

  it('rememberMe false: the wish is kept beside it, and kept to', async () => {
    const app = new TestApp(unlimited)
    const { totpURI } = await signUpProtected(app)
    const device = app.device()
    const { cookies } = await device.post('/sign-in/email', { ...alice, rememberMe: false })
    expect(cookies.map((line) => line.split('=')[0])).toEqual(['gatehouse.two_factor', 'gatehouse.dont_remember'])
    const answer = await verifyTotp(device, await codeOf(totpURI))
    expect(answer.cookies.find((line) => line.startsWith('gatehouse.session_token='))).not.toContain('Max-Age')
    const { session } = (await device.get('/get-session')).body
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(86_400_000)
  })

  it('a wrong password returns the same error as without two-factor', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app)
    const answer = await app.device().post('/sign-in/email', { ...alice, password: 'wrong-password' })
    expect(outcome(answer)).toEqual({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD' })
    expect(answer.cookies).toEqual([])
  })

  it('nothing of it opens anything: every cookie and header replayed on every session route', async () => {
    const app = new TestApp(unlimited)
    const { device: owner } = await signUpProtected(app)
    const { user } = (await owner.get('/get-session')).body
    const sessions = await count('sessions')
    const thief = app.device()
    const step = await thief.post('/sign-in/email', { ...alice, rememberMe: false })
    const cookies = [...thief.jar]
    const values = cookies.flatMap(([, value]) => [
      value,
      decodeURIComponent(value),
      decodeURIComponent(value).split('.')[0]!,
    ])
    const names = [
      'session_token',
      'session_data',
      'two_factor',
      'trust_device',
      'session_token_multi-x',
      'admin_session',
    ]
    const attempts: Record<string, string>[] = [
      { cookie: cookies.map(([name, value]) => `${name}=${value}`).join('; ') },
    ]
    for (const value of values) {
      attempts.push({ authorization: `Bearer ${value}` }, { 'x-api-key': value })
      for (const name of names) attempts.push({ cookie: `gatehouse.${name}=${encodeURIComponent(value)}` })
    }
    for (const [name, value] of step.headers)
      if (name.startsWith('set-auth')) attempts.push({ authorization: `Bearer ${value}` })

    for (const headers of attempts) {
      const replay = (method: 'get' | 'post', path: string, body: object = {}) =>
        method === 'get'
          ? app.device().get(path, { headers })
          : app.device().post(path, body, { headers: { ...headers } })
      // An invalid API key has its own error, in every header that accepts a key.
      if (headers['x-api-key'] !== undefined) {
        expect((await replay('get', '/get-session')).body.code).toBe('INVALID_API_KEY')
        continue
      }
      expect((await replay('get', '/get-session')).body).toBeNull()
      for (const path of ['/list-sessions', '/list-accounts', '/two-factor/status']) {
        expect((await replay('get', path)).status).toBe(401)
      }
    }
    const guarded = enabledFeatures({}).flatMap(({ routes }) => Object.values(routes?.contract ?? {}))
    let asked = 0
    for (const { method, path, access } of guarded) {
      if (access === 'visitor') continue
      const concrete = path.replace(/:\w+/g, 'x')
      const { status } = await (method === 'GET' ? thief.get(concrete) : thief.post(concrete, {}))
      expect({ path, status }).toEqual({ path, status: 401 })
      asked++
    }
    expect(asked).toBeGreaterThan(20)
    expect(await count('sessions')).toBe(sessions)
    expect((await owner.get('/get-session', { query: { disableCookieCache: 'true' } })).body.user).toEqual(user)
  })
})

describe('POST /two-factor/verify-totp', () => {
  it('200: a session, and the pending sign-in is over', async () => {
    const app = new TestApp(unlimited)
    const { totpURI } = await signUpProtected(app)
    const device = await challenge(app)
    const pending = device.jar.get('gatehouse.two_factor')!
    const answer = await verifyTotp(device, await codeOf(totpURI))
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['token', 'user'])
    expect(answer.headers.get('set-auth-token')).toBe(device.jar.get('gatehouse.session_token'))
    expect(answer.cookies.some((line) => line.startsWith('gatehouse.two_factor=; Max-Age=0'))).toBe(true)
    expect((await device.get('/get-session')).body.session.token).toBe(answer.body.token)
    const replayed = app.device()
    replayed.jar.set('gatehouse.two_factor', pending)
    expect(outcome(await verifyTotp(replayed, await codeOf(totpURI, 1)))).toEqual({
      status: 401,
      code: 'INVALID_TWO_FACTOR_COOKIE',
    })
    expect(outcome(await replayed.get('/two-factor/challenge'))).toEqual({
      status: 401,
      code: 'INVALID_TWO_FACTOR_COOKIE',
    })
    expect(outcome(await replayed.post('/two-factor/send-otp'))).toEqual({
      status: 401,
      code: 'INVALID_TWO_FACTOR_COOKIE',
    })
  })

  it('costs two round trips to D1 and two objects, the limit per address and a trusted device included', async () => {
    const { totpURI } = await signUpProtected(new TestApp(unlimited))
    const app = new TestApp()
    const { io } = await verifyTotp(await challenge(app), await codeOf(totpURI), { trustDevice: true })
    expect(io).toMatchObject({ d1: [2, 2], durable: [2, 2] })
  })

  it('a secret that was never confirmed passes no challenge', async () => {
    const app = new TestApp(unlimited)
    const { device: owner } = await signUpProtected(app)
    const pending = (await owner.post('/two-factor/enable', { password: alice.password })).body
    const device = await challenge(app)
    expect(outcome(await verifyTotp(device, await codeOf(pending.totpURI)))).toEqual({
      status: 401,
      code: 'INVALID_CODE',
    })
    const { backupCodes } = pending
    const backup = await device.post('/two-factor/verify-backup-code', { code: backupCodes[0] })
    expect(outcome(backup)).toEqual({ status: 401, code: 'INVALID_BACKUP_CODE' })
    await deleteRows('two_factors', { confirmed: true })
    for (const [path, body, code] of [
      ['verify-totp', { code: await codeOf(pending.totpURI) }, 'TOTP_NOT_ENABLED'],
      ['verify-backup-code', { code: backupCodes[0] }, 'BACKUP_CODES_ARENT_ENABLED'],
      ['send-otp', {}, 'OTP_NOT_ENABLED'],
      ['verify-otp', { code: '000000' }, 'OTP_NOT_ENABLED'],
    ] as const) {
      expect(outcome(await device.post(`/two-factor/${path}`, body))).toEqual({ status: 400, code })
    }
  })

  it('takes the step before and the one after, no other, with or without a space', async () => {
    const app = new TestApp(unlimited)
    const { totpURI } = await signUpProtected(app)
    passTime(300)
    const device = await challenge(app)
    for (const steps of [-2, 2]) expect((await verifyTotp(device, await codeOf(totpURI, steps))).status).toBe(401)
    expect((await verifyTotp(device, await codeOf(totpURI, -1))).status).toBe(200)
    const next = await codeOf(totpURI, 1)
    const answer = await verifyTotp(await challenge(app), `${next.slice(0, 3)} ${next.slice(3)}`)
    expect(answer.status).toBe(200)
  })

  it('a step is taken once, on whatever device', async () => {
    const app = new TestApp(unlimited)
    const { totpURI } = await signUpProtected(app)
    const code = await codeOf(totpURI)
    expect((await verifyTotp(await challenge(app), code)).status).toBe(200)
    expect(outcome(await verifyTotp(await challenge(app), code))).toEqual({ status: 401, code: 'INVALID_CODE' })
  })

  it('401 without a pending sign-in, with an expired one, and with a cookie that is not ours', async () => {
    const app = new TestApp(unlimited)
    const { totpURI, device: owner } = await signUpProtected(app)
    const visitor = await verifyTotp(app.device(), await codeOf(totpURI))
    expect({ status: visitor.status, body: visitor.body }).toEqual({
      status: 401,
      body: { code: 'INVALID_TWO_FACTOR_COOKIE', message: 'Invalid two factor cookie' },
    })
    const forger = await challenge(app)
    forger.jar.set('gatehouse.two_factor', `${forger.jar.get('gatehouse.two_factor')!.slice(0, -6)}AAA%3D`)
    expect((await verifyTotp(forger, await codeOf(totpURI))).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
    const other = await challenge(app)
    const [mark, content, signature] = /^(2fa-)([\w-]+)(.*)$/.exec(other.jar.get('gatehouse.two_factor')!)!.slice(1)
    const forged = { ...JSON.parse(atob(content!)), expiresAt: Number.MAX_SAFE_INTEGER }
    other.jar.set('gatehouse.two_factor', mark! + btoa(JSON.stringify(forged)).replaceAll('=', '') + signature)
    expect((await verifyTotp(other, await codeOf(totpURI))).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
    // A value that was signed for another purpose is not a pending sign-in.
    other.jar.set('gatehouse.two_factor', owner.jar.get('gatehouse.session_token')!)
    expect((await verifyTotp(other, await codeOf(totpURI))).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
    const late = await challenge(app)
    passTime(301)
    expect((await verifyTotp(late, await codeOf(totpURI))).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
  })

  it('a pending sign-in dies with a ban, a reset and the removal of the user', async () => {
    const app = new TestApp(unlimited)
    const { totpURI } = await signUpProtected(app)
    const device = await challenge(app)
    await invalidatePending()
    expect((await verifyTotp(device, await codeOf(totpURI))).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
    const second = await challenge(app)
    await deleteUsers()
    expect((await verifyTotp(second, await codeOf(totpURI))).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
    expect(await count('sessions')).toBe(0)
  })

  it('400 for a missing, mistyped or endless code', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app)
    const device = await challenge(app)
    for (const body of [
      {},
      { code: 5 },
      { code: '' },
      { code: '1'.repeat(65) },
      { code: '123456', trustDevice: 'yes' },
    ]) {
      expect(outcome(await device.post('/two-factor/verify-totp', body))).toEqual({
        status: 400,
        code: 'VALIDATION_ERROR',
      })
    }
    for (const code of ['abcdef', '12345', '1234567', '１２３４５６']) {
      expect(outcome(await verifyTotp(device, code))).toEqual({ status: 401, code: 'INVALID_CODE' })
    }
  })

  it('200 wrong codes at once: five are looked at, the rest refused, and so is the right one afterwards', async () => {
    const app = new TestApp(unlimited)
    const { totpURI } = await signUpProtected(app)
    const devices = await Promise.all(Array.from({ length: 10 }, () => challenge(app)))
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => verifyTotp(devices[n % 10]!, await wrongCode(totpURI, n))),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(195)
    expect(Number(answers.find(({ status }) => status === 429)!.headers.get('x-retry-after'))).toBeGreaterThan(0)
    expect(outcome(await verifyTotp(devices[0]!, await codeOf(totpURI)))).toEqual({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
    })
    expect(outcome(await verifyTotp(await challenge(app), await codeOf(totpURI)))).toEqual({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
    })
    passTime(15 * 60 + 1)
    expect((await verifyTotp(await challenge(app), await codeOf(totpURI))).status).toBe(200)
  })

  it('a right code forgets the failures before it', async () => {
    const app = new TestApp(unlimited)
    const { totpURI } = await signUpProtected(app)
    for (let round = 0; round < 2; round++) {
      const device = await challenge(app)
      for (let n = 0; n < 4; n++) expect((await verifyTotp(device, await wrongCode(totpURI, n))).status).toBe(401)
      expect((await verifyTotp(device, await codeOf(totpURI, round))).status).toBe(200)
    }
  })

  it('20 parallel right codes create one session', async () => {
    const app = new TestApp({ ...unlimited, twoFactor: { guesses: { max: 100 } } })
    const { totpURI } = await signUpProtected(app)
    const before = await count('sessions')
    const device = await challenge(app)
    const code = await codeOf(totpURI)
    const answers = await Promise.all(Array.from({ length: 20 }, () => verifyTotp(device, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await count('sessions')).toBe(before + 1)
  })

  it('three right codes of three steps at once make one session of one pending sign-in', async () => {
    const app = new TestApp(unlimited)
    const { totpURI } = await signUpProtected(app)
    passTime(300)
    const before = await count('sessions')
    const device = await challenge(app)
    const answers = await Promise.all([-1, 0, 1].map(async (n) => verifyTotp(device, await codeOf(totpURI, n))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await count('sessions')).toBe(before + 1)
  })

  it('three tries in ten seconds from one address', async () => {
    const device = new TestApp().device()
    for (let n = 0; n < 3; n++) expect((await verifyTotp(device, '000000')).status).toBe(401)
    const fourth = await verifyTotp(device, '000000')
    expect(fourth.status).toBe(429)
    expect(fourth.headers.get('x-retry-after')).toBe('10')
  })
})

describe('GET /two-factor/challenge', () => {
  it('offers no mail to a user with a phone number and no address', async () => {
    const app = new TestApp({ ...unlimited, phoneNumber: { signUpOnVerification: true } })
    const device = app.device()
    const phoneNumber = '+15550001111'
    const texted = async () => (await app.mailbox()).find(({ to }) => to === phoneNumber)!.codes[0]
    await device.post('/phone-number/send-otp', { phoneNumber })
    await device.post('/phone-number/verify', { phoneNumber, code: await texted() })
    await app.device().post('/phone-number/request-password-reset', { phoneNumber })
    const { password } = alice
    await app.device().post('/phone-number/reset-password', { phoneNumber, otp: await texted(), newPassword: password })
    await device.post('/sign-in/phone-number', { phoneNumber, password })
    const { totpURI } = (await device.post('/two-factor/enable', { password })).body
    expect((await device.post('/two-factor/send-otp')).body.code).toBe('OTP_NOT_ENABLED')
    expect((await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI, -1) })).status).toBe(200)
    const other = app.device()
    await other.post('/sign-in/phone-number', { phoneNumber, password })
    expect((await other.get('/two-factor/challenge')).body.methods).toEqual(['totp', 'backup-code'])
    const before = (await app.mailbox()).length
    expect(outcome(await other.post('/two-factor/send-otp'))).toEqual({ status: 400, code: 'OTP_NOT_ENABLED' })
    expect(await app.mailbox()).toHaveLength(before)
  })

  it('returns the methods, the masked address of the mail, and the expiry', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app)
    const { status, body } = await (await challenge(app)).get('/two-factor/challenge')
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^\w{8}$/),
      methods: ['totp', 'otp', 'backup-code'],
      email: 'a***@example.com',
      expiresIn: 300,
      newPlace: false,
    })
    expect(outcome(await app.device().get('/two-factor/challenge'))).toEqual({
      status: 401,
      code: 'INVALID_TWO_FACTOR_COOKIE',
    })
  })
})

describe('twoFactor.enforceOn', () => {
  const methods = ['email', 'username'] as const
  it('credential: asks after a password, by address or username', async () => {
    const app = new TestApp(unlimited)
    await signUpProtected(app, alice, { username: 'alice.a' })
    for (const method of methods) {
      const { body, cookies } = await app
        .device()
        .post(`/sign-in/${method}`, { email: alice.email, username: 'Alice.A', password: alice.password })
      expect(body).toEqual({ twoFactorRedirect: true })
      expect(cookies).toHaveLength(1)
    }
  })

  it.each([
    ['the default', {}, false],
    ['all', { twoFactor: { enforceOn: 'all' as const } }, true],
    ['strict', { profile: 'strict' as const, emailAndPassword: { requireEmailVerification: false } }, true],
  ])('after a link in a mail: %s', async (_what, config, asks) => {
    await signUpProtected(new TestApp(unlimited))
    await verifyAddresses()
    const app = new TestApp({ ...unlimited, ...config })
    await app.device().post('/sign-in/magic-link', { email: alice.email })
    const visitor = app.device()
    await visitor.get(await app.linkTo(alice.email))
    expect((await visitor.get('/get-session')).body === null).toBe(asks)
    expect(visitor.jar.has('gatehouse.two_factor')).toBe(asks)
  })
})

describe('asksAfter', () => {
  const never = { byDefault: false, strict: false }
  const expected: Record<Proof, { byDefault: boolean; strict: boolean }> = {
    password: { byDefault: true, strict: true },
    key: { byDefault: true, strict: true },
    possession: { byDefault: false, strict: true },
    provider: { byDefault: false, strict: true },
    'second-factor': never,
    'both-factors': never,
    session: never,
    delegated: never,
    creation: never,
  }
  it.each(Object.entries(expected))('%s', (proven, asks) => {
    const enforceOn = (profile: 'default' | 'strict') =>
      twoFactorOptions.of(readConfig(mergeOptions(config, profile === 'strict' ? { profile } : {}), env)).enforceOn
    expect({
      byDefault: asksAfter(proven as Proof, enforceOn('default')),
      strict: asksAfter(proven as Proof, enforceOn('strict')),
    }).toEqual(asks)
  })

  it('what it does not know', () => {
    for (const proven of ['toString', 'a-new-one']) {
      expect(asksAfter(proven as Proof, 'credential')).toBe(true)
      expect(asksAfter(proven as Proof, 'all')).toBe(true)
    }
  })
})
