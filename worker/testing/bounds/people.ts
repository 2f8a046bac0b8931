import { anonymousOptions } from '../../features/anonymous/anonymous.config.ts'
import { apiKeyOptions } from '../../features/api-key/api-key.config.ts'
import { passkeyOptions } from '../../features/passkey/passkey.config.ts'
import { maxTrustedDevices } from '../../features/two-factor/trusted-devices.store.ts'
import { accountOptions, passwordGuessOptions } from '../../identity/accounts/accounts.config.ts'
import { securityLogOptions } from '../../identity/audit/security-log.config.ts'
import { messageOptions } from '../../identity/messages/messages.config.ts'
import { maxRefusals } from '../../identity/security/access-events.ts'
import { sessionOptions } from '../../identity/sessions/sessions.config.ts'
import { userOptions } from '../../identity/users/users.config.ts'
import { addressNetwork } from '../../platform/client-address.ts'
import { administrator } from '../admins.ts'
import type { TestApp } from '../harness.ts'
import { company, someone } from '../organizations.ts'
import { OAuthProvider } from '../outside/oauth-provider.ts'
import { google } from '../outside/social/google.ts'
import { comeBack, startAt } from '../outside/walk.ts'
import { SoftwareAuthenticator } from '../passkeys.ts'
import { picture } from '../picture.ts'
import { rowOf } from '../rows.ts'
import { backEnd } from '../server-keys.ts'
import { newPerson, signedIn, tokenTo, verified } from '../set-ups.ts'
import { idOf } from '../states.ts'
import { challenge, signUpProtected, stopClock } from '../two-factor.ts'
import {
  type Bound,
  type Bounds,
  daily,
  insertCopies,
  perPath,
  post,
  spendCounter,
  spendDay,
  tooMany,
  written,
} from './bounds.ts'

/** Bounds of users, their sessions and credentials. */

const signUpsPerNetwork = userOptions.defaults.signUpsPerNetwork!
const signUpBody = (n: number) => ({ name: 'User', email: `sign-up-${n}@example.com`, password: 'password1234' })

/** The user with a password. */
async function withPassword(app: TestApp) {
  const person = newPerson()
  const { device } = await signedIn(app, person)
  return { person, device, id: await idOf(person.email) }
}

const atGoogle = new OAuthProvider(google)
/** Accounts that a user links at Google. The code is that of the redirect. @param prepare comes before the first one */
const linksAnAccount = (
  bound: Pick<Bound, 'max' | 'per'> & { code: string },
  prepare: (userId: string, have: number) => Promise<void>,
): Bound => ({
  by: 'a user: GET /callback/:id after /link-social',
  max: bound.max,
  per: bound.per,
  config: {
    socialProviders: { google: atGoogle.options },
    account: { accountLinking: { allowDifferentEmails: true } },
  },
  beyond: { status: 302, code: bound.code },
  async reach(app, have) {
    const { device, id, email } = await someone(app, 'Max')
    atGoogle.install()
    await prepare(id, have)
    return async (n) => {
      atGoogle.person = { ...atGoogle.person, id: `g${n}`, email }
      const answer = await comeBack(device, await startAt(device, atGoogle, {}, '/link-social'))
      const code = answer.headers.get('location')?.match(/error=(\w+)/)?.[1]
      return { ...answer, body: { code } }
    }
  },
})

const { maxPerUser } = securityLogOptions.defaults
const eventOf = (userId: string, more: object = {}) => ({
  ...{ id: 'e#', userId, type: 'sign-in' as const, outcome: 'success' as const, details: {}, requestId: 'r' },
  createdAt: new Date(Date.now() - 60_000),
  ...more,
})

export const peopleBounds: Bounds = {
  users: [
    {
      by: 'a visitor: POST /sign-up/email',
      max: daily.address,
      per: 'address and day',
      beyond: tooMany,
      async reach(app, have) {
        const device = app.device()
        await spendDay(`visitor:${device.ip}`, have)
        return (n) => app.device(device.ip).post('/sign-up/email', signUpBody(n))
      },
    },
    perPath('POST /sign-up/email', (app, ip) => (n) => app.device(ip).post('/sign-up/email', signUpBody(n))),
    {
      by: 'a visitor: POST /sign-in/anonymous',
      max: anonymousOptions.defaults.guestsPerAddress.max,
      per: 'address and hour',
      beyond: tooMany,
      async reach(app, have) {
        const { ip } = app.device()
        await spendCounter(`guests:address:${ip}`, anonymousOptions.defaults.guestsPerAddress, have)
        return () => app.device(ip).post('/sign-in/anonymous')
      },
    },
    {
      by: 'the visitors of a network: POST /sign-up/email',
      max: signUpsPerNetwork.max,
      per: 'network and hour',
      beyond: tooMany,
      async reach(app, have) {
        const { ip } = app.device()
        await spendCounter(`sign-ups:network:${addressNetwork(ip)}`, signUpsPerNetwork, have)
        return (n) => app.device(ip).post('/sign-up/email', signUpBody(n))
      },
    },
    {
      by: 'an administrator: POST /admin/create-user',
      max: daily.bulk,
      per: 'administrator and day',
      beyond: tooMany,
      async reach(app, have) {
        const { id, device } = await administrator(app)
        await spendDay(`administrator:${id}`, have)
        return post(device, '/admin/create-user', (n) => ({ ...signUpBody(n), role: 'user' }))
      },
    },
    {
      by: 'a server key: create-user',
      max: daily.bulk,
      per: 'server key and day',
      beyond: tooMany,
      async reach(app, have) {
        const { id, call } = await backEnd(app)
        await spendDay(`server-key:${id}`, have)
        return (n) => call('createUser', signUpBody(n))
      },
    },
  ],
  sessions: [
    {
      by: 'a user: POST /sign-in/email',
      max: sessionOptions.defaults.maxPerUser,
      per: 'user',
      beyond: 'none',
      async reach(app, have) {
        const { person, id } = await withPassword(app)
        await insertCopies('sessions', have - 1, {
          ...{ id: 's#', userId: id, token: 't#', expiresAt: new Date(9_000_000_000_000), ...written() },
          authenticatedAt: new Date(),
        })
        return () => app.device().post('/sign-in/email', person)
      },
    },
    {
      by: 'a user: POST /sign-in/email',
      max: daily.signIn,
      per: 'user and day',
      beyond: tooMany,
      async reach(app, have) {
        const { person, id } = await withPassword(app)
        await spendDay(`user:${id}`, have)
        return () => app.device().post('/sign-in/email', person)
      },
    },
  ],
  security_events: [
    {
      by: 'a user: POST /sign-in/email',
      max: maxPerUser,
      per: 'user',
      beyond: 'none',
      async reach(app, have) {
        const { person, id } = await withPassword(app)
        await insertCopies('security_events', have, eventOf(id))
        return () => app.device().post('/sign-in/email', person)
      },
    },
    {
      by: 'a session: requests that are refused',
      max: maxRefusals,
      per: 'session and hour',
      status: 403,
      beyond: 'none',
      async reach(app, have) {
        const { device } = await withPassword(app)
        const ask = () => device.get('/admin/list-users')
        for (let n = 0; n < have; n++) await ask()
        return ask
      },
    },
    {
      by: 'a visitor: wrong passwords for an account',
      max: passwordGuessOptions.defaults.max,
      per: 'name and 15 minutes',
      status: 401,
      beyond: tooMany,
      async reach(app, have) {
        const { person } = await withPassword(app)
        const guess = () => app.device().post('/sign-in/email', { ...person, password: 'wrong-password' })
        for (let n = 0; n < have; n++) await guess()
        return guess
      },
    },
  ],
  accounts: [
    linksAnAccount(
      { max: accountOptions.defaults.accountLinking.maximumAccounts, per: 'user', code: 'unable_to_link_account' },
      (userId, have) =>
        insertCopies('accounts', have, { id: 'a#', providerId: 'google', userId, accountId: 'a#', ...written() }),
    ),
    linksAnAccount({ max: daily.user, per: 'user and day', code: 'TOO_MANY_REQUESTS' }, (userId, have) =>
      spendDay(`user:${userId}`, have),
    ),
    {
      by: 'a server key: set-password',
      max: 1,
      per: 'user',
      beyond: { status: 400, code: 'USER_ALREADY_HAS_A_PASSWORD' },
      async reach(app) {
        const { id } = await someone(app, 'Max')
        const { call } = await backEnd(app)
        return () => call('setPassword', { userId: id, newPassword: 'another-password' })
      },
    },
  ],
  two_factors: [
    {
      by: 'a user: POST /two-factor/enable',
      max: 1,
      per: 'user until its first code',
      beyond: 'none',
      async reach(app, have) {
        const { person, device } = await withPassword(app)
        const enable = () => device.post('/two-factor/enable', { password: person.password })
        for (let n = 0; n < have; n++) await enable()
        return enable
      },
    },
  ],
  passkeys: [
    {
      by: 'a user: POST /passkey/verify-registration',
      max: passkeyOptions.defaults.maximumPasskeys,
      per: 'user',
      beyond: { status: 400, code: 'TOO_MANY_PASSKEYS' },
      async reach(app, have) {
        const { device, id } = await someone(app, 'Max')
        await insertCopies('passkeys', have, {
          ...{ id: 'p#', userId: id, publicKey: 'k', credentialID: 'p#', counter: 0, deviceType: 'singleDevice' },
          ...{ backedUp: false, aaguid: '', createdAt: new Date(1) },
        })
        return async () => {
          const { body } = await device.get('/passkey/generate-register-options')
          return device.post('/passkey/verify-registration', { response: new SoftwareAuthenticator().register(body) })
        }
      },
    },
  ],
  trusted_devices: [
    {
      by: 'a user: POST /two-factor/verify-backup-code with trustDevice',
      max: maxTrustedDevices,
      per: 'user',
      beyond: 'none',
      async reach(app, have) {
        stopClock()
        const { backupCodes } = await signUpProtected(app)
        const { id, userId } = (await rowOf('two_factors'))!
        await insertCopies('trusted_devices', have, {
          ...{ tokenHash: 'h#', userId, twoFactorId: id, securityVersion: 0, createdAt: new Date(1) },
          expiresAt: new Date(9_000_000_000_000),
        })
        return async () =>
          (await challenge(app)).post('/two-factor/verify-backup-code', { code: backupCodes[0], trustDevice: true })
      },
    },
  ],
  sign_in_methods: [
    {
      by: 'a user: POST /sign-in/email',
      max: 1,
      per: 'user and method',
      beyond: 'none',
      async reach(app) {
        const { person } = await withPassword(app)
        const signIn = () => app.device().post('/sign-in/email', person)
        await signIn()
        return signIn
      },
    },
  ],
  avatars: [
    {
      by: 'a user: POST /avatar',
      max: 1,
      per: 'user',
      beyond: 'none',
      async reach(app) {
        const { device } = await someone(app, 'Max')
        const upload = post(device, '/avatar', (n) => ({ webp: picture(16 + n) }))
        await upload(0)
        return upload
      },
    },
  ],
  api_keys: [
    {
      by: 'a user: POST /api-key/create',
      max: apiKeyOptions.defaults.keysPerOwner!,
      per: 'user',
      beyond: { status: 403, code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_API_KEYS' },
      async reach(app, have) {
        const { device, id } = await someone(app, 'Max')
        await insertCopies('api_keys', have, apiKey({ userId: id }))
        return post(device, '/api-key/create')
      },
    },
    {
      by: 'a guest: POST /api-key/create',
      max: apiKeyOptions.defaults.keysPerGuest!,
      per: 'guest',
      beyond: { status: 403, code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_API_KEYS' },
      async reach(app, have) {
        const device = app.device()
        await device.post('/sign-in/anonymous')
        await insertCopies('api_keys', have, apiKey({ userId: (await rowOf('users'))!.id }))
        return post(device, '/api-key/create')
      },
    },
    {
      by: 'an owner: POST /api-key/create',
      max: apiKeyOptions.defaults.keysPerOwner!,
      per: 'organization',
      beyond: { status: 403, code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_API_KEYS' },
      async reach(app, have) {
        const { id, owner } = await company(app, 'acme')
        await insertCopies('api_keys', have, apiKey({ organizationId: id }))
        return post(owner.device, '/api-key/create', () => ({ organizationId: id }))
      },
    },
    {
      by: 'a user: POST /api-key/create',
      max: daily.proven,
      per: 'user and day',
      beyond: tooMany,
      async reach(app, have) {
        const { device, id } = await someone(app, 'Max')
        await spendDay(`user:${id}`, have)
        return post(device, '/api-key/create')
      },
    },
  ],
  address_changes: [
    {
      by: 'a user: POST /change-email',
      max: 1,
      per: 'user',
      beyond: 'none',
      async reach(app) {
        const { device } = await verified(app, newPerson())
        const change = post(device, '/change-email', (n) => ({ newEmail: `changed-${n}@example.com` }))
        await change(0)
        return change
      },
    },
  ],
  address_reverts: [
    {
      by: 'a user: POST /change-email and its link',
      max: messageOptions.defaults.addressChangesPerPerson.max,
      per: 'user and hour',
      beyond: tooMany,
      async reach(app, have) {
        const person = newPerson()
        const { device } = await verified(app, person)
        const rule = messageOptions.defaults.addressChangesPerPerson
        await spendCounter(`address-change:${await idOf(person.email)}`, rule, have)
        return async (n) => {
          const { email } = (await rowOf('users'))!
          const newEmail = `changed-${n}@example.com`
          const asked = await device.post('/change-email', { newEmail })
          if (asked.status !== 200) return asked
          const confirm = async (to: string) =>
            device.get('/verify-email', { query: { token: await tokenTo(app, to) } })
          await confirm(email)
          return confirm(newEmail)
        }
      },
    },
  ],
  active_users: 'The cron trigger writes one row of each user.',
  used_records: [
    {
      by: 'a visitor: the use of a mailed link',
      max: 1,
      per: 'link',
      status: 302,
      beyond: 'none',
      async reach(app) {
        const email = 'used@example.com'
        await app.device().post('/sign-in/magic-link', { email })
        const token = await tokenTo(app, email)
        const use = () => app.device().get('/magic-link/verify', { query: { token, callbackURL: '/' } })
        await use()
        return use
      },
    },
  ],
}

const apiKey = (owner: { userId: string } | { organizationId: string }) => ({
  ...{ id: 'k#', keyHash: 'h#', enabled: true, rateLimitEnabled: true, requestCount: 0 },
  ...written(),
  ...owner,
})
