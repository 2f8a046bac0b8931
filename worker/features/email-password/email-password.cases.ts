import type { FeatureCases } from '../../testing/cases.ts'
import { env } from '../../testing/harness.ts'
import { alice, signIn, signUp } from '../../testing/people.ts'
import { signedIn, tokenTo } from '../../testing/set-ups.ts'
import { deleteAccounts, idOf } from '../../testing/states.ts'
import { answered, serverCall, signedUp, userCreation } from '../../testing/ways.ts'
import { setFirstPassword } from './change-password.ts'

/** libxcrypt made this hash from `user1password`. */
const bcrypt = '$2b$04$abcdefghijklmnopqrstuunQyUw6zg0jclhYTlg5/zHyfwGycQZ8W'

const passwordChange = { currentPassword: alice.password, newPassword: 'another-password' }

export const cases: FeatureCases = {
  faults: {
    'sign-up': {
      endpoint: 'POST /sign-up/email',
      before: async (app) => ({ device: app.device() }),
      input: (_given, person) => person,
      afterwards: ['USER_ALREADY_EXISTS'],
    },
    'sign-in': {
      endpoint: 'POST /sign-in/email',
      before: async (app, person) => {
        await signUp(app, person)
        return { device: app.device() }
      },
      input: (_given, { email, password }) => ({ email, password }),
    },
    'sign-in with a hash that was imported, which becomes our own': {
      endpoint: 'POST /sign-in/email',
      before: async (app, person) => {
        await signUp(app, person)
        const of = 'select id from users where email = ?'
        await env.DB.prepare(`update accounts set password = ? where user_id = (${of})`)
          .bind(bcrypt, person.email)
          .run()
        return { device: app.device() }
      },
      input: (_given, { email }) => ({ email, password: 'user1password' }),
    },
    'reset by link': {
      endpoint: 'POST /reset-password',
      before: async (app, person) => {
        await signUp(app, person)
        await app.device().post('/request-password-reset', { email: person.email })
        return { device: app.device(), given: await tokenTo(app, person.email) }
      },
      input: (token) => ({ token, newPassword: 'another-password' }),
      afterwards: ['INVALID_TOKEN'],
    },
    'change of password': {
      endpoint: 'POST /change-password',
      before: signedIn,
      input: (_given, { password }) => ({ currentPassword: password, newPassword: 'another-password' }),
      afterwards: ['INVALID_PASSWORD'],
    },
    'change of password, other sessions revoked': {
      endpoint: 'POST /change-password',
      before: signedIn,
      input: (_given, { password }) => ({
        currentPassword: password,
        newPassword: 'another-password',
        revokeOtherSessions: true,
      }),
      afterwards: ['UNAUTHORIZED', 'INVALID_PASSWORD'],
    },
    'the mail of a reset': {
      endpoint: 'POST /request-password-reset',
      before: async (app, person) => {
        await signUp(app, person)
        await app.clearMailbox()
        return { device: app.device() }
      },
      input: (_given, { email }) => ({ email }),
      mails: true,
    },
  },
  withoutFaults: { 'another name of a path': ['POST /forget-password'] },
  inconsistent: {
    'imported hashes of users who have signed in with them':
      "select id from accounts where password like '$2b$%' and user_id in (select user_id from sessions where method = 'email')",
  },
  events: {
    'sign-up': { act: ({ app }) => signUp(app, alice).then(() => {}), ...userCreation },
    'sign-in': {
      act: signedUp((_, { app }) => answered(app.device().post('/sign-in/email', alice))),
      events: ['session.created'],
      hooks: ['assessing', 'signingIn', 'sessionIssued'],
    },
    'a password change ends other sessions': {
      act: signedUp(async (device, { app, begin }) => {
        await app.device().post('/sign-in/email', alice)
        await begin()
        const change = { currentPassword: alice.password, newPassword: 'another-password', revokeOtherSessions: true }
        await answered(device.post('/change-password', change))
      }),
      events: ['session.ended', 'session.created', 'session.ended'],
      hooks: ['sessionIssued'],
    },
    'a password is reset by link': {
      act: signedUp(async (_, { app, begin }) => {
        await app.device().post('/request-password-reset', { email: alice.email })
        await begin()
        await answered(
          app
            .device()
            .post('/reset-password', { token: await tokenTo(app, alice.email), newPassword: 'another-password' }),
        )
      }), // The mail also proves the address.
      events: ['session.ended', 'user.updated', 'password.reset'],
      hooks: ['userUpdated', 'passwordReset'],
    },
  },
  securityEvents: {
    'sign-up': { act: ({ app }) => signUp(app, alice).then(() => {}), events: ['sign-in'], notices: [] },
    'sign-in': { act: signedUp((_, { app }) => signIn(app, alice).then(() => {})), events: ['sign-in'], notices: [] },
    'sign-in with a wrong password': {
      act: signedUp((device) => answered(device.post('/sign-in/email', { ...alice, password: 'wrong-password' }), 401)),
      events: ['sign-in-failed'],
    },
    'a password is changed, and other sessions end': {
      act: signedUp((device) =>
        answered(device.post('/change-password', { ...passwordChange, revokeOtherSessions: true })),
      ),
      events: ['password-changed'],
    },
    'a password is reset': {
      act: signedUp(async (device, { app }) => {
        await device.post('/request-password-reset', { email: alice.email, redirectTo: '/x' })
        const token = new URL(await app.linkTo(alice.email)).pathname.split('/').at(-1)
        await answered(device.post('/reset-password', { token, newPassword: 'another-password' }))
      }),
      events: ['unproven-access-ended', 'password-reset'],
    },
    'a server sets a password': {
      act: signedUp(async (_, { app }) => {
        await deleteAccounts()
        await serverCall(app, async (scope) => {
          await setFirstPassword(scope, await idOf(alice.email), 'another-password')
          await setFirstPassword(scope, await idOf(alice.email), 'another-password').catch(() => {})
        })
      }),
      events: ['password-set'],
    },
  },
}
