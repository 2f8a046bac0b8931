import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { organizations } from '../../organization/model/organizations.table.ts'
import type { Sink, StreamFailure, StreamFormat } from './sinks.ts'

export const streamStates = ['active', 'paused'] as const
export type StreamState = (typeof streamStates)[number]

export interface LastFailure {
  code: StreamFailure
  /** What the receiver answered, as plain text. */
  detail: string | null
}

/** A batch that Splunk has received and has not yet confirmed. */
export interface Unconfirmed {
  ackId: number
  /** The number of its last record. */
  through: number
  /** Unix time in milliseconds. */
  sentAt: number
}

/** A system that gets the audit log of an organization, and how far it has got it. */
export const auditStreams = sqliteTable(
  'audit_streams',
  {
    id: text().primaryKey(),
    /** Null: all records of the deployment. */
    organizationId: text('organization_id').references(() => organizations.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    sink: text({ mode: 'json' }).$type<Sink>().notNull(),
    /** Sealed. */
    secret: text().notNull(),
    format: text().$type<StreamFormat>().notNull(),
    state: text().$type<StreamState>().notNull(),
    /** The number of the last delivered record: `organization_seq`, or `seq` for the deployment. */
    cursor: integer().notNull(),
    unconfirmed: text({ mode: 'json' }).$type<Unconfirmed>(),
    /** Since when each request has failed; null after a success. */
    failingSince: integer('failing_since', { mode: 'timestamp_ms' }),
    lastFailure: text('last_failure', { mode: 'json' }).$type<LastFailure>(),
    lastDeliveredAt: integer('last_delivered_at', { mode: 'timestamp_ms' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('audit_streams_organization').on(table.organizationId, table.createdAt),
    index('audit_streams_state').on(table.state),
  ],
)

export type AuditStream = typeof auditStreams.$inferSelect
