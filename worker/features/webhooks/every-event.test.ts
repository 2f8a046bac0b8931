import { afterEach, describe, expect, it, vi } from 'vitest'
import { type EventType, eventTypes } from '../../identity/events/events.ts'
import type { Config } from '../../read-config.ts'
import { administrator, plain } from '../../testing/admins.ts'
import { codeOf } from '../../testing/authenticator.ts'
import { type Device, env, TestApp } from '../../testing/harness.ts'
import { type Company, company, invite, join, someone } from '../../testing/organizations.ts'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { google } from '../../testing/outside/social/google.ts'
import { walk } from '../../testing/outside/walk.ts'
import { installReceivers, WebhookReceiver, webhookSecret } from '../../testing/outside/webhook-receiver.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { picture } from '../../testing/picture.ts'
import { stopClock } from '../../testing/two-factor.ts'
import { createUser } from '../admin/create-user.ts'
import { setRole } from '../admin/set-role.ts'
import { hookOptions } from '../hooks/hooks.config.ts'
import { createOrganizationFor } from '../organization/create-organization.ts'
import { addMember } from '../organization/members/members.ts'

/**
 * Every way to do what there are events for: what receivers and hooks are told of it. Budgets hold with both on, for
 * the harness fails a request that costs more than its endpoint declares.
 */

interface World {
  app: TestApp
  provider: OAuthProvider
  /** From here on it counts. */
  begin(): Promise<void>
}

const world = async (): Promise<World & { told: string[] }> => {
  const provider = new OAuthProvider(google).install()
  const receiver = new WebhookReceiver()
  installReceivers(receiver)
  const told: string[] = []
  const names = Object.keys(hookOptions.defaults)
  const hooks = Object.fromEntries(names.map((name) => [name, () => void told.push(name)]))
  const app = new TestApp(
    {
      rateLimit: { enabled: false },
      user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
      socialProviders: { google: { ...provider.options, overrideUserInfoOnSignIn: true } },
      phoneNumber: { signUpOnVerification: true },
      webhooks: { endpoints: [{ url: receiver.url, events: ['*'], secrets: ['WEBHOOK_SECRET_ACME'] }] },
      hooks,
    } as Config,
    { WEBHOOK_SECRET_ACME: webhookSecret('a') } as object,
  )
  const begin = async () => {
    await env.DB.prepare('delete from webhook_deliveries').run()
    told.length = 0
  }
  return { app, provider, begin, told }
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const codeTo = async (app: TestApp, to: string) => (await app.mailbox()).find((entry) => entry.to === to)!.codes[0]!
const tokenTo = async (app: TestApp, to: string) => new URL(await app.linkTo(to)).pathname.split('/').at(-1)!
const number = '+15550001111'

const answered = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(body)}`)
}

async function serverCall(app: TestApp, work: (scope: ReturnType<TestApp['openScope']>['scope']) => Promise<unknown>) {
  const { scope, settle } = app.openScope()
  await work(scope)
  await settle()
}

async function proveNumber(app: TestApp, device: Device, more: object = {}): Promise<void> {
  await answered(device.post('/phone-number/send-otp', { phoneNumber: number }))
  const code = await codeTo(app, number)
  await answered(device.post('/phone-number/verify', { phoneNumber: number, code, ...more }))
}

type Way = (world: World) => Promise<void>

const atCompany =
  (
    work: (at: Company, world: World) => Promise<void>,
    before: (at: Company, app: TestApp) => Promise<unknown> = async () => {},
  ): Way =>
  async (world) => {
    const at = await company(world.app, 'acme')
    await before(at, world.app)
    await world.begin()
    await work(at, world)
  }

/** A company with a colleague of its owner. */
const withColleague =
  (
    work: (at: Company, colleague: { id: string; device: Device; member: string }, world: World) => Promise<void>,
  ): Way =>
  async (world) => {
    const at = await company(world.app, 'acme')
    const person = await someone(world.app, 'Carol')
    const member = await join(at, person)
    await world.begin()
    await work(at, { ...person, member }, world)
  }

const signedUp =
  (work: (device: Device, world: World) => Promise<void>): Way =>
  async (world) => {
    const device = await signUp(world.app, alice)
    await world.begin()
    await work(device, world)
  }

const asAdmin =
  (work: (admin: Device, userId: string, world: World) => Promise<void>): Way =>
  async (world) => {
    const admin = await administrator(world.app)
    const { id } = await plain(world.app, alice)
    await world.begin()
    await work(admin.device, id, world)
  }

const created: EventType[] = ['user.created', 'session.created']
const hooksOfCreation = ['creatingUser', 'signingIn', 'sessionIssued', 'userCreated']

const table: [way: string, does: Way, events: EventType[], hooks: string[]][] = [
  ['sign-up', ({ app }) => signUp(app, alice).then(() => {}), created, hooksOfCreation],
  ['guest', ({ app }) => answered(app.device().post('/sign-in/anonymous')), created, hooksOfCreation],
  [
    'sign-up by magic link',
    async ({ app }) => {
      const device = app.device()
      await device.post('/sign-in/magic-link', { email: alice.email })
      await answered(device.get(await app.linkTo(alice.email)))
    },
    created,
    hooksOfCreation,
  ],
  [
    'sign-up by mailed code',
    async ({ app }) => {
      const { email } = alice
      await app.device().post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
      await answered(app.device().post('/sign-in/email-otp', { email, otp: await codeTo(app, email) }))
    },
    created,
    hooksOfCreation,
  ],
  ['sign-up by number', ({ app }) => proveNumber(app, app.device()), created, hooksOfCreation],
  [
    'sign-up at a provider',
    async ({ app, provider }) => answered(walk(app.device(), provider)),
    created,
    hooksOfCreation,
  ],
  [
    'sign-in at a provider, whose name is another now',
    async ({ app, provider, begin }) => {
      await walk(app.device(), provider)
      await env.DB.prepare("update users set name = 'Before'").run()
      await begin()
      await answered(walk(app.device(), provider))
    },
    ['user.updated', 'session.created'],
    ['updatingUser', 'signingIn', 'sessionIssued', 'userUpdated'],
  ],
  [
    'an administrator creates somebody',
    async ({ app, begin }) => {
      const { device } = await administrator(app)
      await begin()
      await answered(device.post('/admin/create-user', bob))
    },
    ['user.created'],
    ['creatingUser', 'userCreated'],
  ],
  [
    'a server creates somebody',
    ({ app }) => serverCall(app, (scope) => createUser(scope, null, bob)),
    ['user.created'],
    ['creatingUser', 'userCreated'],
  ],
  [
    'sign-in',
    signedUp((_, { app }) => answered(app.device().post('/sign-in/email', alice))),
    ['session.created'],
    ['signingIn', 'sessionIssued'],
  ],
  ['sign-out', signedUp((device) => answered(device.post('/sign-out'))), ['session.ended'], ['signedOut']],
  [
    'sign-out of several accounts',
    signedUp(async (device, { begin }) => {
      await device.post('/sign-up/email', bob)
      await begin()
      await answered(device.post('/sign-out'))
    }),
    ['session.ended', 'session.ended'],
    ['signedOut', 'signedOut'],
  ],
  [
    'a session is revoked',
    signedUp(async (device) =>
      answered(device.post('/revoke-session', { token: device.cookie('session_token')!.split('.')[0] })),
    ),
    ['session.ended'],
    [],
  ],
  ['all sessions are revoked', signedUp((device) => answered(device.post('/revoke-sessions'))), ['session.ended'], []],
  [
    'a password change ends other sessions',
    signedUp(async (device, { app, begin }) => {
      await app.device().post('/sign-in/email', alice)
      await begin()
      const change = { currentPassword: alice.password, newPassword: 'another-password', revokeOtherSessions: true }
      await answered(device.post('/change-password', change))
    }),
    ['session.ended', 'session.created', 'session.ended'],
    ['sessionIssued'],
  ],
  [
    'a name is changed',
    signedUp((device) => answered(device.post('/update-user', { name: 'Al' }))),
    ['user.updated'],
    ['updatingUser', 'userUpdated'],
  ],
  [
    'a picture is uploaded',
    signedUp((device) => answered(device.post('/avatar', { webp: picture(16) }))),
    ['user.updated'],
    ['updatingUser', 'userUpdated'],
  ],
  [
    'an unverified address is replaced',
    signedUp((device) => answered(device.post('/change-email', { newEmail: 'a@example.com' }))),
    ['user.updated'],
    ['updatingUser', 'userUpdated'],
  ],
  [
    'a verified address is changed by link',
    signedUp(async (device, { app, begin }) => {
      await env.DB.prepare('update users set email_verified = 1').run()
      await device.post('/change-email', { newEmail: 'a@example.com' })
      await begin()
      await answered(device.get(await app.linkTo(alice.email)))
    }),
    ['user.updated'],
    ['userUpdated'],
  ],
  [
    'an address is verified',
    signedUp(async (device, { app }) => answered(device.get(await app.linkTo(alice.email)))),
    ['user.updated'],
    ['userUpdated'],
  ],
  [
    'an address is proven by somebody else than who signed up',
    signedUp(async (_, { app }) => {
      await app.device().post('/sign-in/magic-link', { email: alice.email })
      await answered(app.device().get(await app.linkTo(alice.email)))
    }),
    ['session.ended', 'user.updated', 'session.created'],
    ['signingIn', 'sessionIssued', 'userUpdated'],
  ],
  [
    'a number becomes theirs',
    signedUp((device, { app }) => proveNumber(app, device, { updatePhoneNumber: true })),
    ['user.updated'],
    ['updatingUser', 'userUpdated'],
  ],
  [
    'a claimed number is proven',
    async ({ app, begin }) => {
      const device = await signUp(app, alice, { phoneNumber: number })
      await begin()
      await proveNumber(app, device, { disableSession: true })
    },
    ['user.updated'],
    ['userUpdated'],
  ],
  [
    'two-factor is switched on',
    signedUp(async (device, { begin }) => {
      stopClock()
      const { totpURI } = (await device.post('/two-factor/enable', { password: alice.password })).body
      await begin()
      await answered(device.post('/two-factor/verify-totp', { code: await codeOf(totpURI, -1) }))
    }),
    ['user.updated', 'session.created', 'session.ended'],
    ['sessionIssued', 'userUpdated'],
  ],
  [
    'a password is reset by link',
    signedUp(async (_, { app, begin }) => {
      await app.device().post('/request-password-reset', { email: alice.email })
      await begin()
      await answered(
        app
          .device()
          .post('/reset-password', { token: await tokenTo(app, alice.email), newPassword: 'another-password' }),
      )
    }),
    // The mail also proves the address.
    ['session.ended', 'user.updated', 'password.reset'],
    ['userUpdated', 'passwordReset'],
  ],
  [
    'a password is reset by mailed code',
    signedUp(async (_, { app, begin }) => {
      await env.DB.prepare('update users set email_verified = 1').run()
      await app.device().post('/forget-password/email-otp', { email: alice.email })
      await begin()
      const otp = await codeTo(app, alice.email)
      await answered(
        app.device().post('/email-otp/reset-password', { email: alice.email, otp, password: 'another-password' }),
      )
    }),
    ['session.ended', 'password.reset'],
    ['passwordReset'],
  ],
  [
    'a password is reset by text message',
    signedUp(async (device, { app, begin }) => {
      await proveNumber(app, device, { updatePhoneNumber: true })
      await app.device().post('/phone-number/forget-password', { phoneNumber: number })
      await begin()
      const otp = await codeTo(app, number)
      await answered(
        app
          .device()
          .post('/phone-number/reset-password', { phoneNumber: number, otp, newPassword: 'another-password' }),
      )
    }),
    ['session.ended', 'password.reset'],
    ['passwordReset'],
  ],
  [
    'an administrator sets a password',
    asAdmin((admin, userId) =>
      answered(admin.post('/admin/set-user-password', { userId, newPassword: 'another-password' })),
    ),
    ['session.ended', 'password.reset'],
    ['passwordReset'],
  ],
  [
    'an administrator changes a profile',
    asAdmin((admin, userId) => answered(admin.post('/admin/update-user', { userId, data: { name: 'Al' } }))),
    ['user.updated'],
    ['updatingUser', 'userUpdated'],
  ],
  [
    'an administrator gives a role',
    asAdmin((admin, userId) => answered(admin.post('/admin/set-role', { userId, role: 'admin' }))),
    ['user.updated'],
    ['userUpdated'],
  ],
  [
    'a server gives a role',
    asAdmin((_, userId, { app }) => serverCall(app, (scope) => setRole(scope, null, userId, 'admin'))),
    ['user.updated'],
    ['userUpdated'],
  ],
  [
    'an administrator bans',
    asAdmin((admin, userId) => answered(admin.post('/admin/ban-user', { userId }))),
    ['user.updated', 'session.ended'],
    ['userUpdated'],
  ],
  [
    'an administrator lifts a ban',
    asAdmin(async (admin, userId, { begin }) => {
      await admin.post('/admin/ban-user', { userId })
      await begin()
      await answered(admin.post('/admin/unban-user', { userId }))
    }),
    ['user.updated'],
    ['userUpdated'],
  ],
  [
    'an administrator revokes sessions',
    asAdmin((admin, userId) => answered(admin.post('/admin/revoke-user-sessions', { userId }))),
    ['session.ended'],
    [],
  ],
  [
    'an administrator acts as somebody, and stops',
    asAdmin(async (admin, userId) => {
      await answered(admin.post('/admin/impersonate-user', { userId }))
      await answered(admin.post('/admin/stop-impersonating'))
    }),
    ['session.created', 'session.ended'],
    ['signingIn', 'sessionIssued'],
  ],
  [
    'an administrator removes somebody',
    asAdmin((admin, userId) => answered(admin.post('/admin/remove-user', { userId }))),
    ['session.ended', 'user.deleted'],
    ['deletingUser', 'userDeleted'],
  ],
  [
    'somebody deletes their account',
    signedUp((device) => answered(device.post('/delete-user', { password: alice.password }))),
    ['session.ended', 'user.deleted'],
    ['deletingUser', 'userDeleted'],
  ],
  [
    'a guest signs up, and is gone',
    async ({ app, begin }) => {
      const device = app.device()
      await device.post('/sign-in/anonymous')
      await begin()
      await answered(device.post('/sign-up/email', alice))
      // The guest is deleted after the answer.
      await app.runScheduled()
    },
    ['user.created', 'session.created', 'session.ended', 'user.deleted'],
    [...hooksOfCreation, 'deletingUser', 'userDeleted'],
  ],
  [
    'an organization is created',
    async ({ app, begin }) => {
      const { device } = await someone(app, 'Carol')
      await begin()
      await answered(device.post('/organization/create', { name: 'Acme', slug: 'acme' }))
    },
    ['organization.created', 'member.added'],
    ['organizationCreated', 'memberAdded'],
  ],
  [
    'a server creates an organization',
    async ({ app, begin }) => {
      const { id } = await someone(app, 'Carol')
      await begin()
      await serverCall(app, (scope) => createOrganizationFor(scope, id, { name: 'Acme', slug: 'acme' }))
    },
    ['organization.created', 'member.added'],
    ['organizationCreated', 'memberAdded'],
  ],
  [
    'an organization is changed',
    atCompany((at) =>
      answered(at.owner.device.post('/organization/update', { organizationId: at.id, data: { name: 'A' } })),
    ),
    ['organization.updated'],
    ['organizationUpdated'],
  ],
  [
    'an organization is deleted',
    withColleague((at) => answered(at.owner.device.post('/organization/delete', { organizationId: at.id }))),
    ['member.removed', 'member.removed', 'organization.deleted'],
    ['memberRemoved', 'memberRemoved', 'organizationDeleted'],
  ],
  [
    'somebody is invited',
    atCompany((at) => invite(at, bob.email).then(() => {})),
    ['invitation.created'],
    ['invitationCreated'],
  ],
  [
    'somebody is invited again',
    atCompany(
      (at) => invite(at, bob.email, 'admin', { resend: true }).then(() => {}),
      (at) => invite(at, bob.email),
    ),
    ['invitation.created'],
    ['invitationCreated'],
  ],
  [
    'somebody accepts',
    atCompany(async (at, { app, begin }) => {
      const carol = await someone(app, 'Carol')
      const invitationId = await invite(at, carol.email)
      await begin()
      await answered(carol.device.post('/organization/accept-invitation', { invitationId }))
    }),
    ['invitation.accepted', 'member.added'],
    ['invitationAccepted', 'memberAdded'],
  ],
  [
    'somebody declines',
    atCompany(async (at, { app, begin }) => {
      const carol = await someone(app, 'Carol')
      const invitationId = await invite(at, carol.email)
      await begin()
      await answered(carol.device.post('/organization/reject-invitation', { invitationId }))
    }),
    ['invitation.rejected'],
    [],
  ],
  [
    'an invitation is taken back',
    atCompany(async (at, { begin }) => {
      const invitationId = await invite(at, bob.email)
      await begin()
      await answered(at.owner.device.post('/organization/cancel-invitation', { invitationId }))
    }),
    ['invitation.canceled'],
    [],
  ],
  [
    'a server adds a member',
    atCompany(async (at, { app, begin }) => {
      const { id: userId } = await someone(app, 'Carol')
      await begin()
      await serverCall(app, (scope) => addMember(scope, { userId, role: 'member', organizationId: at.id }))
    }),
    ['member.added'],
    ['memberAdded'],
  ],
  [
    'a member gets another role',
    withColleague((at, { member }) =>
      answered(
        at.owner.device.post('/organization/update-member-role', {
          organizationId: at.id,
          memberId: member,
          role: 'admin',
        }),
      ),
    ),
    ['member.role-changed'],
    ['roleChanged'],
  ],
  [
    'a member is removed',
    withColleague((at, { member }) =>
      answered(at.owner.device.post('/organization/remove-member', { organizationId: at.id, memberIdOrEmail: member })),
    ),
    ['member.removed'],
    ['memberRemoved'],
  ],
  [
    'a member who has invited is removed',
    withColleague(async (at, { member, device }, { begin }) => {
      const promotion = { organizationId: at.id, memberId: member, role: 'admin' }
      await at.owner.device.post('/organization/update-member-role', promotion)
      await answered(
        device.post('/organization/invite-member', { organizationId: at.id, email: bob.email, role: 'member' }),
      )
      await begin()
      await answered(
        at.owner.device.post('/organization/remove-member', { organizationId: at.id, memberIdOrEmail: member }),
      )
    }),
    ['member.removed', 'invitation.canceled'],
    ['memberRemoved'],
  ],
  [
    'a member leaves',
    withColleague((at, { device }) => answered(device.post('/organization/leave', { organizationId: at.id }))),
    ['member.removed'],
    ['memberRemoved'],
  ],
  [
    'a member deletes their account',
    withColleague((_, { device }) => answered(device.post('/delete-user'))),
    ['member.removed', 'session.ended', 'user.deleted'],
    ['deletingUser', 'memberRemoved', 'userDeleted'],
  ],
  [
    'the last member deletes their account',
    atCompany((at) => answered(at.owner.device.post('/delete-user'))),
    ['member.removed', 'organization.deleted', 'session.ended', 'user.deleted'],
    ['deletingUser', 'memberRemoved', 'organizationDeleted', 'userDeleted'],
  ],
]

describe('receivers and hooks are told of', () => {
  it.each(table)('%s', async (_way, does, events, hooks) => {
    const { told, ...at } = await world()
    await does(at)
    const { results } = await env.DB.prepare('select type, state from webhook_deliveries order by seq').all()
    expect(results).toEqual(events.map((type) => ({ type, state: 'delivered' })))
    expect([...told].sort()).toEqual([...hooks].sort())
  })

  it('everything that there are events and hooks for', () => {
    const events = new Set(table.flatMap(([, , types]) => types))
    expect(eventTypes.filter((type) => !events.has(type))).toEqual([])
    const hooks = new Set(table.flatMap(([, , , names]) => names))
    expect(Object.keys(hookOptions.defaults).filter((name) => !hooks.has(name))).toEqual([])
  })
})
