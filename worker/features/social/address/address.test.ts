import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { minutes, ms } from '../../../kit/time.ts'
import { type Device, origin, TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { reddit } from '../../../testing/outside/social/reddit.ts'
import { errorAt, locationOf, walk } from '../../../testing/outside/walk.ts'
import { alice, signIn, signUp } from '../../../testing/people.ts'
import { count } from '../../../testing/rows.ts'
import { invalidatePending, verifyAddresses } from '../../../testing/states.ts'
import { waitingTime } from './address.config.ts'

const screen = `${origin}/sign-in/address?callbackURL=%2Fdash`

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Reddit, which returns no addresses. */
function start(config: Config = {}, ask = true) {
  const provider = new OAuthProvider(reddit).install()
  provider.person = { id: 'alice-at-reddit' }
  const app = new TestApp({
    rateLimit: { enabled: false },
    socialProviders: { reddit: provider.options },
    ...config,
    account: { askForEmail: ask, ...config.account },
  })
  return { provider, app }
}

const codeTo = async (app: TestApp, email: string) =>
  (await app.mailbox()).find(({ to, codes }) => to === email && codes.length > 0)!.codes[0]!

/** Signs in at Reddit and requests a code. */
async function asked({ app, provider }: ReturnType<typeof start>, email = alice.email, device = app.device()) {
  expect(locationOf(await walk(device, provider))).toBe(screen)
  expect((await device.post('/social/send-code', { email })).body).toEqual({ status: true })
  return { device, code: await codeTo(app, email.toLowerCase()) }
}

const prove = (device: Device, code: string, email = alice.email) => device.post('/social/verify-code', { email, code })
const providersOf = async (device: Device) =>
  ((await device.get('/list-accounts')).body as { provider: string }[]).map(({ provider }) => provider)

describe('a sign-in at a provider that returns no address', () => {
  it('302 email_not_found where askForEmail is off; its paths return 404', async () => {
    const { app, provider } = start({}, false)
    const device = app.device()
    expect(locationOf(await walk(device, provider))).toBe(errorAt('email_not_found'))
    expect((await device.get('/social/waiting')).status).toBe(404)
    expect((await device.get('/config')).body.providers).toEqual([
      { id: 'reddit', name: 'Reddit', kind: 'social', withoutEmail: true },
    ])
  })

  it('asks for one, verifies it, and creates the user; the next sign-in does not ask', async () => {
    const at = start()
    const { device, code } = await asked(at, 'Alice@Example.com')
    expect(await count('users')).toBe(0)
    expect((await device.get('/social/waiting')).body).toEqual({
      provider: { id: 'reddit', name: 'Reddit' },
      name: 'red_dit',
      expiresAt: expect.any(String),
    })
    const { status, body, io } = await prove(device, code)
    expect({ status, body }).toEqual({
      status: 200,
      body: expect.objectContaining({ redirect: true, url: '/dash', token: expect.any(String) }),
    })
    expect(body.user).toMatchObject({ email: alice.email, emailVerified: true, name: 'red_dit' })
    expect(io.d1![0]).toBe(3)
    expect(await providersOf(device)).toEqual(['reddit'])
    expect((await device.get('/social/waiting')).body).toBeNull()
    expect((await device.get('/list-sign-in-methods')).body).toMatchObject([{ method: 'reddit' }])
    const again = at.app.device()
    expect(locationOf(await walk(again, at.provider))).toBe('/dash')
    expect((await again.get('/get-session')).body.user.email).toBe(alice.email)
    const tokens = await again.post('/get-access-token', { providerId: 'reddit' })
    expect(tokens.body.accessToken).toMatch(/^reddit-/)
  })

  it('goes to newUserURL; the mail names the purpose of the code', async () => {
    const { app, provider } = start()
    const device = app.device()
    await walk(device, provider, { newUserCallbackURL: '/tour' })
    await device.post('/social/send-code', { email: alice.email }, { headers: { 'accept-language': 'de' } })
    const [mail] = await app.mailbox()
    expect(mail!.subject).toBe('Dein Code zum Anmelden bei Gatehouse mit Reddit')
    expect((await prove(device, mail!.codes[0]!)).body.url).toBe('/tour')
  })

  it('joins the verified account that has the address, whose other ways stay', async () => {
    const at = start()
    await signUp(at.app, alice)
    await verifyAddresses()
    const { device, code } = await asked(at)
    expect((await prove(device, code)).status).toBe(200)
    expect(await providersOf(device)).toEqual(['credential', 'reddit'])
    await signIn(at.app, alice)
  })

  it('takes an unproven account over from the user who created it', async () => {
    const at = start()
    const attacker = await signUp(at.app, alice)
    const { device, code } = await asked(at)
    expect((await prove(device, code)).status).toBe(200)
    expect(await providersOf(device)).toEqual(['reddit'])
    expect((await attacker.get('/get-session', { query: { disableCookieCache: 'true' } })).body).toBeNull()
    expect((await at.app.device().post('/sign-in/email', alice)).status).toBe(401)
  })

  it('401 by the rules of linking and of new accounts', async () => {
    const unlinked = start({ account: { accountLinking: { enabled: false } } })
    await signUp(unlinked.app, alice)
    const first = await asked(unlinked)
    expect((await prove(first.device, first.code)).body.code).toBe('ACCOUNT_NOT_LINKED')
    const closed = start()
    const app = new TestApp({
      account: { askForEmail: true },
      socialProviders: { reddit: { ...closed.provider.options, disableSignUp: true } },
    })
    const second = await asked({ ...closed, app }, 'new@example.com')
    expect((await prove(second.device, second.code, 'new@example.com')).body.code).toBe('SIGNUP_DISABLED')
    expect(await count('accounts')).toBe(1)
  })

  it('404 in another browser, after the time, and without any sign-in', async () => {
    const at = start()
    const { device, code } = await asked(at)
    const other = at.app.device()
    for (const path of ['/social/send-code', '/social/verify-code']) {
      const { status, body } = await other.post(path, { email: alice.email, code })
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'NO_SIGN_IN_IS_WAITING' })
    }
    // Another waiting sign-in at the same provider.
    const { provider, app } = at
    provider.person = { id: 'mallory-at-reddit' }
    await walk(other, provider)
    expect((await prove(other, code)).body.code).toBe('INVALID_OTP')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms(waitingTime) + 1000 })
    expect((await prove(device, code)).body.code).toBe('NO_SIGN_IN_IS_WAITING')
    expect((await app.device().get('/social/waiting')).body).toBeNull()
  })

  it('20 parallel proofs: one signs in, with one account', async () => {
    const { device, code } = await asked(start())
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        device.post('/social/verify-code', { email: alice.email, code }, { keep: false }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect({
      users: await count('users'),
      accounts: await count('accounts'),
      sessions: await count('sessions'),
    }).toEqual({ users: 1, accounts: 1, sessions: 1 })
    for (const { status, body } of answers) {
      if (status !== 200) expect(['NO_SIGN_IN_IS_WAITING', 'INVALID_OTP', 'TOO_MANY_REQUESTS']).toContain(body.code)
    }
  })

  it('a waiting sign-in is used once, even if several addresses got codes for it', async () => {
    const at = start()
    const { device, code } = await asked(at)
    await device.post('/social/send-code', { email: 'second@example.com' })
    const second = await codeTo(at.app, 'second@example.com')
    const cookies = new Map(device.jar)
    expect((await prove(device, code)).status).toBe(200)
    device.jar.clear()
    for (const [name, value] of cookies) device.jar.set(name, value)
    expect((await prove(device, second, 'second@example.com')).body.code).toBe('NO_SIGN_IN_IS_WAITING')
    expect(await count('users')).toBe(1)
  })

  it('403 after three wrong guesses, 429 after ten at the address, across waiting sign-ins', async () => {
    const at = start()
    let { device, code } = await asked(at)
    const wrong = () => (code === '000000' ? '111111' : '000000')
    for (let guess = 0; guess < 3; guess++) {
      expect((await prove(device, wrong())).body.code).toBe('INVALID_OTP')
    }
    expect((await prove(device, code)).body.code).toBe('TOO_MANY_ATTEMPTS')
    for (const left of [3, 3]) {
      ;({ device, code } = await asked(at))
      for (let guess = 0; guess < left; guess++) await prove(device, wrong())
    }
    ;({ device, code } = await asked(at))
    const { status, body, headers } = await prove(device, code)
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect(Number(headers.get('x-retry-after'))).toBeGreaterThan(0)
    expect(await count('users')).toBe(0)
  })

  it('429: five mails for one sign-in, 400: no address, an old code', async () => {
    const at = start()
    const { device, code } = await asked(at)
    expect((await device.post('/social/send-code', { email: 'unknown' })).body.code).toBe('INVALID_EMAIL')
    expect((await device.post('/social/verify-code', { email: 'unknown', code })).body.code).toBe('INVALID_EMAIL')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms(minutes(5)) + 1000 })
    expect((await prove(device, code)).body.code).toBe('OTP_EXPIRED')
    for (let mail = 1; mail < 5; mail++) await device.post('/social/send-code', { email: `b${mail}@example.com` })
    expect((await device.post('/social/send-code', { email: 'c@example.com' })).status).toBe(429)
  })

  it('a code ends with the pending records of the user who has the address', async () => {
    const at = start()
    await signUp(at.app, alice)
    await verifyAddresses()
    const { device, code } = await asked(at)
    await invalidatePending()
    expect((await prove(device, code)).body.code).toBe('INVALID_OTP')
  })
})
