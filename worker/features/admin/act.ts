import type { Scope } from '../../identity/scope.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import type { AppErrorKind } from '../../kit/errors.ts'
import { type Condition, demand, isUnmetDemand, runBatch, type Statement } from '../../platform/statements.ts'
import { adminOptions } from './admin.config.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { actorStands, anotherAdminRemains, holds, subjectStands } from './admin.store.ts'
import { type Actor, type AuditEntry, auditStatement } from './audit/audit.ts'
import { isAdministrator, mayActOn } from './standing.ts'

/**
 * The person whom an administrator acts on.
 * @param refusal what an administrator is told who may do less than the person
 * @throws USER_NOT_FOUND
 */
export async function requireSubject(scope: Scope, actor: Actor, userId: string, refusal: AppErrorKind): Promise<User> {
  const subject = await findUserById(scope.db, userId)
  if (!subject) throw errors.USER_NOT_FOUND()
  if (actor && !mayActOn(scope, actor.user, subject)) throw refusal()
  return subject
}

/** The condition that there is an administrator left without this person; none where they are not one themselves. */
export const keepsAnAdmin = (scope: Scope, subject: User): Condition[] =>
  isAdministrator(scope, subject)
    ? [anotherAdminRemains(scope.db, subject.id, adminOptions.of(scope), scope.now())]
    : []

/** For a batch: ends it unless the rights of everybody are still what they were judged by. */
export const rightsStand = (scope: Scope, actor: Actor, subject: User): Statement[] => [
  ...(actor ? [demand(scope.db, actorStands(scope.db, actor))] : []),
  demand(scope.db, subjectStands(scope.db, subject)),
]

/**
 * Writes what an administrator does to a person together with its line in the audit log: all of it, or nothing.
 * @param keeps what must hold for it besides: that an administrator remains
 * @returns the results of the statements
 * @throws THE_LAST_ADMINISTRATOR_MUST_REMAIN, THE_USER_HAS_CHANGED_IN_THE_MEANTIME
 */
export async function act(
  scope: Scope,
  actor: Actor,
  subject: User,
  {
    statements,
    keeps = [],
    ...entry
  }: Omit<AuditEntry, 'subjectId'> & { statements: Statement[]; keeps?: Condition[] },
): Promise<unknown[]> {
  const demands = [...rightsStand(scope, actor, subject), ...keeps.map((condition) => demand(scope.db, condition))]
  try {
    const results = await runBatch(scope.db, [
      ...demands,
      ...statements,
      auditStatement(scope, actor, { ...entry, subjectId: subject.id }),
    ])
    return results.slice(demands.length, -1)
  } catch (thrown) {
    throw isUnmetDemand(thrown) ? await reasonFor(scope, keeps) : thrown
  }
}

/** Why nothing was written. */
export async function reasonFor(scope: Scope, keeps: readonly Condition[]) {
  for (const condition of keeps) {
    if (!(await holds(scope.db, condition))) return errors.THE_LAST_ADMINISTRATOR_MUST_REMAIN()
  }
  return errors.THE_USER_HAS_CHANGED_IN_THE_MEANTIME()
}
