import type { EndedAccess, SignInAttempt } from '../../identity/lifecycle.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { Overtaken, unitOfWork } from '../../identity/unit-of-work.ts'
import { announceUser } from '../../identity/users/announce.ts'
import { splitRoles } from '../../kit/permissions.ts'
import type { Condition } from '../../platform/statements.ts'
import { adminOptions } from './admin.config.ts'
import { deletePasswordOf, isProven, updateRole } from './admin.store.ts'
import { isAdministrator } from './may-administer.ts'

/** A proven address of `admin.emails` makes an administrator: at its verification, and at every sign-in. */
function makeFirstAdmin(scope: Scope, user: User): void {
  const { emails, adminRoles } = adminOptions.of(scope)
  if (!user.emailVerified || !emails.some((email) => email.toLowerCase() === user.email)) return
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

/**
 * An attacker who signs up with an address of `admin.emails` must not sign in as the administrator after the owner
 * proves the address. The proof therefore deletes the password, unless it comes from the browser that signed up.
 */
export function endUnprovenPassword(scope: Scope, userId: string, when: Condition): EndedAccess {
  const { enabled, emails } = adminOptions.of(scope)
  return { statements: enabled && emails.length > 0 ? [deletePasswordOf(scope.db, userId, emails, when)] : [] }
}

/** Reaction to `user.created` and `user.updated`. */
export const promoteVerified = (scope: Scope, user: User): void => makeFirstAdmin(scope, user)

/** Lifecycle place `signingIn`. */
export function promoteAtSignIn(scope: Scope, { user, method }: SignInAttempt): null {
  if (method !== 'impersonation') makeFirstAdmin(scope, user)
  return null
}
