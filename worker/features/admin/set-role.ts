import { recordUser } from '../../identity/events/record.ts'
import type { Scope } from '../../identity/scope.ts'
import { endImpersonationsBy, forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import type { User } from '../../identity/users/users.table.ts'
import { userChanged } from '../../identity/users/users.ts'
import { act, keepsAnAdmin, requireSubject } from './act.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { updateRole } from './admin.store.ts'
import type { Actor } from './audit/audit.ts'
import { holdsAllOf, isAdministrator, requireRoles } from './standing.ts'

const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE

/**
 * Gives somebody one role or several in place of those they have. Whoever does it holds every permission of the old
 * and of the new ones.
 * @throws see the contract
 */
export async function setRole(
  scope: Scope,
  actor: Actor,
  userId: string,
  given: string | readonly string[],
): Promise<User> {
  const role = requireRoles(scope, given)
  if (actor && !holdsAllOf(scope, actor.user, role)) throw refusal()
  const subject = await requireSubject(scope, actor, userId, refusal)
  if (subject.role === role) return subject
  const changed: User = { ...subject, role, updatedAt: scope.now() }
  await act(scope, actor, subject, {
    action: 'set-role',
    before: { role: subject.role },
    after: { role },
    keeps: isAdministrator(scope, changed) ? [] : keepsAnAdmin(scope, subject),
    statements: [
      updateRole(scope.db, userId, role, changed.updatedAt),
      ...recordUser(scope, 'user.updated', userId),
      ...endImpersonationsBy(scope, userId),
    ],
  })
  forgetSessionsOf(scope, userId)
  await userChanged(scope, changed)
  return changed
}
