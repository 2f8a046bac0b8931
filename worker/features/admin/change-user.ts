import type { AuditEntry } from '../../identity/model/audit-context.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import type { Work } from '../../identity/work.ts'
import type { AppErrorKind } from '../../kit/errors.ts'
import { adminOptions } from './admin.config.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { actorStands, anotherAdminRemains, subjectStands } from './admin.store.ts'
import type { Actor } from './may-administer.ts'
import { isAdministrator, mayActOn } from './may-administer.ts'

/** The user whom an administrator acts on. @throws USER_NOT_FOUND; `refusal` if the user has more permissions */
export async function requireSubject(scope: Scope, actor: Actor, userId: string, refusal: AppErrorKind): Promise<User> {
  const subject = await findUserById(scope.db, userId)
  if (!subject) throw errors.USER_NOT_FOUND()
  if (actor && !mayActOn(scope, actor.user, subject)) throw refusal()
  return subject
}

/** Requires that an administrator remains without this user. Does nothing if the user is not an administrator. */
export function keepAdmin(scope: Scope, work: Work, subject: User): void {
  if (!isAdministrator(scope, subject)) return
  const condition = anotherAdminRemains(scope.db, subject.id, adminOptions.of(scope), scope.now())
  work.require(condition, errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN)
}

/** Requires that the roles of both users are the ones that the check has read. */
export function requireRights(scope: Scope, work: Work, actor: Actor, subject: User): void {
  const late = errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME
  if (actor) work.require(actorStands(scope.db, actor), late)
  work.require(subjectStands(scope.db, subject), late)
}

/** An administrator's change to a user, with its audit entry. @param keepsAdmin one administrator must remain */
export function changeOf(
  scope: Scope,
  actor: Actor,
  subject: User,
  { keepsAdmin = false, ...entry }: Omit<AuditEntry, 'subjectId'> & { keepsAdmin?: boolean },
): Work {
  const work = unitOfWork(scope, errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME)
  if (keepsAdmin) keepAdmin(scope, work, subject)
  requireRights(scope, work, actor, subject)
  work.audit({ ...entry, subjectId: subject.id })
  return work
}
