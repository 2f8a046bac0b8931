import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { personalRows } from '../../../platform/personal-rows.ts'

/** One line for each act of an administrator. It has no foreign key to users, so that it outlives its users. */
export const adminAudit = sqliteTable(
  'admin_audit',
  {
    id: text().primaryKey(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** The endpoint's last part, such as `ban-user`. */
    action: text().notNull(),
    /** The acting user; null: the server, by RPC or by its configuration. */
    actorId: text('actor_id'),
    /** The affected user. */
    subjectId: text('subject_id').notNull(),
    /** The address of the caller. */
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** The changes, without secrets; empty if the action is sufficient. */
    before: text({ mode: 'json' }).$type<AuditValues>().notNull(),
    after: text({ mode: 'json' }).$type<AuditValues>().notNull(),
  },
  (table) => [
    index('admin_audit_time').on(table.createdAt, table.id),
    index('admin_audit_subject').on(table.subjectId, table.createdAt, table.id),
    index('admin_audit_action').on(table.action, table.createdAt, table.id),
    index('admin_audit_actor').on(table.actorId, table.createdAt, table.id),
  ],
)

/** Values as JSON; a date is an ISO text. */
export type AuditValues = Readonly<Record<string, unknown>>
export const auditPersonalData = {
  adminActions: personalRows(adminAudit, adminAudit.subjectId, ['actorId', 'ipAddress', 'userAgent']),
}

export type AuditLine = typeof adminAudit.$inferSelect
