import { administrator } from '../../testing/admins.ts'
import type { FeatureCases } from '../../testing/cases.ts'
import { alice, bob } from '../../testing/people.ts'
import { administering } from '../../testing/set-ups.ts'
import { answered, asAdmin, serverCall } from '../../testing/ways.ts'
import { createUser } from './create-user.ts'
import { setRole } from './set-role.ts'

export const cases: FeatureCases = {
  faults: {
    'an administrator changes a role': {
      endpoint: 'POST /admin/set-role',
      before: administering,
      input: (userId) => ({ userId, role: 'admin' }),
    },
    'an administrator creates a user': {
      endpoint: 'POST /admin/create-user',
      before: administering,
      input: (_given, { email }) => ({ email: `made-by-${email}`, name: 'Made', password: 'password1234' }),
      afterwards: ['USER_ALREADY_EXISTS'],
    },
    'an administrator changes a user': {
      endpoint: 'POST /admin/update-user',
      before: administering,
      input: (userId) => ({ userId, data: { name: 'Renamed' } }),
    },
    'an administrator bans a user': {
      endpoint: 'POST /admin/ban-user',
      before: administering,
      input: (userId) => ({ userId }),
    },
    'an administrator sets a password': {
      endpoint: 'POST /admin/set-user-password',
      before: administering,
      input: (userId) => ({ userId, newPassword: 'password5678' }),
    },
    'an administrator ends all sessions of a user': {
      endpoint: 'POST /admin/revoke-user-sessions',
      before: administering,
      input: (userId) => ({ userId }),
    },
    'an administrator removes a user': {
      endpoint: 'POST /admin/remove-user',
      before: administering,
      input: (userId) => ({ userId }),
    },
    'an administrator acts as a user': {
      endpoint: 'POST /admin/impersonate-user',
      before: administering,
      input: (userId) => ({ userId }),
    },
    'an administrator stops acting as a user': {
      endpoint: 'POST /admin/stop-impersonating',
      before: async (app, person) => {
        const { device, given } = await administering(app, person)
        await device.post('/admin/impersonate-user', { userId: given })
        return { device }
      },
    },
    'an administrator lifts a ban': {
      endpoint: 'POST /admin/unban-user',
      before: async (app, person) => {
        const { device, given } = await administering(app, person)
        await device.post('/admin/ban-user', { userId: given })
        return { device, given }
      },
      input: (userId) => ({ userId }),
    },
    'an administrator ends a session of a user': {
      endpoint: 'POST /admin/revoke-user-session',
      before: async (app, person) => {
        const { device, given } = await administering(app, person)
        const { body } = await device.post('/admin/list-user-sessions', { userId: given })
        return { device, given: body.sessions[0].token }
      },
      input: (sessionToken) => ({ sessionToken }),
    },
  },
  withoutFaults: {
    'a line of the audit log, and reads': [
      'POST /admin/export-users',
      'POST /admin/export-audit',
      'POST /admin/export-security-events',
    ],
  },
  inconsistent: {
    'bans without a line in the audit log':
      "select id from users where banned and id not in (select subject_id from audit_records where action = 'ban-user')",
  },
  events: {
    'an administrator creates a user': {
      act: async ({ app, begin }) => {
        const { device } = await administrator(app)
        await begin()
        await answered(device.post('/admin/create-user', bob))
      },
      events: ['user.created'],
      hooks: ['creatingUser', 'userCreated'],
    },
    'a server creates a user': {
      act: ({ app }) => serverCall(app, (scope) => createUser(scope, null, bob)),
      events: ['user.created'],
      hooks: ['creatingUser', 'userCreated'],
    },
    'an administrator sets a password': {
      act: asAdmin((admin, userId) =>
        answered(admin.post('/admin/set-user-password', { userId, newPassword: 'another-password' })),
      ),
      events: ['session.ended', 'password.reset'],
      hooks: ['passwordReset'],
    },
    'an administrator changes a profile': {
      act: asAdmin((admin, userId) => answered(admin.post('/admin/update-user', { userId, data: { name: 'Al' } }))),
      events: ['user.updated'],
      hooks: ['updatingUser', 'userUpdated'],
    },
    'an administrator gives a role': {
      act: asAdmin((admin, userId) => answered(admin.post('/admin/set-role', { userId, role: 'admin' }))),
      events: ['user.updated'],
      hooks: ['userUpdated'],
    },
    'a server gives a role': {
      act: asAdmin((_, userId, { app }) => serverCall(app, (scope) => setRole(scope, null, userId, 'admin'))),
      events: ['user.updated'],
      hooks: ['userUpdated'],
    },
    'an administrator bans': {
      act: asAdmin((admin, userId) => answered(admin.post('/admin/ban-user', { userId }))),
      events: ['user.updated', 'session.ended'],
      hooks: ['userUpdated'],
    },
    'an administrator lifts a ban': {
      act: asAdmin(async (admin, userId, { begin }) => {
        await admin.post('/admin/ban-user', { userId })
        await begin()
        await answered(admin.post('/admin/unban-user', { userId }))
      }),
      events: ['user.updated'],
      hooks: ['userUpdated'],
    },
    'an administrator revokes sessions': {
      act: asAdmin((admin, userId) => answered(admin.post('/admin/revoke-user-sessions', { userId }))),
      events: ['session.ended'],
      hooks: [],
    },
    'an administrator impersonates a user, and stops': {
      act: asAdmin(async (admin, userId) => {
        await answered(admin.post('/admin/impersonate-user', { userId }))
        await answered(admin.post('/admin/stop-impersonating'))
      }),
      events: ['session.created', 'session.ended'],
      hooks: ['signingIn', 'sessionIssued'],
    },
    'an administrator removes a user': {
      act: asAdmin((admin, userId) => answered(admin.post('/admin/remove-user', { userId }))),
      events: ['session.ended', 'user.deleted'],
      hooks: ['deletingUser', 'userDeleted'],
    },
  },
  securityEvents: {
    'an administrator sets a password': {
      act: asAdmin((admin, userId) =>
        answered(admin.post('/admin/set-user-password', { userId, newPassword: 'another-password' })),
      ),
      events: ['password-reset'],
    },
    'an administrator changes the address and the username': {
      act: asAdmin((admin, userId) =>
        answered(admin.post('/admin/update-user', { userId, data: { email: 'b@example.com', username: 'bobby' } })),
      ),
      events: ['email-changed', 'username-changed'],
    },
    'an administrator ends sessions': {
      act: asAdmin((admin, userId) => answered(admin.post('/admin/revoke-user-sessions', { userId }))),
      events: ['sessions-ended'],
    },
    'an administrator acts as a user: chooses an organization, is refused the password, reads, and stops': {
      act: asAdmin(async (admin, userId) => {
        await answered(admin.post('/admin/impersonate-user', { userId }))
        await answered(admin.post('/organization/set-active', { organizationId: null }))
        await answered(
          admin.post('/change-password', { currentPassword: alice.password, newPassword: 'another-password' }),
          403,
        )
        await answered(admin.get('/organization/list'))
        await answered(admin.post('/admin/stop-impersonating'))
      }),
      events: ['impersonation-started', 'impersonated-act', 'access-refused', 'impersonation-stopped'],
    },
  },
}
