import { reading, routes } from '../../http/routes.ts'
import type { Session } from '../../identity/model/sessions.table.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { describeDevice } from '../../identity/sessions/describe-device.ts'
import { presentSession } from '../../identity/sessions/present-session.ts'
import { listSessions } from '../../identity/sessions/sessions.store.ts'
import { beganAtEarliest, refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import { adminContract } from './admin.contract.ts'
import { auditHandlers } from './audit/audit.routes.ts'
import { banUser, unbanUser } from './ban.ts'
import { createUser } from './create-user.ts'
import { exportHandlers } from './export/export.routes.ts'
import { presentUserRecord, userRecordReads } from './get-user.ts'
import { hasPermission } from './has-permission.ts'
import { impersonateUser, stopImpersonating } from './impersonate.ts'
import { listUsers } from './list-users/list-users.ts'
import { removeOtherUser } from './remove-user.ts'
import { setUserPassword } from './set-password.ts'
import { setRole } from './set-role.ts'
import { updateUser } from './update-user.ts'
import { revokeUserSession, revokeUserSessions } from './user-sessions.ts'

const presentBoth = (scope: Scope, { session, user }: { session: Session; user: User }) => ({
  session: presentSession(scope, session),
  user: presentUser(scope, user),
})

const success = { success: true } as const

export const adminRoutes = routes(adminContract, {
  setRole: async ({ scope, caller, body }) => {
    const user = await setRole(scope, caller, body.userId, body.role)
    if (user.id === caller.user.id) refreshSessionCookies(scope, caller, user)
    return { user: presentUser(scope, user) }
  },
  createUser: async ({ scope, caller, body }) => ({ user: presentUser(scope, await createUser(scope, caller, body)) }),
  updateUserAsAdmin: async ({ scope, caller, body }) => {
    const user = await updateUser(scope, caller, body.userId, body.data)
    if (user.id === caller.user.id) refreshSessionCookies(scope, caller, user)
    return presentUser(scope, user)
  },
  listUsers: async ({ scope, query }) => {
    const { users, total, totalIsCapped, comparedUsers, nextCursor } = await listUsers(scope, query)
    const { limit, offset } = query
    return {
      users: users.map((user) => ({ ...presentUser(scope, user), lastSignInAt: user.lastSignInAt })),
      total,
      ...(totalIsCapped ? { totalIsCapped } : {}),
      ...(comparedUsers === null ? {} : { comparedUsers }),
      // As in the protocol, the response omits values that were not given or were 0.
      ...(limit ? { limit } : {}),
      ...(offset ? { offset } : {}),
      nextCursor,
    }
  },
  getUser: reading(
    ({ scope, query }) => userRecordReads(scope, query.id),
    ({ scope }, rows) => presentUserRecord(scope, rows),
  ),
  listUserSessions: async ({ scope, body }) => {
    const sessions = await listSessions(scope.db, body.userId, scope.now(), beganAtEarliest(scope))
    const described = sessions.map(async (session) => ({
      ...presentSession(scope, session),
      device: await describeDevice(session.userAgent ?? ''),
    }))
    return { sessions: await Promise.all(described) }
  },
  banUser: async ({ scope, caller, body: { userId, banReason, banExpiresIn } }) => {
    const user = await banUser(scope, caller, userId, { reason: banReason, expiresIn: banExpiresIn })
    return { user: presentUser(scope, user) }
  },
  unbanUser: async ({ scope, caller, body }) => ({
    user: presentUser(scope, await unbanUser(scope, caller, body.userId)),
  }),
  impersonateUser: async ({ scope, caller, body }) => presentBoth(scope, await impersonateUser(scope, caller, body)),
  stopImpersonating: async ({ scope }) => presentBoth(scope, await stopImpersonating(scope)),
  revokeUserSession: async ({ scope, caller, body }) => {
    await revokeUserSession(scope, caller, body.sessionToken)
    return success
  },
  revokeUserSessions: async ({ scope, caller, body }) => {
    await revokeUserSessions(scope, caller, body.userId)
    return success
  },
  removeUser: async ({ scope, caller, body }) => {
    await removeOtherUser(scope, caller, body.userId)
    return success
  },
  setUserPassword: async ({ scope, caller, body }) => {
    await setUserPassword(scope, caller, body.userId, body.newPassword)
    return { status: true }
  },
  hasAdminPermission: async ({ scope, caller, body: { userId, role, permissions, permission } }) => ({
    error: null,
    success: await hasPermission(scope, caller, { userId, role, permissions: (permissions ?? permission)! }),
  }),
  ...auditHandlers,
  ...exportHandlers,
})
