import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { google } from '../../../testing/outside/social/google.ts'
import { comeBack, errorAt, locationOf, startAt, walk } from '../../../testing/outside/walk.ts'
import { alice, bob, signIn, signUp } from '../../../testing/people.ts'
import { count, storedRows } from '../../../testing/rows.ts'
import { deleteUsers, impersonateAs, makeSessionsStale, verifyAddresses } from '../../../testing/states.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Google, where Alice has an account; `verified` is the claim about her address. */
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

const verify = (email: string) => verifyAddresses({ email })
const providersOf = async (device: Device) =>
  ((await device.get('/list-accounts')).body as { provider: string }[]).map(({ provider }) => provider)

describe('a sign-in whose address belongs to a user', () => {
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
      await deleteUsers()
      await signUp(app, alice)
      await verify(alice.email)
      const device = app.device()
      expect({ said, location: locationOf(await walk(device, provider)) }).toEqual({ said, location })
      vi.restoreAllMocks()
    }
  })

  it('links at a trusted provider, with a verified address or without', async () => {
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
    expect(await count('accounts')).toBe(1)
  })

  it('takes an unproven account over from the user who created it', async () => {
    const { provider, app } = start()
    const intruder = await signUp(app, alice)
    const device = app.device()
    expect(locationOf(await walk(device, provider))).toBe('/dash')
    expect(await providersOf(device)).toEqual(['google'])
    expect((await device.get('/get-session')).body.user).toMatchObject({ email: alice.email, emailVerified: true })
    // The password, the session and all pending records are gone.
    expect((await intruder.get('/list-sessions')).status).toBe(401)
    const again = await app.device().post('/sign-in/email', { email: alice.email, password: alice.password })
    expect(again.status).toBe(401)
    expect(await count('users')).toBe(1)
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
    // The second request may meet the account during the takeover: it is rejected and adds no second identity.
    expect(answers.map(locationOf)).toContain('/dash')
    expect(await count('users')).toBe(1)
    expect(await storedRows('accounts', 'provider_id')).toEqual([{ provider_id: 'google' }])
  })
})

describe('/link-social', () => {
  it('401: not signed in', async () => {
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
    await impersonateAs('another')
    expect((await device.post('/link-social', { provider: 'google' })).status).toBe(403)
  })

  const linkAt = (device: Device, provider: OAuthProvider) => startAt(device, provider, {}, '/link-social')

  it('links, lists, signs in, unlinks', async () => {
    const { provider, app } = start({ email: 'alice.private@example.net', verified: false })
    const device = await signUp(app, alice)
    const linked = await comeBack(device, await linkAt(device, provider))
    expect({
      location: locationOf(linked),
      signedIn: linked.cookies.some((line) => line.includes('session_token')),
    }).toEqual({ location: '/dash', signedIn: false })
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

  it('proves nothing where the provider has not verified the address, or returns another one', async () => {
    for (const said of [{ verified: false }, { email: 'alice.private@example.net' }]) {
      const { provider, app } = start(said)
      await deleteUsers()
      const device = await signUp(app, alice)
      expect(locationOf(await comeBack(device, await linkAt(device, provider)))).toBe('/dash')
      const query = { disableCookieCache: 'true' }
      expect((await device.get('/get-session', { query })).body.user.emailVerified).toBe(false)
      vi.restoreAllMocks()
    }
  })

  it('an identity of another user stays linked to that user', async () => {
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
    expect(await count('accounts')).toBe(2)
  })

  it('is refused when another user, or no user, is signed in at the callback', async () => {
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

  it('a user with the maximum number of linked accounts links no other, here or by a sign-in', async () => {
    const { provider, app } = start({ config: { account: { accountLinking: { maximumAccounts: 1 } } } })
    const device = await signUp(app, alice)
    await verify(alice.email)
    expect(locationOf(await comeBack(device, await linkAt(device, provider)))).toBe('/dash')
    provider.person = { id: 'another-at-google', email: alice.email }
    expect(locationOf(await comeBack(device, await linkAt(device, provider)))).toBe(errorAt('unable_to_link_account'))
    expect(locationOf(await walk(app.device(), provider))).toBe(errorAt('unable_to_link_account'))
    expect(await providersOf(device)).toEqual(['credential', 'google'])
    // The linked one still signs in and can be linked again.
    provider.person = { id: 'alice-at-google', email: alice.email }
    expect(locationOf(await comeBack(device, await linkAt(device, provider)))).toBe('/dash')
    expect(locationOf(await walk(app.device(), provider))).toBe('/dash')
  })

  it('two users who link one identity at once: one gets it', async () => {
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
    expect(await count('accounts')).toBe(1)
  })

  it('403: a session that is not fresh', async () => {
    const { app } = start()
    const device = await signUp(app, alice)
    await makeSessionsStale()
    expect((await device.post('/unlink-account', { providerId: 'credential' })).body.code).toBe('SESSION_IS_NOT_FRESH')
  })
})
