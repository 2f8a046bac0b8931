import type { DeletionTerms } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { endImpersonationsBy, forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { removeUser as remove } from '../../identity/users/users.ts'
import { AppError } from '../../kit/errors.ts'
import { keepsAnAdmin, rightsStand } from './act.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { holds } from './admin.store.ts'
import { type Actor, auditStatement } from './audit/audit.ts'
import { mayActOn } from './standing.ts'

/**
 * Removes somebody and all that is theirs. That there is no such person (any more) is no error.
 * @throws see the contract
 */
export async function removeUser(scope: Scope, actor: Actor, userId: string): Promise<void> {
  if (actor?.user.id === userId) throw errors.YOU_CANNOT_REMOVE_YOURSELF()
  const subject = await findUserById(scope.db, userId)
  if (!subject) return
  if (actor && !mayActOn(scope, actor.user, subject)) throw errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS()
  const { name, email, role } = subject
  const line = auditStatement(scope, actor, { action: 'remove-user', subjectId: userId, before: { name, email, role } })
  try {
    await remove(scope, subject, [...rightsStand(scope, actor, subject), line])
  } catch (thrown) {
    const changed = thrown instanceof AppError && thrown.code === coreErrors.USER_NOT_FOUND.code
    throw changed ? errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME() : thrown
  }
  forgetSessionsOf(scope, userId)
}

/**
 * Lifecycle place `deletingUser`: the last administrator stays, whoever would remove them, and nobody goes on acting
 * as somebody else when they are gone.
 * @throws THE_LAST_ADMINISTRATOR_MUST_REMAIN
 */
export async function keepAnAdmin(scope: Scope, user: User): Promise<DeletionTerms> {
  const [condition] = keepsAnAdmin(scope, user)
  if (condition && !(await holds(scope.db, condition))) throw errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN()
  return { condition, statements: endImpersonationsBy(scope, user.id) }
}
