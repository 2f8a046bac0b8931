import { removeUser as remove } from '../../identity/accounts/users.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { impersonationsBy } from '../../identity/sessions/sessions.store.ts'
import { endSessions, forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import type { Work } from '../../identity/work.ts'
import { AppError } from '../../kit/errors.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { changeOf, keepAdmin } from './change-user.ts'
import type { Actor } from './may-administer.ts'
import { mayActOn } from './may-administer.ts'

/** Deletes a user and everything that refers to the user. A missing user is not an error. */
export async function removeOtherUser(scope: Scope, actor: Actor, userId: string): Promise<void> {
  if (actor?.user.id === userId) throw errors.YOU_CANNOT_REMOVE_YOURSELF()
  const subject = await findUserById(scope.db, userId)
  if (!subject) return
  if (actor && !mayActOn(scope, actor.user, subject)) throw errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS()
  const { name, email, role } = subject
  const work = changeOf(scope, actor, subject, { action: 'remove-user', before: { name, email, role } })
  try {
    await remove(scope, subject, work)
  } catch (thrown) {
    const changed = thrown instanceof AppError && thrown.code === coreErrors.USER_NOT_FOUND.code
    throw changed ? errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME() : thrown
  }
  forgetSessionsOf(scope, userId)
}

/** Lifecycle place `deletingUser`: keeps the last administrator, and ends the sessions of the user as another one. */
export function keepAnAdmin(scope: Scope, user: User, work: Work): void {
  keepAdmin(scope, work, user)
  endSessions(scope, work, impersonationsBy(user.id))
}
