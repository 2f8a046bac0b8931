import { describe, expect, it, vi } from 'vitest'
import type { User } from '../../identity/model/users.table.ts'
import { TestApp } from '../../testing/harness.ts'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { google } from '../../testing/outside/social/google.ts'
import { comeBack, startAt } from '../../testing/outside/walk.ts'
import { addPasskey } from '../../testing/passkeys.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { count, deleteRows, rowOf, rowsOf } from '../../testing/rows.ts'
import { linkAccount } from '../../testing/states.ts'

const unlimited = { rateLimit: { enabled: false } }

const users = async () =>
  (await rowsOf('users')).map(({ email, isAnonymous }) => ({ email, guest: Number(isAnonymous) }))
const guests = async () => (await users()).filter(({ guest }) => guest === 1).length

async function enter(app: TestApp) {
  const device = app.device()
  const answer = await device.post('/sign-in/anonymous')
  expect(answer.status).toBe(200)
  return { device, answer }
}

describe('POST /sign-in/anonymous', () => {
  it('200: a guest with a placeholder address', async () => {
    const app = new TestApp()
    const { device, answer } = await enter(app)
    expect(answer.body.token).toMatch(/^\w{32}$/)
    expect(Object.keys(answer.body.user).sort()).toEqual([
      'createdAt',
      'email',
      'emailVerified',
      'id',
      'name',
      'updatedAt',
    ])
    expect(answer.body.user).toMatchObject({ name: 'Anonymous', emailVerified: false })
    expect(answer.body.user.email).toMatch(/^temp-[0-9a-z]{32}@localhost$/)
    expect(answer.io.d1![0]).toBe(1)
    expect((await device.get('/get-session')).body.user).toMatchObject({ isAnonymous: true, image: null })
  })

  it('200 without any body', async () => {
    const app = new TestApp()
    const answer = await app.device().post('/sign-in/anonymous', undefined)
    expect(answer.status).toBe(200)
  })

  it('uses domain and name of the configuration', async () => {
    const anonymous = { emailDomainName: 'guests.example.com', generateName: () => 'Guest' }
    const { answer } = await enter(new TestApp({ anonymous }))
    expect(answer.body.user).toMatchObject({ name: 'Guest', email: expect.stringMatching(/@guests\.example\.com$/) })
  })

  it('400 for a guest, without any cookie', async () => {
    const app = new TestApp()
    const { device } = await enter(app)
    const { status, body, cookies } = await device.post('/sign-in/anonymous')
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: 'ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY',
        message: 'Anonymous users cannot sign in again anonymously',
      },
    })
    expect(cookies).toEqual([])
    expect(await guests()).toBe(1)
  })

  it('429 after 3 in 10 seconds; 404 where it is off', async () => {
    const app = new TestApp()
    const statuses = []
    for (let n = 0; n < 4; n++) {
      const device = app.device('203.0.113.77')
      statuses.push((await device.post('/sign-in/anonymous')).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    const off = new TestApp({ anonymous: { enabled: false } })
    expect((await off.device().post('/sign-in/anonymous')).status).toBe(404)
  })
})

describe('a guest who signs in as another user', () => {
  it('by sign-up: the application moves its data, then the guest is deleted', async () => {
    const calls: [User, User][] = []
    const onLinkAccount = (link: { anonymousUser: User; newUser: User }) => {
      calls.push([link.anonymousUser, link.newUser])
    }
    const app = new TestApp({ ...unlimited, anonymous: { onLinkAccount } })
    const { device, answer } = await enter(app)
    const old = new Map(device.jar)
    const { status, io } = await device.post('/sign-up/email', alice)
    expect(status).toBe(200)
    expect(io.d1![0]).toBe(1)
    expect(calls.map(([guest, user]) => [guest.id, user.email])).toEqual([[answer.body.user.id, alice.email]])
    expect(await users()).toEqual([{ email: alice.email, guest: 0 }])
    expect((await device.get('/get-session')).body.user.email).toBe(alice.email)
    const before = app.device()
    for (const [name, value] of old) before.jar.set(name, value)
    expect((await before.get('/get-session', { query: { disableCookieCache: 'true' } })).body).toBeNull()
  })

  it.each([
    ['by password', async (app: TestApp) => ({ path: '/sign-in/email', body: alice, app })],
    [
      'by mailed code',
      async (app: TestApp) => {
        await app.device().post('/email-otp/send-verification-otp', { email: alice.email, type: 'sign-in' })
        return { path: '/sign-in/email-otp', body: { email: alice.email, otp: (await app.mailbox())[0]!.codes[0] } }
      },
    ],
  ])('%s: the guest is gone', async (_how, prepare) => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    const { device } = await enter(app)
    const { path, body } = await prepare(app)
    expect((await device.post(path, body)).status).toBe(200)
    expect(await users()).toEqual([{ email: alice.email, guest: 0 }])
  })

  it('by magic link in the same browser: the guest is deleted', async () => {
    const app = new TestApp(unlimited)
    const { device } = await enter(app)
    await device.post('/sign-in/magic-link', { email: alice.email })
    await device.get(await app.linkTo(alice.email))
    expect(await users()).toEqual([{ email: alice.email, guest: 0 }])
  })

  it('remains if deletion is off', async () => {
    const app = new TestApp({ ...unlimited, anonymous: { disableDeleteAnonymousUser: true } })
    const { device } = await enter(app)
    await device.post('/sign-up/email', alice)
    expect(await guests()).toBe(1)
  })

  it('remains after proving a number', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    const { device } = await enter(app)
    const phoneNumber = '+15550001111'
    await device.post('/phone-number/send-otp', { phoneNumber })
    const code = (await app.mailbox())[0]!.codes[0]
    await device.post('/phone-number/verify', { phoneNumber, code, updatePhoneNumber: true })
    await device.post('/sign-in/email', alice)
    expect(await guests()).toBe(1)
  })

  it('remains after linking an identity or adding a passkey', async () => {
    const provider = new OAuthProvider(google).install()
    const app = new TestApp({ ...unlimited, socialProviders: { google: provider.options } })
    const [linked, keyed] = [(await enter(app)).device, (await enter(app)).device]
    await comeBack(linked, await startAt(linked, provider, {}, '/link-social'))
    await addPasskey(keyed)
    await linked.post('/sign-up/email', alice)
    await keyed.post('/sign-up/email', bob)
    expect(await guests()).toBe(2)
    expect(await rowOf('accounts', { providerId: 'google' })).not.toBeNull()
    vi.restoreAllMocks()
  })

  it('remains after adding a sign-in method at the last moment', async () => {
    // While the application moves its data, the guest links an identity.
    const onLinkAccount = async ({ anonymousUser }: { anonymousUser: { id: string } }) => {
      await linkAccount(anonymousUser.id, { providerId: 'google', accountId: 'g' })
    }
    const app = new TestApp({ ...unlimited, anonymous: { onLinkAccount } })
    const { device } = await enter(app)
    await device.post('/sign-up/email', alice)
    expect(await guests()).toBe(1)
    expect(await rowsOf('jobs')).toEqual([])
  })

  it('a wrong password changes nothing', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, alice)
    const { device } = await enter(app)
    await device.post('/sign-in/email', { ...alice, password: 'wrongwrong1' })
    expect(await guests()).toBe(1)
    expect((await device.get('/get-session')).body.user.isAnonymous).toBe(true)
  })

  it('a user who is not a guest signs in again and is not changed', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    await device.post('/sign-in/email', alice)
    await device.post('/sign-in/anonymous')
    expect((await users()).length).toBe(2)
  })

  it('isAnonymous is never taken from input', async () => {
    const device = await signUp(new TestApp(unlimited), alice, { isAnonymous: true })
    await device.post('/update-user', { name: 'A', isAnonymous: true })
    expect(await guests()).toBe(0)
  })
})

describe('GET /config', () => {
  it('returns which ways are enabled', async () => {
    const { body } = await new TestApp({ magicLink: { enabled: false } }).device().get('/config')
    expect(body.features).toMatchObject({ signUp: true, emailOtp: true, phoneNumber: true, anonymous: true })
    expect(body.features).toMatchObject({ phoneSignUp: false })
    expect(body.features).not.toHaveProperty('magicLink')
  })
})

describe('the adoption of a guest', () => {
  it('that fails after the response is repeated by the cron trigger, with onLinkAccount', async () => {
    let calls = 0
    const onLinkAccount = () => {
      if (++calls === 1) throw new Error('the application is out of order')
    }
    const app = new TestApp({ ...unlimited, anonymous: { onLinkAccount } })
    const { device } = await enter(app)
    expect((await device.post('/sign-up/email', alice)).status).toBe(200)
    expect({ calls, guests: await guests() }).toEqual({ calls: 1, guests: 1 })
    const later = vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 })
    await app.runScheduled()
    later.useRealTimers()
    expect({ calls, users: await users() }).toEqual({ calls: 2, users: [{ email: alice.email, guest: 0 }] })
    expect((await rowsOf('jobs')).filter(({ kind }) => kind.startsWith('anonymous:'))).toEqual([])
  })

  it("is stored only for a guest: a sign-in over another user's session writes no job", async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    await deleteRows('jobs')
    expect((await device.post('/sign-in/email', alice)).status).toBe(200)
    expect(await count('jobs')).toBe(0)
  })

  it('deletes the organization of the guest alone, in the same batch', async () => {
    const app = new TestApp({ ...unlimited, organization: { guestOrganizationLimit: 1 } })
    const { device } = await enter(app)
    expect((await device.post('/organization/create', { name: 'Guests', slug: 'guests' })).status).toBe(200)
    await device.post('/sign-up/email', alice)
    expect(await users()).toEqual([{ email: alice.email, guest: 0 }])
    expect(await rowOf('organizations')).toBeNull()
  })

  it('does not happen for a guest with an address', async () => {
    const app = new TestApp(unlimited)
    const { device } = await enter(app)
    expect((await device.post('/change-email', { newEmail: 'guest@example.com' })).status).toBe(200)
    await device.post('/sign-up/email', alice)
    expect((await users()).map(({ email }) => email)).toEqual(['guest@example.com', alice.email])
  })
})

describe('a placeholder address', () => {
  it('is marked by a column: nothing is mailed to it, and no provider links to it', async () => {
    const app = new TestApp({
      ...unlimited,
      phoneNumber: { signUpOnVerification: { getTempEmail: () => 'real-looking@example.com' } },
    })
    const phoneNumber = '+15550001111'
    await app.device().post('/phone-number/send-otp', { phoneNumber })
    const code = (await app.mailbox())[0]!.codes[0]
    const { body } = await app.device().post('/phone-number/verify', { phoneNumber, code })
    expect(body.user.email).toBe('real-looking@example.com')
    await app.clearMailbox()
    const { email } = body.user
    await app.device().post('/request-password-reset', { email })
    await app.device().post('/sign-in/magic-link', { email })
    await app.device().post('/send-verification-email', { email })
    for (const type of ['sign-in', 'email-verification', 'forget-password']) {
      await app.device().post('/email-otp/send-verification-otp', { email, type })
    }
    expect(await app.mailbox()).toEqual([])
  })
})
