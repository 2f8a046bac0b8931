import { type AuditAction, type AuditActivity, auditActions } from '../../kit/audit-actions.ts'
import type { NamedRecord } from './audit-log.store.ts'

/** The fields of a record that the mapping reads. */
export type MappedRecord = Omit<NamedRecord, 'seq' | 'hash' | 'organizationHash'>

/** OCSF classes of the category Identity & Access Management (3), by `class_uid` (schema.ocsf.io, version 1.4.0). */
const classes = { accountChange: 3001, authentication: 3002, entityManagement: 3004, groupManagement: 3006 } as const

const { accountChange, authentication, entityManagement, groupManagement } = classes

/** The class and the activity of each kind of action. */
const mapping: Readonly<Record<AuditActivity, readonly [class_uid: number, activity_id: number]>> = {
  'signed-in': [authentication, 1],
  'signed-out': [authentication, 2],
  'ticket-issued': [authentication, 3],
  'account-created': [accountChange, 1],
  'account-enabled': [accountChange, 2],
  'password-changed': [accountChange, 3],
  'password-reset': [accountChange, 4],
  'account-disabled': [accountChange, 5],
  'account-deleted': [accountChange, 6],
  'second-factor-enabled': [accountChange, 10],
  'second-factor-disabled': [accountChange, 11],
  'member-added': [groupManagement, 3],
  'member-removed': [groupManagement, 4],
  created: [entityManagement, 1],
  read: [entityManagement, 2],
  updated: [entityManagement, 3],
  deleted: [entityManagement, 4],
}

/** A record of another version of the Worker may have another action. */
const activityOf = (action: string): AuditActivity =>
  Object.hasOwn(auditActions, action) ? auditActions[action as AuditAction] : 'updated'

/** A record as an event of the Open Cybersecurity Schema Framework. */
export function toOcsf(record: MappedRecord): object {
  const [class_uid, activity_id] = mapping[activityOf(record.action)]
  const user = { uid: record.subjectId ?? undefined, name: record.subjectName ?? undefined, type_id: 1 }
  const entity = { uid: record.subjectId ?? undefined, type: record.subjectType }
  const about =
    class_uid === entityManagement
      ? { entity }
      : class_uid === groupManagement
        ? { user, group: { uid: record.organizationId ?? undefined, type: 'organization' } }
        : { user }
  return {
    activity_id,
    category_uid: 3,
    class_uid,
    type_uid: class_uid * 100 + activity_id,
    severity_id: 1,
    status_id: 1,
    time: record.createdAt.getTime(),
    message: record.action,
    metadata: {
      version: '1.4.0',
      uid: record.id,
      sequence: record.organizationSeq ?? undefined,
      correlation_uid: record.requestId ?? undefined,
      product: { name: 'Gatehouse', vendor_name: 'Gatehouse' },
      tenant_uid: record.organizationId ?? undefined,
    },
    actor: {
      user: { uid: record.actorId ?? undefined, name: record.actorName ?? undefined, type: record.actorType },
      ...(record.actorVia === null ? {} : { session: { credential_uid: record.actorVia } }),
    },
    ...(record.ipAddress === null ? {} : { src_endpoint: { ip: record.ipAddress } }),
    ...(record.userAgent === null ? {} : { http_request: { user_agent: record.userAgent } }),
    ...about,
    unmapped: { before: record.before, after: record.after, on_behalf_of: record.onBehalfOf },
  }
}
