import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * One line for everything that an administrator did. Nothing refers to the users' table: a line outlives the people
 * in it.
 */
export const adminAudit = sqliteTable(
  'admin_audit',
  {
    id: text().primaryKey(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** The endpoint's last part, such as `ban-user`. */
    action: text().notNull(),
    /** Who did it; null: the server itself, by RPC or by its configuration. */
    actorId: text('actor_id'),
    /** To whom. */
    subjectId: text('subject_id').notNull(),
    /** From where. */
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** What changed, without secrets; empty where the action says it all. */
    before: text({ mode: 'json' }).$type<AuditValues>().notNull(),
    after: text({ mode: 'json' }).$type<AuditValues>().notNull(),
  },
  (table) => [
    index('admin_audit_time').on(table.createdAt, table.id),
    index('admin_audit_subject').on(table.subjectId, table.createdAt, table.id),
    index('admin_audit_actor').on(table.actorId, table.createdAt, table.id),
  ],
)

/** Values as JSON; a date is an ISO text. */
export type AuditValues = Readonly<Record<string, unknown>>
export type AuditLine = typeof adminAudit.$inferSelect
