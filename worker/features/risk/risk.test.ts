import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { codeOf } from '../../testing/authenticator.ts'
import { type Answer, type Device, origin, outcome, TestApp } from '../../testing/harness.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { count, rowOf, rowsOf, updateRows } from '../../testing/rows.ts'
import { idOf, invalidatePending, updateUsers, verifyAddresses } from '../../testing/states.ts'
import { passTime, signUpProtected, stopClock } from '../../testing/two-factor.ts'

// Hundreds of requests and dozens of password hashes are slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

/** Not a common password, unlike those of other tests. */
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct-zebra-41-staple' }

const unlimited = { rateLimit: { enabled: false } }
/** The strict profile, where a sign-up answers with a session. */
const strict = { ...unlimited, profile: 'strict', emailAndPassword: { requireEmailVerification: false } } as const
const strictApp = (more: Config = {}) => new TestApp({ ...strict, ...more } as Config)

/** A browser in another network, which has no cookie. */
function elsewhere(app: TestApp, prefix = '198.51.100'): Device {
  const device = app.device()
  device.headers = { 'cf-connecting-ip': `${prefix}.7` }
  return device
}

const signInOn = (device: Device, more: object = {}) =>
  device.post('/sign-in/email', { email: ada.email, password: ada.password, ...more })

/** A user with a proven address, who has signed in on the device. */
async function addAda(app: TestApp, more: object = {}): Promise<Device> {
  const device = await signUp(app, ada, more)
  await verifyAddresses()
  // The browser has a mark from before the proof of the address.
  await signInOn(device)
  return device
}

const isSignedIn = async (device: Device): Promise<boolean> => (await device.get('/get-session')).body !== null
const mailedCode = async (app: TestApp) => (await app.mailbox())[0]!.codes[0]!
const isChallenged = ({ status, body }: Answer) => status === 200 && body.twoFactorRedirect === true

const events = async (type: string) => (await rowsOf('security_events')).filter((event) => event.type === type)
const lastSignIn = async () => (await events('sign-in')).at(-1)!

/** A sign-in through Cloudflare's network. */
async function signInAt(app: TestApp, device: Device, cf: object): Promise<Answer> {
  const cookie = [...device.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = {
    cookie,
    origin,
    'content-type': 'application/json',
    'cf-connecting-ip': device.ip,
    'user-agent': 'harness/1.0',
  }
  const body = JSON.stringify({ email: ada.email, password: ada.password })
  const answer = await app.fetch(
    new Request(`${origin}/api/auth/sign-in/email`, { method: 'POST', headers, body, cf } as RequestInit),
  )
  for (const line of answer.cookies) {
    const [pair = ''] = line.split('; ')
    device.jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  }
  return answer
}

const berlin = { asn: 3320, country: 'DE', regionCode: 'BE', latitude: '52.52', longitude: '13.40' }
const munich = { ...berlin, regionCode: 'BY', latitude: '48.13', longitude: '11.58' }
const tokyo = { asn: 2497, country: 'JP', regionCode: '13', latitude: '35.68', longitude: '139.69' }

describe('a right password from an unknown device and network, strict', () => {
  it('answers as with a second factor: no session, no other cookie, and nothing about the user', async () => {
    const app = strictApp()
    await addAda(app)
    const sessions = await count('sessions')
    const thief = elsewhere(app)
    const answer = await signInOn(thief)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { twoFactorRedirect: true } })
    expect(answer.cookies.map((line) => line.split('=')[0])).toEqual(['gatehouse.two_factor'])
    expect(answer.headers.get('set-auth-token')).toBeNull()
    expect(await isSignedIn(thief)).toBe(false)
    expect(await count('sessions')).toBe(sessions)
    expect({ d1: answer.io.d1![0], durable: answer.io.durable![0] }).toEqual({ d1: 2, durable: 1 })
  })

  it('a code in the mailbox finishes it, and makes device and network known', async () => {
    const app = strictApp()
    await addAda(app)
    const device = elsewhere(app)
    await signInOn(device)
    expect((await device.get('/two-factor/challenge')).body).toEqual({
      ...{
        id: expect.stringMatching(/^\w{8}$/),
        methods: ['otp'],
        email: 'a***@example.com',
        expiresIn: 300,
        newPlace: true,
      },
    })
    expect((await device.post('/two-factor/send-otp')).body).toEqual({ status: true })
    const { status, body } = await device.post('/two-factor/verify-otp', { code: await mailedCode(app) })
    expect({ status, fields: Object.keys(body) }).toEqual({ status: 200, fields: ['token', 'user'] })
    expect(await isSignedIn(device)).toBe(true)
    // The browser in a third network, and another browser in the second one.
    device.headers = { 'cf-connecting-ip': '203.0.113.7' }
    expect((await signInOn(device)).body.token).toBeTypeOf('string')
    expect((await signInOn(elsewhere(app))).body.token).toBeTypeOf('string')
  })

  it('records the decision with its reasons in the log, the audit record and the webhook', async () => {
    const app = strictApp()
    await addAda(app)
    const device = elsewhere(app)
    await signInOn(device)
    const details = { risk: 'challenge', reasons: 'new-device new-network' }
    expect(await events('sign-in-challenged')).toMatchObject([{ outcome: 'failure', method: 'password', details }])
    await device.post('/two-factor/send-otp')
    await device.post('/two-factor/verify-otp', { code: await mailedCode(app) })
    expect(await lastSignIn()).toMatchObject({ details })
    const records = (await rowsOf('audit_records')).filter(({ action }) => action === 'two-factor.verify-otp')
    expect(records).toMatchObject([{ after: details }])
  })

  it('the mailed code does not meet the rules of organizations about second factors', async () => {
    const app = strictApp()
    await addAda(app)
    const device = elsewhere(app)
    await signInOn(device)
    await device.post('/two-factor/send-otp')
    await device.post('/two-factor/verify-otp', { code: await mailedCode(app), trustDevice: true })
    expect((await rowsOf('sessions')).at(-1)!.amr).toEqual(['pwd'])
    expect(await count('trusted_devices')).toBe(0)
  })

  it('the other sign-ins with a password', async () => {
    const app = strictApp({ phoneNumber: { requireVerification: false } })
    await addAda(app, { username: 'ada' })
    await updateUsers({ phoneNumber: '+4915112345678', phoneNumberVerified: true })
    const { password } = ada
    expect(isChallenged(await elsewhere(app).post('/sign-in/username', { username: 'ada', password }))).toBe(true)
    const phoneNumber = '+4915112345678'
    expect(isChallenged(await elsewhere(app).post('/sign-in/phone-number', { phoneNumber, password }))).toBe(true)
  })

  it('a common password counts, and no record says so', async () => {
    const app = strictApp()
    const { password } = alice
    await signUp(app, { ...ada, password })
    await verifyAddresses()
    expect(isChallenged(await signInOn(app.device(), { password }))).toBe(true)
    expect((await events('sign-in-challenged'))[0]!.details).toEqual({ risk: 'challenge', reasons: 'new-device' })
  })

  it('a wrong password gets the answer of a wrong password', async () => {
    const app = strictApp()
    await addAda(app)
    const answer = await signInOn(elsewhere(app), { password: 'wrong-password' })
    expect(outcome(answer)).toEqual({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD' })
    expect(answer.cookies).toEqual([])
    expect(await events('sign-in-challenged')).toEqual([])
  })
})

describe('attacks', () => {
  it('guesses at the code: five for a code, fifteen in half an hour, over all pending sign-ins', async () => {
    const app = strictApp()
    await addAda(app)
    const codes: (string | null)[] = []
    for (let round = 0; round < 4; round++) {
      const thief = elsewhere(app)
      await signInOn(thief)
      await thief.post('/two-factor/send-otp')
      const right = await mailedCode(app)
      const wrong = right === '000000' ? '000001' : '000000'
      for (let guess = 0; guess < 6; guess++)
        codes.push(outcome(await thief.post('/two-factor/verify-otp', { code: wrong })).code)
      if (round === 3) codes.push(outcome(await thief.post('/two-factor/verify-otp', { code: right })).code)
    }
    expect(codes.filter((code) => code === 'INVALID_CODE').length).toBeLessThanOrEqual(15)
    expect(codes.slice(-7)).toEqual(Array.from({ length: 7 }, () => 'TOO_MANY_REQUESTS'))
    // The owner's own browser still signs in.
    expect(await count('sessions')).toBe(2)
  })

  it('the owner signs in on a known browser while the guesses are used up', async () => {
    const app = strictApp()
    const owner = await addAda(app)
    const thief = elsewhere(app)
    await signInOn(thief)
    await thief.post('/two-factor/send-otp')
    for (let guess = 0; guess < 20; guess++) await thief.post('/two-factor/verify-otp', { code: '000000' })
    expect((await signInOn(owner)).body.token).toBeTypeOf('string')
  })

  it('the code of one user does not finish the sign-in of another', async () => {
    const app = strictApp()
    await addAda(app)
    await signUp(app, bob)
    await verifyAddresses()
    const thief = elsewhere(app)
    await thief.post('/sign-in/email', { email: bob.email, password: bob.password })
    const own = thief.jar.get('gatehouse.two_factor')!
    await thief.post('/two-factor/send-otp')
    const code = await mailedCode(app)
    await signInOn(thief)
    expect(thief.jar.get('gatehouse.two_factor')).not.toBe(own)
    expect((await thief.post('/two-factor/verify-otp', { code })).status).toBe(400)
    expect(await isSignedIn(thief)).toBe(false)
  })

  it('a changed cookie, a used one and one from before a reset are refused', async () => {
    const app = strictApp()
    await addAda(app)
    const device = elsewhere(app)
    await signInOn(device)
    const [payload, signature] = decodeURIComponent(device.jar.get('gatehouse.two_factor')!).split('.')
    const pending = JSON.parse(atob(payload!.slice(4).replaceAll('-', '+').replaceAll('_', '/')))
    const forged = btoa(JSON.stringify({ ...pending, userId: 'other' })).replaceAll('=', '')
    const refused = { status: 401, code: 'INVALID_TWO_FACTOR_COOKIE' }
    const attempt = async (cookie: string) => {
      const other = elsewhere(app)
      other.jar.set('gatehouse.two_factor', cookie)
      return outcome(await other.post('/two-factor/send-otp'))
    }
    expect(await attempt(encodeURIComponent(`2fa-${forged}.${signature}`))).toEqual(refused)
    await device.post('/two-factor/send-otp')
    const cookie = device.jar.get('gatehouse.two_factor')!
    expect((await device.post('/two-factor/verify-otp', { code: await mailedCode(app) })).status).toBe(200)
    expect(await attempt(cookie)).toEqual(refused)
    const late = elsewhere(app, '203.0.113')
    await signInOn(late)
    await invalidatePending()
    expect(await attempt(late.jar.get('gatehouse.two_factor')!)).toEqual(refused)
  })

  it('a pending second factor accepts no mailed code of a user whose factor has gone', async () => {
    const app = strictApp({ risk: { level: 'off' } })
    const { device: owner } = await signUpProtected(app, ada)
    await verifyAddresses()
    const device = app.device()
    await signInOn(device)
    await owner.post('/two-factor/disable', { password: ada.password })
    expect(outcome(await device.post('/two-factor/send-otp'))).toEqual({ status: 400, code: 'OTP_NOT_ENABLED' })
  })

  it('the cookie of a known browser of one user does not help with the password of another', async () => {
    const app = strictApp()
    await addAda(app)
    const thief = await signUp(app, bob)
    await verifyAddresses()
    await thief.post('/sign-in/email', { email: bob.email, password: bob.password })
    thief.headers = { 'cf-connecting-ip': '198.51.100.7' }
    expect(isChallenged(await signInOn(thief))).toBe(true)
  })

  it('writes at most 20 events an hour', async () => {
    const app = strictApp()
    await addAda(app)
    for (let round = 0; round < 22; round++) await signInOn(elsewhere(app))
    expect(await events('sign-in-challenged')).toHaveLength(20)
    passTime(3601)
    await signInOn(elsewhere(app))
    expect(await events('sign-in-challenged')).toHaveLength(21)
  })

  it('a reset by phone from an unknown place signs in with a code in the mailbox only', async () => {
    const app = strictApp()
    await addAda(app)
    await invalidatePending()
    expect(isChallenged(await signInOn(app.device()))).toBe(true)
    expect((await events('sign-in-challenged')).at(-1)!.details).toMatchObject({ reasons: 'new-device new-password' })
  })
})

describe('not challenged', () => {
  it.each(['off', 'notice'] as const)('the compatible profile, level %s', async (level) => {
    const app = new TestApp({ ...unlimited, risk: { level } })
    await addAda(app)
    const answer = await signInOn(elsewhere(app))
    expect(Object.keys(answer.body)).toEqual(['redirect', 'token', 'user'])
    expect(answer.io.d1![0]).toBe(2)
    expect((await lastSignIn()).details).toEqual(
      level === 'off' ? {} : { risk: 'notice', reasons: 'new-device new-network' },
    )
    expect((await rowOf('users', { email: ada.email }))!.recentNetworks === null).toBe(level === 'off')
  })

  it('a new device in a known network', async () => {
    const app = strictApp()
    await addAda(app)
    expect((await signInOn(app.device())).body.token).toBeTypeOf('string')
    expect(await lastSignIn()).toMatchObject({ details: { risk: 'notice', reasons: 'new-device' } })
  })

  it('a known browser in an unknown network, and it records nothing', async () => {
    const app = strictApp()
    const device = await addAda(app)
    device.headers = { 'cf-connecting-ip': '198.51.100.7' }
    expect((await signInOn(device)).body.token).toBeTypeOf('string')
    expect((await lastSignIn()).details).toEqual({})
  })

  it('the browser of a sign-up that has not signed in yet', async () => {
    const app = strictApp({ emailAndPassword: { requireEmailVerification: true } })
    const device = elsewhere(app)
    await device.post('/sign-up/email', ada)
    await verifyAddresses()
    expect(isChallenged(await signInOn(elsewhere(app)))).toBe(true)
    expect((await signInOn(device)).body.token).toBeTypeOf('string')
  })

  it('the browser in which the user has signed in before a reset', async () => {
    const app = strictApp()
    const device = await addAda(app)
    await invalidatePending()
    expect((await signInOn(device)).body.token).toBeTypeOf('string')
  })

  it('an address that was not proven: a notice remains', async () => {
    const app = strictApp()
    await signUp(app, ada)
    expect((await signInOn(elsewhere(app))).body.token).toBeTypeOf('string')
    expect(await lastSignIn()).toMatchObject({ details: { risk: 'notice', reasons: 'new-device new-network' } })
  })

  it.each<[string, Config]>([
    ['without the two-factor feature', { twoFactor: { enabled: false } }],
    ['without codes by mail', { twoFactor: { otpOptions: { disable: true } } }],
  ])('%s, a notice remains', async (_, more) => {
    const app = strictApp(more)
    await addAda(app)
    expect((await signInOn(elsewhere(app))).body.token).toBeTypeOf('string')
    expect(await lastSignIn()).toMatchObject({ details: { risk: 'notice' } })
  })

  it('mailed links and codes, which prove the mailbox', async () => {
    const app = strictApp()
    await addAda(app)
    const byCode = elsewhere(app)
    await byCode.post('/email-otp/send-verification-otp', { email: ada.email, type: 'sign-in' })
    const { body } = await byCode.post('/sign-in/email-otp', { email: ada.email, otp: await mailedCode(app) })
    expect(body.token).toBeTypeOf('string')
    const byLink = elsewhere(app, '203.0.113')
    await byLink.post('/sign-in/magic-link', { email: ada.email })
    await byLink.get(await app.linkTo(ada.email))
    expect(await isSignedIn(byLink)).toBe(true)
    // Their networks are known from then on.
    expect((await signInOn(elsewhere(app))).body.token).toBeTypeOf('string')
    expect((await signInOn(elsewhere(app, '203.0.113'))).body.token).toBeTypeOf('string')
  })

  it('guests store no network', async () => {
    const app = strictApp()
    await app.device().post('/sign-in/anonymous')
    expect((await rowsOf('users')).map(({ recentNetworks }) => recentNetworks)).toEqual([null])
  })
})

describe('with Cloudflare’s facts', () => {
  it('the provider in the country counts, not the address; another region of an unknown device is challenged', async () => {
    const app = strictApp()
    const device = await addAda(app)
    await signInAt(app, device, berlin)
    expect((await signInAt(app, elsewhere(app), berlin)).body.token).toBeTypeOf('string')
    expect(isChallenged(await signInAt(app, elsewhere(app), munich))).toBe(true)
    expect((await events('sign-in-challenged')).at(-1)!.details).toMatchObject({ reasons: 'new-device new-region' })
    expect((await signInAt(app, device, munich)).body.token).toBeTypeOf('string')
  })

  it('a known browser from where its user cannot be yet: a copied cookie', async () => {
    const app = strictApp()
    const device = await addAda(app)
    await signInAt(app, device, berlin)
    passTime(3600)
    expect(isChallenged(await signInAt(app, device, tokyo))).toBe(true)
    passTime(86_400)
    expect((await signInAt(app, device, tokyo)).body.token).toBeTypeOf('string')
  })

  it('the same in the compatible profile sends a notice, and no challenge', async () => {
    const app = new TestApp(unlimited)
    const device = await addAda(app)
    await signInAt(app, device, berlin)
    passTime(3600)
    expect((await signInAt(app, device, tokyo)).body.token).toBeTypeOf('string')
    expect((await app.notices()).map(({ to }) => to)).toEqual([ada.email])
  })

  it('a trusted device of an enrolled user needs a factor again, of any kind', async () => {
    const app = strictApp()
    const { device, totpURI } = await signUpProtected(app, ada)
    await verifyAddresses()
    await signInAt(app, device, berlin)
    await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI), trustDevice: true })
    passTime(60)
    expect((await signInAt(app, device, berlin)).body.token).toBeTypeOf('string')
    passTime(3600)
    expect(isChallenged(await signInAt(app, device, tokyo))).toBe(true)
    expect((await device.get('/two-factor/challenge')).body).toMatchObject({
      ...{ methods: ['totp', 'otp', 'backup-code'], newPlace: true },
    })
    expect((await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })).status).toBe(200)
    expect((await rowsOf('sessions')).at(-1)!.amr).toContain('mfa')
  })
})

describe('a measured attack', () => {
  const compatible = (risk: object) => new TestApp({ ...unlimited, risk })
  const fail = (app: TestApp, at: number, prefix: string, password: string) =>
    elsewhere(app, prefix).post('/sign-in/email', { email: `user${at}@example.com`, password })

  it('stuffing: beyond the failures of a network its new devices need a code, in the compatible profile too', async () => {
    const app = compatible({ networkFailures: { max: 5, window: 600 } })
    const owner = await addAda(app)
    for (let at = 0; at < 5; at++) await fail(app, at, '198.51.100', `wrong-password-${at}`)
    expect((await signInOn(elsewhere(app))).body.token).toBeTypeOf('string')
    await fail(app, 5, '198.51.100', 'wrong-password-5')
    const answer = await signInOn(elsewhere(app))
    expect(isChallenged(answer)).toBe(true)
    expect(answer.io.durable![0]).toBe(1)
    expect((await events('sign-in-challenged'))[0]!.details).toEqual({
      ...{ risk: 'challenge', reasons: 'new-device attacked-network' },
    })
    // The owner's browser in the same network, and a new device in another one.
    owner.headers = { 'cf-connecting-ip': '198.51.100.9' }
    expect((await signInOn(owner)).body.token).toBeTypeOf('string')
    expect((await signInOn(elsewhere(app, '203.0.113'))).body.token).toBeTypeOf('string')
    passTime(600 + 900 + 1)
    expect((await signInOn(elsewhere(app))).body.token).toBeTypeOf('string')
  })

  it('spraying: beyond the failures of a password it needs a code from new devices, in whatever network', async () => {
    const app = compatible({ passwordFailures: { max: 5, window: 3600 } })
    const owner = await addAda(app)
    for (let at = 0; at < 6; at++) await fail(app, at, `203.0.${at}`, ada.password)
    expect(isChallenged(await signInOn(app.device()))).toBe(true)
    expect((await events('sign-in-challenged'))[0]!.details).toEqual({ risk: 'challenge', reasons: 'new-device' })
    expect((await signInOn(owner)).body.token).toBeTypeOf('string')
    await signUp(app, bob)
    expect((await app.device().post('/sign-in/email', { ...bob })).body.token).toBeTypeOf('string')
  })

  it('wrong passwords of a stolen session count: step-up, change and deletion', async () => {
    for (const [path, body] of [
      ['/step-up', { method: 'password', password: 'wrong-password' }],
      ['/change-password', { currentPassword: 'wrong-password', newPassword: 'another-zebra-42-staple' }],
      ['/delete-user', { password: 'wrong-password' }],
    ] as const) {
      const app = new TestApp({
        ...unlimited,
        user: { deleteUser: { enabled: true } },
        risk: { networkFailures: { max: 1, window: 600 } },
      })
      const person = { ...ada, email: `ada${path.length}@example.com` }
      const thief = await signUp(app, person)
      await verifyAddresses()
      const answers = [await thief.post(path, body), await thief.post(path, body)]
      expect(answers.map(outcome)).toEqual([0, 1].map(() => ({ status: 400, code: 'INVALID_PASSWORD' })))
      const device = app.device(thief.ip)
      expect({ path, isChallenged: isChallenged(await device.post('/sign-in/email', person)) }).toEqual({
        ...{ path, isChallenged: true },
      })
    }
  })

  it('off: nothing is counted', async () => {
    const app = compatible({ level: 'off', networkFailures: { max: 1, window: 600 } })
    await addAda(app)
    for (let at = 0; at < 4; at++) await fail(app, at, '198.51.100', 'wrong-password')
    expect((await signInOn(elsewhere(app))).body.token).toBeTypeOf('string')
  })
})

describe('level refuse', () => {
  it('403 from refuseFrom points, and a mailed code still signs in', async () => {
    const app = strictApp({ risk: { level: 'refuse', refuseFrom: 3 } })
    await addAda(app)
    const device = elsewhere(app)
    expect(outcome(await signInOn(device))).toEqual({ status: 403, code: 'SIGN_IN_REFUSED' })
    expect(await isSignedIn(device)).toBe(false)
    await device.post('/email-otp/send-verification-otp', { email: ada.email, type: 'sign-in' })
    await device.post('/sign-in/email-otp', { email: ada.email, otp: await mailedCode(app) })
    expect(await isSignedIn(device)).toBe(true)
  })
})

describe('the hook assessing', () => {
  const hooked = (assessing: (event: { level: string; reasons: string[] }) => unknown, more: Config = {}) =>
    new TestApp({ ...unlimited, ...more, hooks: { assessing } } as Config)

  it('raises the level with its reason, and gets the decision without it', async () => {
    const seen: unknown[] = []
    const app = hooked((event) => {
      seen.push(event)
      return { raise: { level: 'challenge', reason: 'bot-score' } }
    })
    const device = await signUp(app, ada)
    await verifyAddresses()
    expect(isChallenged(await signInOn(device))).toBe(true)
    expect(seen).toMatchObject([
      { method: 'email', level: 'notice', reasons: ['new-device'], user: { email: ada.email }, network: { asn: null } },
    ])
    expect(JSON.stringify(seen)).not.toContain(ada.password)
    expect((await events('sign-in-challenged')).at(-1)!.details).toEqual({
      ...{ risk: 'challenge', reasons: 'new-device product:bot-score' },
    })
  })

  it('nothing: the decision stays', async () => {
    const app = hooked(() => undefined, strict)
    await addAda(app)
    expect(isChallenged(await signInOn(elsewhere(app)))).toBe(true)
  })

  it('refuses, by its own error or by the level', async () => {
    const own = hooked(() => ({ refuse: { code: 'NOT_HERE', message: 'Not from here' } }))
    await signUp(own, ada)
    expect(outcome(await signInOn(own.device()))).toEqual({ status: 403, code: 'NOT_HERE' })
    const byLevel = hooked(() => ({ raise: { level: 'refuse', reason: 'blocked' } }))
    expect(outcome(await signInOn(byLevel.device()))).toEqual({ status: 403, code: 'SIGN_IN_REFUSED' })
  })

  it.each<[string, unknown]>([
    ['an unknown level', { raise: { level: 'nothing', reason: 'x' } }],
    ['a reason with spaces', { raise: { level: 'notice', reason: 'a b' } }],
    ['no reason', { raise: { level: 'notice' } }],
  ])('503 for %s', async (_, answer) => {
    const app = hooked(() => answer)
    await signUp(app, ada)
    expect((await signInOn(app.device())).status).toBe(503)
  })
})

it('a user whose stored networks are of the account before an import or a restore signs in', async () => {
  const app = strictApp()
  const device = await addAda(app)
  await updateRows('users', { recentNetworks: null }, { id: await idOf(ada.email) })
  expect((await signInOn(device)).body.token).toBeTypeOf('string')
  await updateRows('users', { recentNetworks: null })
  expect(isChallenged(await signInOn(elsewhere(app)))).toBe(true)
  expect((await events('sign-in-challenged')).at(-1)!.details).toMatchObject({ reasons: 'new-device new-account-use' })
})
