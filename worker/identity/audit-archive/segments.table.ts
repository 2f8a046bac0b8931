import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * - `pending`: a run has chosen its records, which are still in D1
 * - `stored`: its object has them
 * - `replaced`: the same; objects that an erasure has replaced are not deleted yet
 * - `ended`: the retention has deleted its records; the object is not deleted yet
 */
export type SegmentState = 'pending' | 'stored' | 'replaced' | 'ended'

/** Sealed audit records that are an object in R2, by their numbers in the deployment. */
export const auditSegments = sqliteTable(
  'audit_segments',
  {
    firstSeq: integer('first_seq').primaryKey(),
    lastSeq: integer('last_seq').notNull(),
    state: text().$type<SegmentState>().notNull(),
    /** The number of records. */
    records: integer().notNull(),
    /** The name of the object; empty while it is pending, as the following. */
    object: text().notNull().default(''),
    bytes: integer().notNull().default(0),
    /** Of the object, in hexadecimal. */
    sha256: text().notNull().default(''),
    /** The link of the last record in the chain of the deployment. */
    hash: text().notNull().default(''),
    /** The times of the oldest and of the newest record. */
    firstAt: integer('first_at', { mode: 'timestamp_ms' }).notNull(),
    lastAt: integer('last_at', { mode: 'timestamp_ms' }).notNull(),
    /** The erasures, by their numbers, that were applied, and those that a run applies. */
    erasedTo: integer('erased_to').notNull().default(0),
    erasingTo: integer('erasing_to').notNull().default(0),
    /** The objects that erasures have replaced. */
    oldObjects: text('old_objects', { mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
  },
  (table) => [index('audit_segments_state').on(table.state)],
)

export type AuditSegment = typeof auditSegments.$inferSelect

/** The records of one organization in a segment: a range of bytes of its object, which is complete without the others. */
export const auditSegmentParts = sqliteTable(
  'audit_segment_parts',
  {
    organizationId: text('organization_id').notNull(),
    /** Numbers in the organization. */
    firstNumber: integer('first_number').notNull(),
    lastNumber: integer('last_number').notNull(),
    /** The `firstSeq` of the segment. */
    segment: integer().notNull(),
    offset: integer().notNull(),
    length: integer().notNull(),
    /** The link of the last record in the chain of the organization. */
    hash: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.firstNumber] }),
    index('audit_segment_parts_segment').on(table.segment),
  ],
)
