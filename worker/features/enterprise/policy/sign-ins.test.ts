import { afterEach, describe, expect, it, vi } from 'vitest'
import { administrator } from '../../../testing/admins.ts'
import { codeOf } from '../../../testing/authenticator.ts'
import { cheapHash } from '../../../testing/cheap-hash.ts'
import type { Answer } from '../../../testing/harness.ts'
import { anotherDevice, company } from '../../../testing/organizations.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { google } from '../../../testing/outside/social/google.ts'
import { walk } from '../../../testing/outside/walk.ts'
import { addPasskey, signInWithPasskey } from '../../../testing/passkeys.ts'
import { alice, signIn } from '../../../testing/people.ts'
import { count, rowOf, updateRows } from '../../../testing/rows.ts'
import { codeTo, tokenTo } from '../../../testing/set-ups.ts'
import { address, password, ruled, signedInAs, testRows } from '../../../testing/sign-in-rules.ts'
import { addUser, linkAccount, updateUsers } from '../../../testing/states.ts'
import { stopClock } from '../../../testing/two-factor.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const required = { status: 403, body: { code: 'SINGLE_SIGN_ON_REQUIRED' } }
const number = '+15550001111'
const location = ({ headers }: Answer) => headers.get('location') ?? ''

describe('the rules of an organization, for a member with another address, and each way to sign in', () => {
  testRows('way to sign in', {
    async password() {
      const { app, rule, byPassword } = await ruled()
      await byPassword()
      await rule()
      expect(await app.device().post('/sign-in/email', { email: address, password })).toMatchObject(required)
      await rule({ allowedMethods: ['passkey'] })
      expect(await app.device().post('/sign-in/email', { email: address, password })).toMatchObject(required)
      await rule({ allowedMethods: ['password'] })
      await byPassword()
    },
    async 'username and password'() {
      const { app, rule, ada } = await ruled()
      await updateUsers({ username: 'ada' }, { id: ada.id })
      await rule()
      expect(await app.device().post('/sign-in/username', { username: 'ada', password })).toMatchObject(required)
    },
    async 'phone number and password'() {
      const { app, rule, ada } = await ruled()
      await updateUsers({ phoneNumber: number, phoneNumberVerified: true }, { id: ada.id })
      await rule()
      const given = { phoneNumber: number, password }
      expect(await app.device().post('/sign-in/phone-number', given)).toMatchObject(required)
    },
    async 'code by text message'() {
      const { app, rule, ada } = await ruled()
      await updateUsers({ phoneNumber: number, phoneNumberVerified: true }, { id: ada.id })
      await rule()
      await app.device().post('/phone-number/send-otp', { phoneNumber: number })
      const given = { phoneNumber: number, code: await codeTo(app, number) }
      expect(await app.device().post('/phone-number/verify', given)).toMatchObject(required)
    },
    async 'link by mail'() {
      const { app, rule } = await ruled()
      await rule()
      const device = app.device()
      await device.post('/sign-in/magic-link', { email: address, callbackURL: '/dash', errorCallbackURL: '/err' })
      expect(location(await device.get(await app.linkTo(address)))).toContain('error=SINGLE_SIGN_ON_REQUIRED')
      expect(await signedInAs(device)).toBeNull()
    },
    async 'code by mail'() {
      const { app, rule } = await ruled()
      await rule()
      await app.device().post('/email-otp/send-verification-otp', { email: address, type: 'sign-in' })
      const given = { email: address, otp: await codeTo(app, address) }
      expect(await app.device().post('/sign-in/email-otp', given)).toMatchObject(required)
    },
    async passkey() {
      const { app, rule, ada } = await ruled()
      const authenticator = await addPasskey(ada.device)
      await rule()
      expect(await signInWithPasskey(app.device(), authenticator)).toMatchObject(required)
      await rule({ allowedMethods: ['passkey'] })
      expect((await signInWithPasskey(app.device(), authenticator)).status).toBe(200)
    },
    async 'provider, linked or not'() {
      const provider = new OAuthProvider(google)
      const { app, rule, ada } = await ruled({ socialProviders: { google: provider.options } })
      await rule()
      provider.install()
      provider.person = { ...provider.person, email: address }
      expect(location(await walk(app.device(), provider))).toContain('error=SINGLE_SIGN_ON_REQUIRED')
      await linkAccount(ada.id, { providerId: 'google', accountId: provider.person.id })
      expect(location(await walk(app.device(), provider))).toContain('error=SINGLE_SIGN_ON_REQUIRED')
    },
    async 'provider that the configuration no longer has'() {
      const { app, rule, ada } = await ruled()
      const device = await anotherDevice(app, ada.id)
      await updateRows('sessions', { method: 'former-provider' }, { userId: ada.id })
      await rule({ allowedMethods: ['provider', 'password'] })
      expect(await signedInAs(device)).toBeNull()
    },
    async 'Cloudflare Access'() {
      const { app, rule, ada } = await ruled()
      const device = await anotherDevice(app, ada.id)
      await updateRows('sessions', { method: 'cloudflare-access' }, { userId: ada.id })
      await rule({ allowedMethods: ['provider'] })
      expect(await signedInAs(device)).toBe(address)
      await rule({ allowedMethods: ['password'] })
      expect(await signedInAs(device)).toBeNull()
    },
    async 'guest account'() {
      const { app, rule, ada } = await ruled()
      const device = await anotherDevice(app, ada.id)
      await updateRows('sessions', { method: 'anonymous' }, { userId: ada.id })
      await rule({ allowedMethods: ['password', 'email', 'phone', 'passkey', 'provider'] })
      expect(await signedInAs(device)).toBeNull()
    },
    async 'verification link'() {
      const { app, rule, ada } = await ruled()
      await updateUsers({ emailVerified: false }, { id: ada.id })
      await rule()
      const device = app.device()
      await device.post('/send-verification-email', { email: address })
      await device.get(await app.linkTo(address))
      expect(await signedInAs(device)).toBeNull()
      expect(await count('users', { id: ada.id, emailVerified: true })).toBe(1)
    },
    async 'password reset'() {
      const { app, rule } = await ruled()
      await rule()
      const device = app.device()
      await device.post('/request-password-reset', { email: address })
      const given = { newPassword: 'another-password', token: await tokenTo(app, address) }
      expect((await device.post('/reset-password', given)).status).toBe(200)
      expect(await signedInAs(device)).toBeNull()
      const next = { email: address, password: 'another-password' }
      expect(await device.post('/sign-in/email', next)).toMatchObject(required)
    },
    async 'password that an administrator sets'() {
      const { app, rule, ada } = await ruled()
      await rule()
      const { device } = await administrator(app)
      const given = { userId: ada.id, newPassword: 'another-password' }
      expect((await device.post('/admin/set-user-password', given)).status).toBe(200)
      const next = { email: address, password: 'another-password' }
      expect(await app.device().post('/sign-in/email', next)).toMatchObject(required)
    },
    async 'sign-up'() {
      const { app, rule } = await ruled()
      await rule()
      const given = { name: 'New', email: 'new@example.com', password }
      expect(await app.device().post('/sign-up/email', given)).toMatchObject(required)
      expect(await count('users', { email: given.email })).toBe(0)
    },
    async import() {
      const { app, rule } = await ruled()
      await rule()
      const { id } = await addUser({ email: 'new@example.com', emailVerified: true, addressVouchedBy: 'import' })
      await linkAccount(id, { providerId: 'google', accountId: 'new' })
      const device = await anotherDevice(app, id)
      await updateRows('sessions', { method: 'google' }, { userId: id })
      expect(await signedInAs(device)).toBeNull()
    },
    async 'connection of another organization'() {
      const { app, rule, ada, idp } = await ruled()
      const beta = await company(app, 'beta')
      const other = await idp.connect(beta, 'beta.example')
      await rule()
      const device = await anotherDevice(app, ada.id)
      await updateRows('sessions', { method: `sso-${other}` }, { userId: ada.id })
      expect(await signedInAs(device)).toBeNull()
    },
    async 'connection of the organization'() {
      const { rule, bySingleSignOn } = await ruled()
      await rule()
      expect(await signedInAs(await bySingleSignOn())).toBe(address)
    },
    async 'second factor'() {
      const { app, rule, ada, bySingleSignOn } = await ruled()
      await rule({ allowedMethods: null, requiresSecondFactor: true })
      const enter = () => app.device().post('/sign-in/email', { email: address, password })
      expect((await enter()).status).toBe(200)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })
      expect((await enter()).body.code).toBe('ORGANIZATION_REQUIRES_SECOND_FACTOR')
      await updateUsers({ twoFactorEnabled: true }, { id: ada.id })
      expect((await enter()).body).toEqual({ twoFactorRedirect: true })
      await updateUsers({ twoFactorEnabled: false }, { id: ada.id })
      expect(await signedInAs(await bySingleSignOn())).toBe(address)
    },
    async 'trusted device'() {
      stopClock()
      const { rule, byPassword } = await ruled()
      const device = await byPassword()
      const { totpURI } = (await device.post('/two-factor/enable', { password })).body
      await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI, -1), trustDevice: true })
      await device.post('/sign-out')
      await device.post('/sign-in/email', { email: address, password })
      expect(await signedInAs(device)).toBe(address)
      await rule({ allowedMethods: null, requiresSecondFactor: true })
      expect(await signedInAs(device)).toBeNull()
      const asked = await device.post('/sign-in/email', { email: address, password })
      expect(asked.body).toEqual({ twoFactorRedirect: true })
      await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
      expect(await signedInAs(device)).toBe(address)
    },
    async 'emergency access'() {
      const { app, rule, acme, ada } = await ruled()
      await updateRows('members', { role: 'owner' }, { userId: ada.id })
      const member = await rowOf('members', { userId: ada.id })
      await rule({ breakGlass: [acme.ownerMember, member!.id] })
      const device = app.device()
      expect((await device.post('/sign-in/email', { email: address, password })).status).toBe(200)
      expect(await signedInAs(device)).toBe(address)
    },
    async 'administrator of the deployment'() {
      const { app, rule } = await ruled({ admin: { emails: ['root@example.com'] } })
      const { id } = await administrator(app)
      await updateUsers({ emailVerified: true }, { id })
      await rule()
      const device = await signIn(app, { ...alice, email: 'root@example.com', password: 'password-of-root' })
      expect(await signedInAs(device)).toBe('root@example.com')
      await rule({ requiresSecondFactor: true })
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 })
      const next = { email: 'root@example.com', password: 'password-of-root' }
      expect((await app.device().post('/sign-in/email', next)).body.code).toBe('ORGANIZATION_REQUIRES_SECOND_FACTOR')
    },
  })
})

describe('a rule about unknown devices', () => {
  const isChallenged = ({ body }: Answer) => body?.twoFactorRedirect === true
  const config = { risk: { level: 'notice' } } as const

  it('a right password in an unknown browser needs a code, and costs no statement more; a known browser needs none', async () => {
    const { app, rule, ada, acme } = await ruled(config)
    await updateUsers({ emailVerified: true }, { id: ada.id })
    const given = { email: address, password }
    const own = app.device()
    expect(isChallenged(await own.post('/sign-in/email', given))).toBe(false)
    const usual = await app.device().post('/sign-in/email', given)
    await rule({ allowedMethods: null, challengesUnknownDevices: true })
    const answer = await app.device().post('/sign-in/email', given)
    expect(isChallenged(answer)).toBe(true)
    expect(answer.io.d1![0]).toBeLessThanOrEqual(usual.io.d1![0])
    const challenged = await rowOf('security_events', { type: 'sign-in-challenged' })
    expect(challenged!.details).toMatchObject({ reasons: expect.stringContaining('organization-rule') })
    expect(isChallenged(await own.post('/sign-in/email', given))).toBe(false)
    // Clients of before do not send it; they change nothing about it.
    await rule({ allowedMethods: null })
    expect(isChallenged(await app.device().post('/sign-in/email', given))).toBe(true)
    const query = { organizationId: acme.id, action: 'sso.update-policy', limit: '2' }
    const { body } = await acme.owner.device.get('/organization/audit', { query })
    expect(JSON.stringify(body)).toContain('"challengesUnknownDevices":true')
    await rule({ allowedMethods: null, challengesUnknownDevices: false })
    expect(isChallenged(await app.device().post('/sign-in/email', given))).toBe(false)
  })

  it('holds for the members whom the organization rules, and not for others', async () => {
    const { app, rule } = await ruled(config)
    await rule({ allowedMethods: null, challengesUnknownDevices: true })
    const stranger = await addUser({ email: 'other@elsewhere.example', emailVerified: true })
    await linkAccount(stranger.id, { providerId: 'credential', password: await cheapHash.hash(password) })
    const answer = await app.device().post('/sign-in/email', { email: 'other@elsewhere.example', password })
    expect(isChallenged(answer)).toBe(false)
  })
})
