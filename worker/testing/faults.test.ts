import { describe, expect, it, vi } from 'vitest'
import { administrator, plain } from './admins.ts'
import { type Fault, FaultInjector } from './faults.ts'
import { type Answer, type Device, env, TestApp } from './harness.ts'
import { agree, authorizationRequest, authorize, codeOf, exchange, pkce, postForm, registerClient } from './oauth.ts'
import { company, invite, join, someone } from './organizations.ts'
import { OAuthProvider } from './outside/oauth-provider.ts'
import { reddit } from './outside/social/reddit.ts'
import { walk } from './outside/walk.ts'
import { addPasskey, assertOn, SoftwareAuthenticator } from './passkeys.ts'
import { signUp } from './people.ts'

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
}

/** What must hold after anything. */
async function expectWhole(): Promise<void> {
  const empty = async (query: string) => (await env.DB.prepare(query).all()).results
  expect(
    await empty(
      "select id from users where banned and id not in (select subject_id from admin_audit where action = 'ban-user')",
    ),
    'bans without a line in the audit log',
  ).toEqual([])
  expect(
    await empty('select id from organizations where id not in (select organization_id from members)'),
    'organizations without a member',
  ).toEqual([])
  expect(
    await empty('select id from users where is_anonymous and id not in (select user_id from sessions)'),
    'guests whom nobody can reach',
  ).toEqual([])
  expect(
    await empty(
      "select id from accounts where password like '$2b$%' and user_id in (select user_id from sessions where method = 'email')",
    ),
    'imported hashes of people who have signed in with them',
  ).toEqual([])
}

const sessionsIn = ({ cookies }: Answer) =>
  cookies.filter((line) => line.includes('session_token=') && !line.includes('Max-Age=0'))

describe.each(Object.entries(useCases))(
  '%s, with one piece of I/O that fails',
  (_name, { before, act, afterwards = [], mails = false }) => {
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
            const code = again.headers.get('location')?.split('error=')[1] ?? again.body?.code
            if (again.status >= 400 || code)
              expect([...afterwards, undefined], `${what}; then ${again.status}`).toContain(code)
            if (when === 'before')
              expect([what, again.status < 400 && !code, again.body]).toEqual([what, true, again.body])
          }
          await app.runScheduled()
          if (mails)
            expect([what, (await app.mailbox()).map(({ to }) => to)]).toEqual([
              what,
              expect.arrayContaining([person.email]),
            ])
          await expectWhole()
        }
      }
      vi.restoreAllMocks()
    }, 60_000)
  },
)

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

  it.each([
    '/reset-password/some-token?callbackURL=/',
    '/magic-link/verify?token=x',
    '/delete-user/callback?token=x',
  ])('is a page for a browser that follows a link, without a word about what failed: %s', async (link) => {
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
  })
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
