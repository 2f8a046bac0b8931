import { afterEach, describe, expect, it, vi } from 'vitest'
import { minutes, ms } from '../../../kit/time.ts'
import type { Config } from '../../../read-config.ts'
import { type Device, env, origin, TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { reddit } from '../../../testing/outside/social/reddit.ts'
import { errorAt, locationOf, walk } from '../../../testing/outside/walk.ts'
import { alice, signIn, signUp } from '../../../testing/people.ts'
import { waitingTime } from './address.config.ts'

const screen = `${origin}/sign-in/address?callbackURL=%2Fdash`

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Reddit, which tells nobody's address. */
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

const counted = async (table: string) =>
  (await env.DB.prepare(`select count(*) as n from ${table}`).first<{ n: number }>())!.n
const codeTo = async (app: TestApp, email: string) =>
  (await app.mailbox()).find(({ to, codes }) => to === email && codes.length > 0)!.codes[0]!

/** Comes from Reddit and asks for a code. */
async function asked({ app, provider }: ReturnType<typeof start>, email = alice.email, device = app.device()) {
  expect(locationOf(await walk(device, provider))).toBe(screen)
  expect((await device.post('/social/send-code', { email })).body).toEqual({ status: true })
  return { device, code: await codeTo(app, email.toLowerCase()) }
}

const prove = (device: Device, code: string, email = alice.email) => device.post('/social/verify-code', { email, code })
const providersOf = async (device: Device) =>
  ((await device.get('/list-accounts')).body as { provider: string }[]).map(({ provider }) => provider)

describe('a person who comes by a provider without an address', () => {
  it('302 email_not_found where the product does not ask, and the paths are not found', async () => {
    const { app, provider } = start({}, false)
    const device = app.device()
    expect(locationOf(await walk(device, provider))).toBe(errorAt('email_not_found'))
    expect((await device.get('/social/waiting')).status).toBe(404)
    expect((await device.get('/config')).body.providers).toEqual([
      { id: 'reddit', name: 'Reddit', kind: 'social', withoutEmail: true },
    ])
  })

  it('is asked for one, proves it, and gets an account; the next time nobody asks', async () => {
    const at = start()
    const { device, code } = await asked(at, 'Alice@Example.com')
    expect(await counted('users')).toBe(0)
    expect((await device.get('/social/waiting')).body).toEqual({
      provider: { id: 'reddit', name: 'Reddit' },
      name: 'red_dit',
      expiresAt: expect.any(String),
    })
    const { status, body, io } = await prove(device, code)
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ redirect: true, url: '/dash', token: expect.any(String) }),
    ])
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

  it('goes where new people go; by the mail it is clear what the code is for', async () => {
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
    await env.DB.exec('update users set email_verified = 1')
    const { device, code } = await asked(at)
    expect((await prove(device, code)).status).toBe(200)
    expect(await providersOf(device)).toEqual(['credential', 'reddit'])
    await signIn(at.app, alice)
  })

  it('takes an account that nobody had proven from whoever made it', async () => {
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
    expect(await counted('accounts')).toBe(1)
  })

  it('404 in another browser, after the time, and without any sign-in', async () => {
    const at = start()
    const { device, code } = await asked(at)
    const other = at.app.device()
    for (const path of ['/social/send-code', '/social/verify-code']) {
      const { status, body } = await other.post(path, { email: alice.email, code })
      expect([status, body.code]).toEqual([404, 'NO_SIGN_IN_IS_WAITING'])
    }
    // Another sign-in that waits, by the same provider, is not this one.
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
    expect([await counted('users'), await counted('accounts'), await counted('sessions')]).toEqual([1, 1, 1])
    for (const { status, body } of answers) {
      if (status !== 200) expect(['NO_SIGN_IN_IS_WAITING', 'INVALID_OTP', 'TOO_MANY_REQUESTS']).toContain(body.code)
    }
  })

  it('a sign-in that waits is used once, whatever addresses had codes for it', async () => {
    const at = start()
    const { device, code } = await asked(at)
    await device.post('/social/send-code', { email: 'second@example.com' })
    const second = await codeTo(at.app, 'second@example.com')
    const cookies = new Map(device.jar)
    expect((await prove(device, code)).status).toBe(200)
    device.jar.clear()
    for (const [name, value] of cookies) device.jar.set(name, value)
    expect((await prove(device, second, 'second@example.com')).body.code).toBe('NO_SIGN_IN_IS_WAITING')
    expect(await counted('users')).toBe(1)
  })

  it('403 after three wrong guesses, 429 after ten at the address, however many sign-ins wait', async () => {
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
    expect([status, body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    expect(Number(headers.get('x-retry-after'))).toBeGreaterThan(0)
    expect(await counted('users')).toBe(0)
  })

  it('429: five mails for one sign-in, 400: no address, an old code', async () => {
    const at = start()
    const { device, code } = await asked(at)
    expect((await device.post('/social/send-code', { email: 'nobody' })).body.code).toBe('INVALID_EMAIL')
    expect((await device.post('/social/verify-code', { email: 'nobody', code })).body.code).toBe('INVALID_EMAIL')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms(minutes(5)) + 1000 })
    expect((await prove(device, code)).body.code).toBe('OTP_EXPIRED')
    for (let mail = 1; mail < 5; mail++) await device.post('/social/send-code', { email: `b${mail}@example.com` })
    expect((await device.post('/social/send-code', { email: 'c@example.com' })).status).toBe(429)
  })

  it('a code dies with what ends the pending records of the account that has the address', async () => {
    const at = start()
    await signUp(at.app, alice)
    await env.DB.exec('update users set email_verified = 1')
    const { device, code } = await asked(at)
    await env.DB.exec('update users set security_version = security_version + 1')
    expect((await prove(device, code)).body.code).toBe('INVALID_OTP')
  })
})
