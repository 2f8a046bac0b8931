import { recordUser } from '../../identity/events/record.ts'
import type { EndedAccess, SignInAttempt } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { splitRoles } from '../../kit/permissions.ts'
import { type Condition, demand, isUnmetDemand, runBatch } from '../../platform/statements.ts'
import { adminOptions } from './admin.config.ts'
import { deletePasswordOf, isProven, updateRole } from './admin.store.ts'
import { auditStatement } from './audit/audit.ts'
import { isAdministrator } from './standing.ts'

/**
 * Whoever proves an address of `admin.emails` becomes an administrator, so that a new deployment has one. It is looked
 * at when an address has been verified and at every sign-in; the statement looks at the address once more.
 */
function makeFirstAdmin(scope: Scope, user: User): void {
  const { emails, adminRoles } = adminOptions.of(scope)
  if (!user.emailVerified || !emails.some((email) => email.toLowerCase() === user.email)) return
  if (isAdministrator(scope, user)) return
  const before = { ...user }
  const role = splitRoles([user.role, adminRoles[0]!]).join(',')
  scope.after(async () => {
    try {
      await runBatch(scope.db, [
        demand(scope.db, isProven(scope.db, before)),
        updateRole(scope.db, user.id, role, scope.now()),
        ...recordUser(scope, 'user.updated', user.id),
        auditStatement(scope, null, {
          action: 'set-role',
          subjectId: user.id,
          before: { role: before.role },
          after: { role, by: 'admin.emails' },
        }),
      ])
    } catch (thrown) {
      if (!isUnmetDemand(thrown)) throw thrown
    }
  })
  // What this request still shows of them, as the cached session, is how it is going to be.
  user.role = role
}

/**
 * Whoever signs up first with an address of `admin.emails` must not sign in as the administrator whom its owner's proof
 * makes: that proof ends the password, too, unless it comes from the browser that signed up.
 */
export function endUnprovenPassword(scope: Scope, userId: string, when: Condition): EndedAccess {
  const { enabled, emails } = adminOptions.of(scope)
  return { statements: enabled && emails.length > 0 ? [deletePasswordOf(scope.db, userId, emails, when)] : [] }
}

/** Lifecycle places `userUpdated` and `userCreated`. */
export const promoteVerified = (scope: Scope, user: User): void => makeFirstAdmin(scope, user)

/** Lifecycle place `signingIn`. */
export function promoteAtSignIn(scope: Scope, { user, method }: SignInAttempt): null {
  if (method !== 'impersonation') makeFirstAdmin(scope, user)
  return null
}
