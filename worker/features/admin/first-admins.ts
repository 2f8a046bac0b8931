import type { SignInAttempt } from '../../identity/lifecycle.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { Overtaken, unitOfWork } from '../../identity/unit-of-work.ts'
import { announceUser } from '../../identity/users/announce.ts'
import { mayDo, splitRoles } from '../../kit/permissions.ts'
import { serverPermissions } from '../../kit/server-permissions.ts'
import type { Condition } from '../../platform/statements.ts'
import { adminOptions } from './admin.config.ts'
import { hasRoleIdOrAddress, isProven, updateRole } from './admin.store.ts'
import { isAdministrator } from './may-administer.ts'

const isListed = (scope: Scope, address: string): boolean => adminOptions.of(scope).emails.includes(address)

/** Whether the proof of an address makes an administrator. In development the environment names addresses as well. */
export const isFirstAdministrator = (scope: Scope, email: string): boolean =>
  isListed(scope, email) || scope.settings.adminEmails.includes(email)

/** The rows of users for whom `administersDeployment` holds. */
export function administratorRows(scope: Scope, of: 'row' | 'list'): Condition {
  const { roles, adminUserIds, emails } = adminOptions.of(scope)
  const administering = Object.keys(roles).filter((role) =>
    Object.values(serverPermissions).some((wanted) => mayDo(roles, role, wanted)),
  )
  const addresses = [...emails, ...scope.settings.adminEmails]
  return hasRoleIdOrAddress(administering, adminUserIds, addresses, of)
}

/**
 * An address of `admin.emails` that this deployment has proven makes an administrator: at its verification, and at every
 * sign-in. The word of a connection, a directory or an import is not such a proof.
 */
function makeFirstAdmin(scope: Scope, user: User): void {
  const { adminRoles } = adminOptions.of(scope)
  if (!user.emailVerified || user.addressVouchedBy !== null || !isListed(scope, user.email)) return
  if (isAdministrator(scope, user)) return
  const before = { ...user }
  const role = splitRoles([user.role, adminRoles[0]!]).join(',')
  const change = { subjectId: user.id, before: { role: before.role }, after: { role, by: 'admin.emails' } }
  scope.after(async () => {
    const work = unitOfWork(scope)
    work.require(isProven(scope.db, before))
    work.run(updateRole(scope.db, user.id, role, scope.now()))
    announceUser(scope, work, 'user.updated', user.id)
    work.audit({ action: 'set-role', actor: { type: 'system', id: null }, ...change })
    await work.commit().catch((thrown) => {
      if (!(thrown instanceof Overtaken)) throw thrown
    })
  })
  // The rest of this request, such as the cached session, uses the new role.
  user.role = role
}

/** Reaction to `user.created` and `user.updated`. */
export const promoteVerified = (scope: Scope, user: User): void => makeFirstAdmin(scope, user)

/** Lifecycle place `signingIn`. */
export function promoteAtSignIn(scope: Scope, { user, method }: SignInAttempt): null {
  if (method !== 'impersonation') makeFirstAdmin(scope, user)
  return null
}
