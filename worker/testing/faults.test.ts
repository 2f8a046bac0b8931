import { describe, expect, it, vi } from 'vitest'
import { enabledFeatures } from '../features.ts'
import { type Config, readConfig } from '../read-config.ts'
import { administrator, plain } from './admins.ts'
import { type Fault, FaultInjector } from './faults.ts'
import { type Answer, type Device, env, TestApp } from './harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  callback,
  codeOf,
  exchange,
  pkce,
  postForm,
  type RegisteredClient,
  registerClient,
} from './oauth.ts'
import { anotherDevice, company, invite, join, someone } from './organizations.ts'
import { OAuthProvider } from './outside/oauth-provider.ts'
import { reddit } from './outside/social/reddit.ts'
import { walk } from './outside/walk.ts'
import { addPasskey, assertOn, SoftwareAuthenticator } from './passkeys.ts'
import { signUp } from './people.ts'
import { picture } from './picture.ts'

/**
 * What becomes of a use case when one piece of its I/O fails. For every piece, before it was done and after: the
 * answer is a success, or a 503 that sets no session; the person can simply try again; and the data is whole.
 * Whoever adds an endpoint that writes adds it to the table.
 */
interface UseCase {
  /** Brings a fresh person to where the use case begins. */
  before(app: TestApp, person: Person): Promise<{ device: Device; given?: unknown }>
  /** The call under test. */
  act(device: Device, person: Person, given: never): Promise<Answer>
  /** What a repeated call may answer besides a success, when the first was done and its answer lost. */
  afterwards?: string[]
  /** Whether the person has a mail afterwards. */
  mails?: boolean
  config?: Config
}

interface Person {
  name: string
  email: string
  password: string
}

let people = 0
const somebody = (): Person => {
  people++
  return { name: 'Somebody', email: `somebody-${people}@example.com`, password: 'password1234' }
}

const tokenIn = async (app: TestApp, email: string) => {
  const link = new URL(await app.linkTo(email))
  return link.searchParams.get('token') ?? link.pathname.split('/').at(-1)!
}

const codeIn = async (app: TestApp, email: string) => (await app.mailbox()).find(({ to }) => to === email)!.codes[0]!

const signedIn = async (app: TestApp, person: Person) => ({ device: await signUp(app, person) })

const keyOf = async (app: TestApp, person: Person) => {
  const device = await signUp(app, person)
  return { device, given: (await device.post('/api-key/create', { name: 'key' })).body.id as string }
}

const numberOf = ({ email }: Person) => `+1555${email.replace(/\D/g, '').padStart(7, '0')}`

async function textedTo(app: TestApp, phoneNumber: string, device: Device = app.device()): Promise<string> {
  await device.post('/phone-number/send-otp', { phoneNumber })
  return codeIn(app, phoneNumber)
}

/** Somebody with a password and a number, proven. */
async function withNumber(app: TestApp, person: Person): Promise<void> {
  const device = await signUp(app, person)
  const code = await textedTo(app, numberOf(person), device)
  await device.post('/phone-number/verify', { phoneNumber: numberOf(person), code, updatePhoneNumber: true })
}

const slugOf = ({ email }: Person) => email.replace(/\W/g, '-')

/** The owner of an organization, and a member of it by id. */
async function withColleague(app: TestApp, person: Person) {
  const at = await company(app, slugOf(person))
  return { device: at.owner.device, given: await join(at, await someone(app, `colleague-of-${slugOf(person)}`)) }
}

const nameOf = ({ email }: Person) =>
  slugOf({ email } as Person)
    .split('-example')[0]!
    .replaceAll('-', '_')

/** The person, signed in without the cost of a password. */
const acquaintance = (app: TestApp, { email }: Person, changes?: { verified?: boolean }) =>
  someone(app, email.split('@')[0]!, changes)

const known = async (app: TestApp, person: Person) => ({ device: (await acquaintance(app, person)).device })

async function passkeyOf(app: TestApp, person: Person) {
  const { device } = await acquaintance(app, person)
  await addPasskey(device)
  return { device, given: (await device.get('/passkey/list-user-passkeys')).body[0].id as string }
}

/** Two accounts in one browser, and the session token of the one that is not shown. */
async function twoAccounts(app: TestApp, person: Person) {
  const device = await signUp(app, person)
  const given = device.cookie('session_token')!.split('.')[0]!
  await device.post('/sign-up/email', somebody())
  return { device, given }
}

async function withTeam(app: TestApp, person: Person) {
  const { owner } = await company(app, slugOf(person))
  await owner.device.post('/organization/create-team', { name: 'First' })
  const { body } = await owner.device.post('/organization/create-team', { name: 'Second' })
  return { device: owner.device, given: body.id as string }
}

/** The person, and an OAuth client of theirs. */
async function withClient(app: TestApp, person: Person) {
  const { device } = await acquaintance(app, person)
  return { device, given: await registerClient(device) }
}

const asClient = ({ client_id, client_secret }: RegisteredClient) => ({ client_id, client_secret })

/** As a server sends: without an Origin. */
const fromServer = { headers: { origin: '' } }

/** An administrator, and the id of somebody else. */
const administering = async (app: TestApp, person: Person) => ({
  device: (await administrator(app, person)).device,
  given: (await plain(app, somebody())).id,
})

/** A provider that tells no address. */
const atReddit = new OAuthProvider(reddit)

/** Made by libxcrypt from `user1password`. */
const bcrypt = '$2b$04$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W'

const useCases: Record<string, UseCase> = {
  'an address after a provider that tells none': {
    before: async (app, { email }) => {
      const device = app.device()
      atReddit.install().person = { id: email }
      await walk(device, atReddit)
      await device.post('/social/send-code', { email })
      return { device, given: await codeIn(app, email) }
    },
    act: (device, { email }, code) => device.post('/social/verify-code', { email, code }),
    afterwards: ['NO_SIGN_IN_IS_WAITING'],
  },
  'sign-up': {
    before: async (app) => ({ device: app.device() }),
    act: (device, person) => device.post('/sign-up/email', person),
    afterwards: ['USER_ALREADY_EXISTS'],
  },
  'sign-in': {
    before: async (app, person) => {
      await signUp(app, person)
      return { device: app.device() }
    },
    act: (device, { email, password }) => device.post('/sign-in/email', { email, password }),
  },
  'sign-in with a hash that was imported, which becomes our own': {
    before: async (app, person) => {
      await signUp(app, person)
      const of = 'select id from users where email = ?'
      await env.DB.prepare(`update accounts set password = ? where user_id = (${of})`).bind(bcrypt, person.email).run()
      return { device: app.device() }
    },
    act: (device, { email }) => device.post('/sign-in/email', { email, password: 'user1password' }),
  },
  guest: {
    before: async (app) => ({ device: app.device() }),
    act: (device) => device.post('/sign-in/anonymous'),
  },
  'sign-up with a passkey': {
    before: async (app, { email }) => {
      const device = app.device()
      const { body } = await device.post('/passkey/generate-sign-up-options', { email })
      return { device, given: new SoftwareAuthenticator().register(body) }
    },
    act: (device, { name, email }, response) => device.post('/sign-up/passkey', { name, email, response }),
    afterwards: ['USER_ALREADY_EXISTS', 'PREVIOUSLY_REGISTERED'],
  },
  'sign-in with a passkey': {
    before: async (app, person) => {
      const authenticator = await addPasskey(await signUp(app, person))
      const device = app.device()
      return { device, given: await assertOn(device, authenticator) }
    },
    act: (device, _person, response) => device.post('/passkey/verify-authentication', { response }),
    // The counter of that use is stored.
    afterwards: ['AUTHENTICATION_FAILED'],
  },
  'a passkey is added': {
    before: async (app, person) => {
      const device = await signUp(app, person)
      const { body } = await device.get('/passkey/generate-register-options')
      return { device, given: new SoftwareAuthenticator().register(body) }
    },
    act: (device, _person, response) => device.post('/passkey/verify-registration', { response }),
    afterwards: ['PREVIOUSLY_REGISTERED'],
  },
  'a session is handed over': {
    before: async (app, person) => {
      const { body } = await (await signUp(app, person)).get('/one-time-token/generate')
      return { device: app.device(), given: body.token }
    },
    act: (device, _person, token) => device.post('/one-time-token/verify', { token }),
  },
  'the mail of a reset': {
    before: async (app, person) => {
      await signUp(app, person)
      await app.clearMailbox()
      return { device: app.device() }
    },
    act: (device, { email }) => device.post('/request-password-reset', { email }),
    mails: true,
  },
  'the mail of a magic link': {
    before: async (app) => ({ device: app.device() }),
    act: (device, { email }) => device.post('/sign-in/magic-link', { email }),
    mails: true,
  },
  'the mail of a code': {
    before: async (app) => ({ device: app.device() }),
    act: (device, { email }) => device.post('/email-otp/send-verification-otp', { email, type: 'sign-in' }),
    mails: true,
  },
  'an authorization that hints at a person': {
    before: async (app, person) => {
      const device = await signUp(app, person)
      const client = await registerClient(device)
      const code = codeOf(await agree(device, authorizationRequest(client)))
      const { body } = await exchange(app, client, code)
      return { device, given: authorizationRequest(client, { id_token_hint: body.id_token, prompt: 'none' }) }
    },
    act: (device, _person, query) => device.get('/oauth2/authorize', { query }),
  },
  consent: {
    before: async (app, person) => {
      const device = await signUp(app, person)
      await authorize(device, authorizationRequest(await registerClient(device)))
      return { device }
    },
    act: (device) => device.post('/oauth2/consent', { accept: true }),
    afterwards: ['invalid_request'],
  },
  'reset by link': {
    before: async (app, person) => {
      await signUp(app, person)
      await app.device().post('/request-password-reset', { email: person.email })
      return { device: app.device(), given: await tokenIn(app, person.email) }
    },
    act: (device, _person, token) => device.post('/reset-password', { token, newPassword: 'another-password' }),
    afterwards: ['INVALID_TOKEN'],
  },
  'reset by code': {
    before: async (app, person) => {
      await signUp(app, person)
      await app.device().post('/forget-password/email-otp', { email: person.email })
      return { device: app.device(), given: await codeIn(app, person.email) }
    },
    act: (device, { email }, otp) =>
      device.post('/email-otp/reset-password', { email, otp, password: 'another-password' }),
    afterwards: ['INVALID_OTP'],
  },
  'sign-in by code': {
    before: async (app, person) => {
      await app.device().post('/email-otp/send-verification-otp', { email: person.email, type: 'sign-in' })
      return { device: app.device(), given: await codeIn(app, person.email) }
    },
    act: (device, { email }, otp) => device.post('/sign-in/email-otp', { email, otp }),
    afterwards: ['INVALID_OTP'],
  },
  'magic link': {
    before: async (app, person) => {
      await app.device().post('/sign-in/magic-link', { email: person.email })
      return { device: app.device(), given: await tokenIn(app, person.email) }
    },
    act: (device, _person, token) => device.get('/magic-link/verify', { query: { token } }),
    afterwards: ['INVALID_TOKEN'],
  },
  'magic link to an unverified account': {
    before: async (app, person) => {
      await signUp(app, person)
      await app.device().post('/sign-in/magic-link', { email: person.email })
      return { device: app.device(), given: await tokenIn(app, person.email) }
    },
    act: (device, _person, token) => device.get('/magic-link/verify', { query: { token } }),
    afterwards: ['INVALID_TOKEN'],
  },
  'verification by link': {
    before: async (app, person) => {
      await signUp(app, person)
      return { device: app.device(), given: await tokenIn(app, person.email) }
    },
    act: (device, _person, token) => device.get('/verify-email', { query: { token } }),
  },
  'verification by code': {
    before: async (app, person) => {
      await signUp(app, person)
      await app.device().post('/email-otp/send-verification-otp', { email: person.email, type: 'email-verification' })
      return { device: app.device(), given: await codeIn(app, person.email) }
    },
    act: (device, { email }, otp) => device.post('/email-otp/verify-email', { email, otp }),
    afterwards: ['INVALID_OTP'],
  },
  'sign-up with a number': {
    before: async (app, person) => ({ device: app.device(), given: await textedTo(app, numberOf(person)) }),
    act: (device, person, code) => device.post('/phone-number/verify', { phoneNumber: numberOf(person), code }),
    afterwards: ['INVALID_OTP', 'OTP_NOT_FOUND'],
  },
  'a number is confirmed': {
    before: async (app, person) => {
      const device = await signUp(app, person)
      return { device, given: await textedTo(app, numberOf(person), device) }
    },
    act: (device, person, code) =>
      device.post('/phone-number/verify', { phoneNumber: numberOf(person), code, updatePhoneNumber: true }),
    afterwards: ['INVALID_OTP', 'OTP_NOT_FOUND'],
  },
  'sign-in with a number and a password': {
    before: async (app, person) => {
      await withNumber(app, person)
      return { device: app.device() }
    },
    act: (device, person) =>
      device.post('/sign-in/phone-number', { phoneNumber: numberOf(person), password: person.password }),
  },
  'reset by a texted code': {
    before: async (app, person) => {
      await withNumber(app, person)
      const device = app.device()
      await device.post('/phone-number/request-password-reset', { phoneNumber: numberOf(person) })
      return { device, given: await codeIn(app, numberOf(person)) }
    },
    act: (device, person, otp) =>
      device.post('/phone-number/reset-password', {
        phoneNumber: numberOf(person),
        otp,
        newPassword: 'another-password',
      }),
    afterwards: ['INVALID_OTP', 'OTP_NOT_FOUND'],
  },
  'an API key is made': {
    before: signedIn,
    act: (device) => device.post('/api-key/create', { name: 'key' }),
  },
  'an API key is changed': {
    before: keyOf,
    act: (device, _person, keyId) => device.post('/api-key/update', { keyId, enabled: false }),
  },
  'an API key is deleted': {
    before: keyOf,
    act: (device, _person, keyId) => device.post('/api-key/delete', { keyId }),
    afterwards: ['API_KEY_NOT_FOUND'],
  },
  'change of password': {
    before: signedIn,
    act: (device, { password }) =>
      device.post('/change-password', { currentPassword: password, newPassword: 'another-password' }),
    afterwards: ['INVALID_PASSWORD'],
  },
  'change of password, other sessions revoked': {
    before: signedIn,
    act: (device, { password }) =>
      device.post('/change-password', {
        currentPassword: password,
        newPassword: 'another-password',
        revokeOtherSessions: true,
      }),
    afterwards: ['UNAUTHORIZED', 'INVALID_PASSWORD'],
  },
  'update of the user': { before: signedIn, act: (device) => device.post('/update-user', { name: 'Renamed' }) },
  'change of address': {
    before: signedIn,
    act: (device, { email }) => device.post('/change-email', { newEmail: `new-${email}` }),
    afterwards: ['EMAIL_IS_THE_SAME'],
  },
  'change of a verified address': {
    before: async (app, person) => {
      const device = await signUp(app, person)
      await device.get(await app.linkTo(person.email))
      return { device }
    },
    act: (device, { email }) => device.post('/change-email', { newEmail: `new-${email}` }),
  },
  'confirming a change of address': {
    before: async (app, person) => {
      const device = await signUp(app, person)
      await device.get(await app.linkTo(person.email))
      await app.clearMailbox()
      await device.post('/change-email', { newEmail: `new-${person.email}` })
      return { device, given: await tokenIn(app, person.email) }
    },
    act: (device, _person, token) => device.get('/verify-email', { query: { token } }),
    afterwards: ['UNAUTHORIZED', 'INVALID_TOKEN'],
  },
  'cancelling a change of address': {
    before: async (app, person) => {
      const device = await signUp(app, person)
      await device.get(await app.linkTo(person.email))
      await device.post('/change-email', { newEmail: `new-${person.email}` })
      return { device }
    },
    act: (device) => device.post('/change-email/cancel'),
  },
  'sign-out': { before: signedIn, act: (device) => device.post('/sign-out') },
  'deletion by password': {
    before: signedIn,
    act: (device, { password }) => device.post('/delete-user', { password }),
    afterwards: ['UNAUTHORIZED'],
  },
  'revoking other sessions': { before: signedIn, act: (device) => device.post('/revoke-other-sessions') },
  'creating an organization': {
    before: signedIn,
    act: (device, { email }) => device.post('/organization/create', { name: 'Team', slug: email.replace(/\W/g, '-') }),
    afterwards: ['ORGANIZATION_ALREADY_EXISTS'],
  },
  'inviting somebody': {
    before: async (app, person) => {
      const device = await signUp(app, person)
      await device.post('/organization/create', { name: 'Team', slug: person.email.replace(/\W/g, '-') })
      return { device }
    },
    act: (device, { email }) =>
      device.post('/organization/invite-member', { email: `friend-of-${email}`, role: 'member' }),
    afterwards: ['USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION'],
  },
  'accepting an invitation': {
    before: async (app, person) => {
      const at = await company(app, slugOf(person))
      const joining = await someone(app, person.email.split('@')[0]!)
      return { device: joining.device, given: await invite(at, person.email) }
    },
    act: (device, _person, invitationId) => device.post('/organization/accept-invitation', { invitationId }),
    afterwards: ['INVITATION_NOT_FOUND'],
  },
  'changing a role': {
    before: withColleague,
    act: (device, _person, memberId) => device.post('/organization/update-member-role', { memberId, role: 'admin' }),
  },
  'removing a member': {
    before: withColleague,
    act: (device, _person, memberIdOrEmail) => device.post('/organization/remove-member', { memberIdOrEmail }),
    afterwards: ['MEMBER_NOT_FOUND'],
  },
  'choosing the active organization': {
    before: withColleague,
    act: (device, person) => device.post('/organization/set-active', { organizationSlug: slugOf(person) }),
  },
  'deleting an organization': {
    before: async (app, person) => {
      const { owner, id } = await company(app, slugOf(person))
      return { device: owner.device, given: id }
    },
    act: (device, _person, organizationId) => device.post('/organization/delete', { organizationId }),
    afterwards: ['USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'],
  },
  'an administrator changes a role': {
    before: administering,
    act: (device, _person, userId) => device.post('/admin/set-role', { userId, role: 'admin' }),
  },
  'an administrator creates somebody': {
    before: administering,
    act: (device, { email }) =>
      device.post('/admin/create-user', { email: `made-by-${email}`, name: 'Made', password: 'password1234' }),
    afterwards: ['USER_ALREADY_EXISTS'],
  },
  'an administrator changes somebody': {
    before: administering,
    act: (device, _person, userId) => device.post('/admin/update-user', { userId, data: { name: 'Renamed' } }),
  },
  'an administrator bans somebody': {
    before: administering,
    act: (device, _person, userId) => device.post('/admin/ban-user', { userId }),
  },
  'an administrator sets a password': {
    before: administering,
    act: (device, _person, userId) => device.post('/admin/set-user-password', { userId, newPassword: 'password5678' }),
  },
  'an administrator ends all sessions of somebody': {
    before: administering,
    act: (device, _person, userId) => device.post('/admin/revoke-user-sessions', { userId }),
  },
  'an administrator removes somebody': {
    before: administering,
    act: (device, _person, userId) => device.post('/admin/remove-user', { userId }),
  },
  'an administrator acts as somebody': {
    before: administering,
    act: (device, _person, userId) => device.post('/admin/impersonate-user', { userId }),
  },
  'an administrator stops acting as somebody': {
    before: async (app, person) => {
      const { device, given } = await administering(app, person)
      await device.post('/admin/impersonate-user', { userId: given })
      return { device }
    },
    act: (device) => device.post('/admin/stop-impersonating'),
  },
  'a way in is taken away': {
    before: async (app, person) => {
      const { id, device } = await acquaintance(app, person)
      const insert = `insert into accounts (id, provider_id, account_id, user_id, created_at, updated_at)
        values (?1 || ?2, ?2, ?1, ?1, 1, 1)`
      await env.DB.batch(['reddit', 'google', 'github'].map((provider) => env.DB.prepare(insert).bind(id, provider)))
      return { device }
    },
    act: (device) => device.post('/unlink-account', { providerId: 'google' }),
    afterwards: ['ACCOUNT_NOT_FOUND'],
  },
  'a passkey is renamed': {
    before: passkeyOf,
    act: (device, _person, id) => device.post('/passkey/update-passkey', { id, name: 'Renamed' }),
  },
  'a passkey is deleted': {
    before: passkeyOf,
    act: (device, _person, id) => device.post('/passkey/delete-passkey', { id }),
    afterwards: ['PASSKEY_NOT_FOUND'],
  },
  'a picture': { before: known, act: (device) => device.post('/avatar', { webp: picture(64) }) },
  'a token for another place': { before: known, act: (device) => device.get('/one-time-token/generate') },
  'the mail of a verification': {
    before: async (app, person) => ({ device: (await acquaintance(app, person, { verified: false })).device }),
    act: (device, { email }) => device.post('/send-verification-email', { email }),
    mails: true,
  },
  'the mail of a code for a reset': {
    before: known,
    act: (device, { email }) => device.post('/forget-password/email-otp', { email }),
    mails: true,
  },
  'the link of a deletion mail': {
    config: { user: { deleteUser: { enabled: true, sendDeleteAccountVerification: true } } },
    before: async (app, person) => {
      const { device } = await known(app, person)
      await device.post('/delete-user')
      return { device, given: await tokenIn(app, person.email) }
    },
    act: (device, _person, token) => device.get('/delete-user/callback', { query: { token } }),
    afterwards: ['FAILED_TO_GET_USER_INFO'],
  },
  'ending one session': {
    before: async (app, person) => {
      const { id, device } = await acquaintance(app, person)
      const other = await anotherDevice(app, id)
      return { device, given: other.cookie('session_token')!.split('.')[0] }
    },
    act: (device, _person, token) => device.post('/revoke-session', { token }),
    afterwards: ['SESSION_NOT_FOUND'],
  },
  'ending all sessions': {
    before: known,
    act: (device) => device.post('/revoke-sessions'),
    afterwards: ['UNAUTHORIZED'],
  },
  'another account of this browser': {
    before: twoAccounts,
    act: (device, _person, sessionToken) => device.post('/multi-session/set-active', { sessionToken }),
  },
  'an account leaves this browser': {
    before: twoAccounts,
    act: (device, _person, sessionToken) => device.post('/multi-session/revoke', { sessionToken }),
  },
  'sign-in with a name': {
    before: async (app, person) => {
      await signUp(app, person, { username: nameOf(person) })
      return { device: app.device() }
    },
    act: (device, person) => device.post('/sign-in/username', { username: nameOf(person), password: person.password }),
  },
  'rejecting an invitation': {
    before: async (app, person) => {
      const at = await company(app, slugOf(person))
      const { device } = await acquaintance(app, person)
      return { device, given: await invite(at, person.email) }
    },
    act: (device, _person, invitationId) => device.post('/organization/reject-invitation', { invitationId }),
    afterwards: ['INVITATION_NOT_FOUND'],
  },
  'cancelling an invitation': {
    before: async (app, person) => {
      const at = await company(app, slugOf(person))
      return { device: at.owner.device, given: await invite(at, person.email) }
    },
    act: (device, _person, invitationId) => device.post('/organization/cancel-invitation', { invitationId }),
    afterwards: ['INVITATION_NOT_FOUND'],
  },
  'leaving an organization': {
    before: async (app, person) => {
      const at = await company(app, slugOf(person))
      const member = await acquaintance(app, person)
      await join(at, member)
      return { device: member.device, given: at.id }
    },
    act: (device, _person, organizationId) => device.post('/organization/leave', { organizationId }),
    afterwards: ['MEMBER_NOT_FOUND'],
  },
  'changing an organization': {
    before: withColleague,
    act: (device) => device.post('/organization/update', { data: { name: 'Renamed' } }),
  },
  'a team is made': {
    before: withColleague,
    act: (device) => device.post('/organization/create-team', { name: 'Team' }),
    afterwards: ['TEAM_ALREADY_EXISTS'],
  },
  'a team is renamed': {
    before: withTeam,
    act: (device, _person, teamId) => device.post('/organization/update-team', { teamId, data: { name: 'Renamed' } }),
  },
  'a team is removed': {
    before: withTeam,
    act: (device, _person, teamId) => device.post('/organization/remove-team', { teamId }),
    afterwards: ['TEAM_NOT_FOUND'],
  },
  'an administrator lifts a ban': {
    before: async (app, person) => {
      const { device, given } = await administering(app, person)
      await device.post('/admin/ban-user', { userId: given })
      return { device, given }
    },
    act: (device, _person, userId) => device.post('/admin/unban-user', { userId }),
  },
  'an administrator ends a session of somebody': {
    before: async (app, person) => {
      const { device, given } = await administering(app, person)
      const { body } = await device.post('/admin/list-user-sessions', { userId: given })
      return { device, given: body.sessions[0].token }
    },
    act: (device, _person, sessionToken) => device.post('/admin/revoke-user-session', { sessionToken }),
  },
  'a client registers': {
    before: known,
    act: (device) => device.post('/oauth2/register', { redirect_uris: [callback], client_name: 'Client' }),
  },
  'a client is changed': {
    before: withClient,
    act: (device, _person, { client_id: clientId }: RegisteredClient) =>
      device.post('/oauth2/update-client', { clientId, name: 'Renamed' }),
  },
  'a client gets another secret': {
    before: withClient,
    act: (device, _person, { client_id: clientId }: RegisteredClient) =>
      device.post('/oauth2/rotate-client-secret', { clientId }),
  },
  'a client is deleted': {
    before: withClient,
    act: (device, _person, { client_id: clientId }: RegisteredClient) =>
      device.post('/oauth2/delete-client', { clientId }),
    afterwards: ['CLIENT_NOT_FOUND'],
  },
  'a connection ends': {
    before: async (app, person) => {
      const { device, given } = await withClient(app, person)
      await agree(device, authorizationRequest(given))
      return { device, given: given.client_id }
    },
    act: (device, _person, clientId) => device.post('/oauth2/delete-connection', { clientId }),
    afterwards: ['CONNECTION_NOT_FOUND'],
  },
  'tokens for a code': {
    before: async (app, person) => {
      const { device, given } = await withClient(app, person)
      const code = codeOf(await agree(device, authorizationRequest(given)))
      return { device: app.device(), given: { ...asClient(given), grant_type: 'authorization_code', code } }
    },
    act: (device, _person, form: object) =>
      device.post('/oauth2/token', { ...form, redirect_uri: callback }, fromServer),
    afterwards: ['invalid_grant'],
  },
  'a token is revoked': {
    before: async (app, person) => {
      const { device, given } = await withClient(app, person)
      const { body } = await exchange(app, given, codeOf(await agree(device, authorizationRequest(given))))
      return { device: app.device(), given: { ...asClient(given), token: body.access_token } }
    },
    act: (device, _person, form) => device.post('/oauth2/revoke', form, fromServer),
  },
  'a request that is pushed': {
    before: async (app, person) => {
      const { given } = await withClient(app, person)
      return { device: app.device(), given: { ...authorizationRequest(given), ...asClient(given) } }
    },
    act: (device, _person, form) => device.post('/oauth2/par', form, fromServer),
  },
  'an application signs its person out': {
    before: async (app, person) => {
      const { device, given } = await withClient(app, person)
      const { body } = await exchange(app, given, codeOf(await agree(device, authorizationRequest(given))))
      return { device, given: { id_token_hint: body.id_token } }
    },
    act: (device, _person, query) => device.get('/oauth2/end-session', { query }),
  },
}

/** What must never be, as queries that find it. */
const broken = {
  'bans without a line in the audit log':
    "select id from users where banned and id not in (select subject_id from admin_audit where action = 'ban-user')",
  'organizations without a member':
    'select id from organizations where id not in (select organization_id from members)',
  'guests whom nobody can reach':
    'select id from users where is_anonymous and id not in (select user_id from sessions)',
  'imported hashes of people who have signed in with them':
    "select id from accounts where password like '$2b$%' and user_id in (select user_id from sessions where method = 'email')",
}

/** What must hold after anything. */
async function expectWhole(): Promise<void> {
  const found = await env.DB.batch(Object.values(broken).map((query) => env.DB.prepare(query)))
  const names = Object.keys(broken).filter((_, at) => found[at]!.results.length > 0)
  expect(names).toEqual([])
}

const sessionsIn = ({ cookies }: Answer) =>
  cookies.filter((line) => line.includes('session_token=') && !line.includes('Max-Age=0'))

describe.each(Object.entries(useCases))(
  '%s, with one piece of I/O that fails',
  (_name, { before, act, afterwards = [], mails = false, config: more = {} }) => {
    it('ends well or as a 503, and can be repeated', async () => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      vi.spyOn(console, 'warn').mockImplementation(() => {})
      const faults = new FaultInjector()
      const config = {
        rateLimit: { enabled: false },
        phoneNumber: { signUpOnVerification: true },
        passkey: { signUp: true },
        socialProviders: { reddit: atReddit.options },
        account: { askForEmail: true },
        organization: { teams: { enabled: true } },
        ...more,
      }
      const app = new TestApp(config, faults.bindings(), false)
      const run = async (fault: Fault | null) => {
        const person = somebody()
        const { device, given } = await before(app, person)
        if (fault) faults.arm(fault)
        else faults.watch()
        const answer = await act(device, person, given as never)
        const calls = [...faults.calls]
        faults.watch()
        return { answer, calls, device, person, given }
      }
      const { answer: plain, calls } = await run(null)
      expect(plain.status, JSON.stringify(plain.body)).toBeLessThan(400)

      for (let at = 1; at <= calls.length; at++) {
        for (const when of ['before', 'after'] as const) {
          const what = `${calls[at - 1]} (${at} of ${calls.length}) fails ${when} it was done`
          const { answer, device, person, given } = await run({ at, when })
          expect([what, answer.headers.get('location')?.match(/[?&]error=(.*)/)?.[0]]).toEqual([what, undefined])
          if (answer.status >= 400) {
            expect([what, answer.status, answer.body]).toEqual([
              what,
              503,
              { code: 'UNAVAILABLE', message: expect.any(String) },
            ])
            expect(answer.headers.get('retry-after'), what).toBe('5')
            expect([what, sessionsIn(answer)]).toEqual([what, []])
            const again = await act(device, person, given as never)
            const code = again.headers.get('location')?.split('error=')[1] ?? again.body?.code ?? again.body?.error
            if (again.status >= 400 || code)
              expect([...afterwards, undefined], `${what}; then ${again.status}`).toContain(code)
            if (when === 'before')
              expect([what, again.status < 400 && !code, again.body]).toEqual([what, true, again.body])
          }
          if (mails)
            expect([what, (await app.mailbox()).map(({ to }) => to)]).toEqual([
              what,
              expect.arrayContaining([person.email]),
            ])
        }
        await app.runScheduled()
        await expectWhole()
      }
      vi.restoreAllMocks()
    }, 60_000)
  },
)

/** Endpoints that write and need no row here: they have one in a table of their feature's own, or write what nobody misses. */
const elsewhere: Record<string, string[]> = {
  'two-factor/faults.test.ts': ['/two-factor/'],
  'billing/faults.test.ts': ['/usage/ingest', '/polar/webhooks'],
  'social/faults.test.ts: state, callback, tokens': [
    '/sign-in/social',
    '/callback/:id',
    '/link-social',
    '/get-access-token',
    '/refresh-token',
    '/account-info',
    '/social/send-code',
  ],
  'the use cases of /callback/:id by other paths': [
    '/sign-in/oauth2',
    '/oauth2/callback/:providerId',
    '/oauth2/link',
    '/one-tap/callback',
    '/oauth-proxy-callback',
  ],
  'the use cases of /oauth2 by other paths; off, unless the configuration names a resource': ['/mcp/'],
  'one record, which is put again': [
    '/passkey/generate-',
    '/oauth2/device_authorization',
    '/phone-number/send-otp',
    '/phone-number/request-password-reset',
  ],
  'other names of a path': ['/forget-password', '/phone-number/forget-password'],
  'an outage, below': ['/oauth2/device/answer'],
}

it('every endpoint that writes has a row', () => {
  const acts = Object.values(useCases).map(({ act }) => act.toString())
  const isCovered = (path: string) => acts.some((act) => act.includes(`'${path}'`) || act.includes(`"${path}"`))
  const isElsewhere = (path: string) =>
    Object.values(elsewhere).some((paths) =>
      paths.some((one) => (/[/-]$/.test(one) ? path.startsWith(one) : path === one)),
    )
  const writing = enabledFeatures(readConfig({}, env).options)
    .flatMap(({ routes }) => Object.values(routes?.contract ?? {}))
    .filter(({ changes }) => changes.length > 0)
    .map(({ path }) => path)
  expect(writing.length).toBeGreaterThan(100)
  expect([...new Set(writing)].filter((path) => !isCovered(path) && !isElsewhere(path))).toEqual([])
})

describe('an outage', () => {
  it('of D1 takes no guess from anybody: 25 right passwords, then one that works', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings(), false)
    const person = somebody()
    await signUp(app, person)
    const device = app.device()
    faults.outage('D1')
    for (let n = 0; n < 25; n++) expect((await device.post('/sign-in/email', person)).status).toBe(503)
    faults.watch()
    expect((await device.post('/sign-in/email', person)).status).toBe(200)
    vi.restoreAllMocks()
  })

  it('of D1 takes no guess at a code either: 12 right ones, then one that works', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const open = { rateLimit: { enabled: false }, phoneNumber: { signUpOnVerification: true } }
    const app = new TestApp(open, faults.bindings(), false)
    const { email } = somebody()
    const phoneNumber = '+15550007777'
    await app.device().post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
    await app.device().post('/phone-number/send-otp', { phoneNumber })
    const codeTo = async (to: string) => (await app.mailbox()).find((entry) => entry.to === to)!.codes[0]
    const uses = [
      ['/sign-in/email-otp', { email, otp: await codeTo(email) }],
      ['/phone-number/verify', { phoneNumber, code: await codeTo(phoneNumber) }],
    ] as const
    for (const [path, body] of uses) {
      faults.outage('D1')
      for (let n = 0; n < 12; n++) expect((await app.device().post(path, body)).status).toBe(503)
      faults.watch()
      expect((await app.device().post(path, body)).status).toBe(200)
    }
    vi.restoreAllMocks()
  })

  it('of the objects uses up no consent and no answer to a device', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings(), false)
    const device = await signUp(app, somebody())
    const client = await registerClient(device, {
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_method: 'none',
    })
    const { request } = pkce()
    await authorize(device, authorizationRequest(client, request))
    const begun = await postForm(app, '/oauth2/device_authorization', { client_id: client.client_id, scope: 'openid' })
    const agreeing = () => device.post('/oauth2/consent', { accept: true })
    const answering = () => device.post('/oauth2/device/answer', { user_code: begun.body.user_code, accept: true })
    faults.outage('ONE_TIME put')
    expect([(await agreeing()).status, (await answering()).status]).toEqual([503, 503])
    faults.watch()
    expect([(await agreeing()).status, (await answering()).status]).toEqual([200, 200])
    vi.restoreAllMocks()
  })

  it('of KV and of the counters lets ordinary requests pass', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { storage: 'durable-object' } }, faults.bindings(), false)
    const device = await signUp(app, somebody())
    faults.outage('COUNTER')
    expect((await device.get('/list-sessions')).status).toBe(200)
    faults.outage('KV')
    expect((await device.get('/list-sessions')).status).toBe(200)
    vi.restoreAllMocks()
  })

  it.each(['/reset-password/some-token?callbackURL=/', '/magic-link/verify?token=x', '/delete-user/callback?token=x'])(
    'is a page for a browser that follows a link, without a word about what failed: %s',
    async (link) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      const faults = new FaultInjector()
      const app = new TestApp({}, faults.bindings(), false)
      const device = await signUp(app, somebody())
      faults.outage(link.startsWith('/magic-link') ? 'KV' : 'D1')
      const headers = { 'sec-fetch-mode': 'navigate', accept: 'text/html' }
      const answer = await device.get(link, { headers })
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      expect(answer.headers.get('content-type')).toContain('text/html')
      expect(answer.body).not.toContain('injected')
      expect(log.mock.calls.join()).toContain('injected')
      vi.restoreAllMocks()
    },
  )
})

describe('the log of a fault', () => {
  it('has the cause, and neither parameters nor tokens', async () => {
    const lines: string[] = []
    for (const level of ['error', 'warn', 'info'] as const) {
      vi.spyOn(console, level).mockImplementation((line) => lines.push(String(line)))
    }
    const faults = new FaultInjector()
    const app = new TestApp({ rateLimit: { enabled: false } }, faults.bindings(), false)
    const person = somebody()
    const device = await signUp(app, person)
    const token = device.cookie('session_token')!.split('.')[0]!
    faults.outage('D1')
    await device.get('/list-sessions')
    await app.device().post('/sign-in/email', person)
    await app.device().post('/sign-up/email', somebody())
    const text = lines.join('\n')
    expect(text).toContain('injected: D1')
    expect(text).not.toContain(token)
    expect(text).not.toContain('@example.com')
    expect(text).not.toMatch(/params|insert into|select "/)
    vi.restoreAllMocks()
  })
})
