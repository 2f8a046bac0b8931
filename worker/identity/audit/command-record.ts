import { newId } from '../../kit/random.ts'
import type { Database } from '../../platform/database.ts'
import type { AuditEntry } from '../model/audit-context.ts'
import { auditRecords } from './audit-records.table.ts'

/** The record of a command line, which writes without a request and without a budget. */
export const commandRecord = (
  db: Database,
  {
    action,
    subjectType,
    subjectId,
    after,
  }: Required<Pick<AuditEntry, 'action' | 'subjectType' | 'subjectId' | 'after'>>,
  now: Date,
) =>
  db.insert(auditRecords).values({
    ...{ id: newId(), createdAt: now, action, actorType: 'system' },
    ...{ subjectType, subjectId, after },
  })
