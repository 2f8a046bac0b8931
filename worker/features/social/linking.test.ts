import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, env, TestApp } from '../../testing/harness.ts'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { google } from '../../testing/outside/social/google.ts'
import { comeBack, errorAt, locationOf, startAt, walk } from '../../testing/outside/walk.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Google, where Alice has an account; `verified` is what it says of her address. */
function start({ verified = true as unknown, config = {} as object, email = alice.email } = {}) {
  const claims = google.claims!
  const provider = new OAuthProvider({
    ...google,
    claims: (person) => ({ ...claims(person), email_verified: verified }),
  }).install()
  provider.person = { id: 'alice-at-google', email }
  const app = new TestApp({
    rateLimit: { enabled: false },
    emailVerification: { sendOnSignUp: false },
    socialProviders: { google: provider.options },
    ...config,
  })
  return { provider, app }
}

const verify = (email: string) =>
  env.DB.prepare('update users set email_verified = 1 where email = ?').bind(email).run()
const providersOf = async (device: Device) =>
  ((await device.get('/list-accounts')).body as { provider: string }[]).map(({ provider }) => provider)
const counted = async (table: string) =>
  (await env.DB.prepare(`select count(*) as n from ${table}`).first<{ n: number }>())!.n

describe('a sign-in whose address belongs to somebody already', () => {
  it('links when the provider has verified the address, and the user has too', async () => {
    const { provider, app } = start()
    const own = await signUp(app, alice)
    await verify(alice.email)
    const device = app.device()
    expect(locationOf(await walk(device, provider, { newUserCallbackURL: '/welcome' }))).toBe('/dash')
    expect(await providersOf(device)).toEqual(['credential', 'google'])
    expect((await own.get('/list-sessions')).status).toBe(200)
    await signIn(app, alice)
  })

  it('takes the text "true" for the boolean, and nothing else', async () => {
    for (const [said, location] of [
      ['true', '/dash'],
      ['True', errorAt('account_not_linked')],
      [1, errorAt('account_not_linked')],
      [null, errorAt('account_not_linked')],
      [false, errorAt('account_not_linked')],
    ] as const) {
      const { provider, app } = start({ verified: said })
      await env.DB.exec('delete from users')
      await signUp(app, alice)
      await verify(alice.email)
      const device = app.device()
      expect([said, locationOf(await walk(device, provider))]).toEqual([said, location])
      vi.restoreAllMocks()
    }
  })

  it('links at a trusted provider whatever it says of the address', async () => {
    const { provider, app } = start({
      verified: false,
      config: { account: { accountLinking: { trustedProviders: ['google'] } } },
    })
    await signUp(app, alice)
    await verify(alice.email)
    expect(locationOf(await walk(app.device(), provider))).toBe('/dash')
  })

  it('does not link when linking is off', async () => {
    const { provider, app } = start({ config: { account: { accountLinking: { enabled: false } } } })
    await signUp(app, alice)
    await verify(alice.email)
    expect(locationOf(await walk(app.device(), provider))).toBe(errorAt('account_not_linked'))
    expect(await counted('accounts')).toBe(1)
  })

  it('takes an account that nobody has proven to be theirs away from whoever made it', async () => {
    const { provider, app } = start()
    const intruder = await signUp(app, alice)
    const device = app.device()
    expect(locationOf(await walk(device, provider))).toBe('/dash')
    expect(await providersOf(device)).toEqual(['google'])
    expect((await device.get('/get-session')).body.user).toMatchObject({ email: alice.email, emailVerified: true })
    // The password, the session and whatever was pending are gone.
    expect((await intruder.get('/list-sessions')).status).toBe(401)
    const again = await app.device().post('/sign-in/email', { email: alice.email, password: alice.password })
    expect(again.status).toBe(401)
    expect(await counted('users')).toBe(1)
  })

  it('leaves the unproven account alone when the provider has not verified the address either', async () => {
    const { provider, app } = start({ verified: false })
    const device = await signUp(app, alice)
    expect(locationOf(await walk(app.device(), provider))).toBe(errorAt('account_not_linked'))
    expect((await device.get('/list-sessions')).status).toBe(200)
    await signIn(app, alice)
  })

  it('a new user whose address the provider has not verified is sent a verification mail', async () => {
    const { provider, app } = start({ verified: false, config: { emailVerification: { sendOnSignUp: true } } })
    expect(locationOf(await walk(app.device(), provider))).toBe('/dash')
    expect(await app.linkTo(alice.email)).toContain('/verify-email')
  })

  it('twenty of them at once link one identity', async () => {
    const { provider, app } = start()
    await signUp(app, alice)
    const devices = Array.from({ length: 20 }, () => app.device())
    const callbacks = await Promise.all(devices.map((device) => startAt(device, provider)))
    const answers = await Promise.all(devices.map((device, n) => comeBack(device, callbacks[n]!)))
    // Whoever comes second meets the account in the middle of being taken over: a refusal, but never a second identity.
    expect(answers.map(locationOf)).toContain('/dash')
    expect(await counted('users')).toBe(1)
    const rows = await env.DB.prepare('select provider_id from accounts').all()
    expect(rows.results).toEqual([{ provider_id: 'google' }])
  })
})

describe('/link-social', () => {
  it('401: nobody is signed in', async () => {
    const { app } = start()
    expect((await app.device().post('/link-social', { provider: 'google' })).status).toBe(401)
  })

  it('404: an unknown provider', async () => {
    const { app } = start()
    const device = await signUp(app, alice)
    expect((await device.post('/link-social', { provider: 'nope' })).body.code).toBe('PROVIDER_NOT_FOUND')
  })

  it('403: an administrator who impersonates', async () => {
    const { app } = start()
    const device = await signUp(app, alice)
    await env.DB.prepare('update sessions set impersonated_by = user_id').run()
    expect((await device.post('/link-social', { provider: 'google' })).status).toBe(403)
  })

  const linkAt = (device: Device, provider: OAuthProvider) => startAt(device, provider, {}, '/link-social')

  it('links, lists, signs in, unlinks', async () => {
    const { provider, app } = start({ email: 'alice.private@example.net', verified: false })
    const device = await signUp(app, alice)
    const linked = await comeBack(device, await linkAt(device, provider))
    expect([locationOf(linked), linked.cookies.some((line) => line.includes('session_token'))]).toEqual([
      '/dash',
      false,
    ])
    expect(await providersOf(device)).toEqual(['credential', 'google'])
    const other = app.device()
    await walk(other, provider)
    expect((await other.get('/get-session')).body.user.email).toBe(alice.email)
    expect((await other.post('/unlink-account', { providerId: 'google' })).body).toEqual({ status: true })
    expect((await other.post('/unlink-account', { providerId: 'credential' })).body.code).toBe(
      'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT',
    )
  })

  it('proves the address that the identity shares with the user, and the next sign-in by it ends nothing', async () => {
    const { provider, app } = start()
    const device = await signUp(app, alice)
    await comeBack(device, await linkAt(device, provider))
    expect((await device.get('/get-session')).body.user.emailVerified).toBe(true)
    await walk(app.device(), provider)
    expect(await providersOf(device)).toEqual(['credential', 'google'])
    await signIn(app, alice)
  })

  it('proves nothing where the provider has not verified the address, or knows another one', async () => {
    for (const said of [{ verified: false }, { email: 'alice.private@example.net' }]) {
      const { provider, app } = start(said)
      await env.DB.exec('delete from users')
      const device = await signUp(app, alice)
      expect(locationOf(await comeBack(device, await linkAt(device, provider)))).toBe('/dash')
      const query = { disableCookieCache: 'true' }
      expect((await device.get('/get-session', { query })).body.user.emailVerified).toBe(false)
      vi.restoreAllMocks()
    }
  })

  it('an identity that belongs to somebody else stays with them', async () => {
    const { provider, app } = start()
    await walk(app.device(), provider)
    const device = await signUp(app, bob)
    expect(locationOf(await comeBack(device, await linkAt(device, provider)))).toBe(
      errorAt('account_already_linked_to_different_user'),
    )
    expect(await providersOf(device)).toEqual(['credential'])
  })

  it('linking again only renews the tokens', async () => {
    const { provider, app } = start()
    const device = await signUp(app, alice)
    for (let n = 0; n < 2; n++) expect(locationOf(await comeBack(device, await linkAt(device, provider)))).toBe('/dash')
    expect(await counted('accounts')).toBe(2)
  })

  it('is refused when somebody else, or nobody, is signed in by the time of the callback', async () => {
    const { provider, app } = start()
    const device = await signUp(app, alice)
    const first = await linkAt(device, provider)
    const second = await linkAt(device, provider)
    await device.post('/sign-out')
    expect(locationOf(await comeBack(device, first))).toBe(errorAt('unable_to_link_account'))
    await device.post('/sign-up/email', bob)
    expect(locationOf(await comeBack(device, second))).toBe(errorAt('unable_to_link_account'))
    expect(await providersOf(device)).toEqual(['credential'])
  })

  it('is refused when linking is off', async () => {
    const { provider, app } = start({ config: { account: { accountLinking: { enabled: false } } } })
    const device = await signUp(app, alice)
    expect(locationOf(await comeBack(device, await linkAt(device, provider)))).toBe(errorAt('unable_to_link_account'))
  })

  it('two people who link one identity at once: one gets it', async () => {
    const { provider, app } = start()
    const devices = [await signUp(app, alice), await signUp(app, bob)]
    const callbacks = await Promise.all(devices.map((device) => linkAt(device, provider)))
    const answers = await Promise.all(devices.map((device, n) => comeBack(device, callbacks[n]!)))
    expect(answers.map(locationOf).sort()).toEqual(['/dash', errorAt('account_already_linked_to_different_user')])
  })
})

describe('/unlink-account', () => {
  it('of two that are unlinked at once, one stays', async () => {
    const { provider, app } = start()
    const device = await signUp(app, alice)
    await comeBack(device, await startAt(device, provider, {}, '/link-social'))
    const answers = await Promise.all(
      ['google', 'credential'].map((providerId) => device.post('/unlink-account', { providerId })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await counted('accounts')).toBe(1)
  })

  it('403: a session that is not fresh', async () => {
    const { app } = start()
    const device = await signUp(app, alice)
    await env.DB.prepare('update sessions set created_at = created_at - 90000000').run()
    expect((await device.post('/unlink-account', { providerId: 'credential' })).body.code).toBe('SESSION_IS_NOT_FRESH')
  })
})
