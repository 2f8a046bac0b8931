import { sql } from 'drizzle-orm'
import { newId } from '../../kit/random.ts'
import { type Condition, insertWhere, type Statement } from '../../platform/statements.ts'
import type { AuditActor, AuditEntry } from '../model/audit-context.ts'
import type { Scope } from '../scope.ts'
import { budgetOf } from './audit-budget.ts'
import { auditChains, auditRecords } from './audit-records.table.ts'

/**
 * For a batch: the record of its effect. The database gives the numbers. D1 runs one batch after the other, so that
 * each number is given once.
 */
export function auditStatements(
  scope: Scope,
  entry: AuditEntry,
): { statements: Statement[]; mayChange: Condition | null } {
  const { auditing, request } = scope
  const { actor: context, serverKey } = auditing
  const actor: AuditActor = entry.actor ?? (serverKey ? { type: 'server-key', id: null, via: serverKey.id } : context)
  const organizationId = entry.organizationId === undefined ? auditing.organizationId : entry.organizationId
  // A call over a service binding, and a job, have no place.
  const isFromOutside = actor.type !== 'server' && actor.type !== 'system'
  const { after = {}, action = auditing.action } = entry
  if (action === null) throw new Error('A record that no request states names its action.')
  const subject =
    entry.subjectId !== undefined
      ? { type: entry.subjectType ?? 'user', id: entry.subjectId }
      : (auditing.subject ?? { type: 'user', id: actor.onBehalfOf ?? actor.id })
  const number = sql`(select 1 + max(
    coalesce((select max(organization_seq) from ${auditRecords} where organization_id = ${organizationId}), 0),
    coalesce((select max(sealed_seq, deleted_seq) from ${auditChains} where chain = ${organizationId}), 0)))`
  const { statements, isLeft, mayChange } = budgetOf(scope, actor, organizationId)
  const record = insertWhere(
    scope.db,
    auditRecords,
    {
      seq: sql`null`,
      id: newId(),
      createdAt: scope.now(),
      action,
      actorType: actor.type,
      actorId: actor.id,
      actorVia: actor.via ?? null,
      onBehalfOf: actor.onBehalfOf ?? null,
      subjectType: subject.type,
      subjectId: subject.id,
      organizationId,
      organizationSeq: organizationId === null ? null : sql`iif(${organizationId} is null, null, ${number})`,
      ipAddress: isFromOutside ? request.ip : null,
      userAgent: isFromOutside ? request.userAgent : null,
      requestId: request.id,
      before: entry.before ?? {},
      after: serverKey ? { ...after, serverKey: serverKey.name } : after,
      hash: null,
      organizationHash: null,
    },
    isLeft,
  )
  return { statements: [...statements, record], mayChange }
}
