import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { impersonationsBy } from '../../identity/sessions/sessions.store.ts'
import { endSessions, forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { announceUser } from '../../identity/users/announce.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { updateRole } from './admin.store.ts'
import { changeOf, requireSubject } from './change-user.ts'
import type { Actor } from './may-administer.ts'
import { holdsAllOf, isAdministrator, requireAdminRoles } from './may-administer.ts'

const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE

/** Replaces the roles of a user. The administrator has every permission of the old roles and of the new ones. */
export async function setRole(
  scope: Scope,
  actor: Actor,
  userId: string,
  given: string | readonly string[],
): Promise<User> {
  const role = requireAdminRoles(scope, given)
  if (actor && !holdsAllOf(scope, actor.user, role)) throw refusal()
  const subject = await requireSubject(scope, actor, userId, refusal)
  if (subject.role === role) return subject
  const changed: User = { ...subject, role, updatedAt: scope.now() }
  const work = changeOf(scope, actor, subject, {
    action: 'set-role',
    before: { role: subject.role },
    after: { role },
    keepsAdmin: !isAdministrator(scope, changed),
  })
  work.run(updateRole(scope.db, userId, role, changed.updatedAt))
  announceUser(scope, work, 'user.updated', userId, changed)
  endSessions(scope, work, impersonationsBy(userId))
  await work.commit(() => forgetSessionsOf(scope, userId))
  return changed
}
