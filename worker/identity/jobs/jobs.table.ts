import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * - `pending`: due at `next_at`
 * - `held`: becomes pending when another statement releases it
 * - `done`, `failed` (given up): deleted at `next_at`
 * - `resting`: not a job, but the rest of an unreachable kind until `next_at`; its attempts are consecutive failures
 */
export type JobState = 'pending' | 'held' | 'done' | 'failed' | 'resting'

/**
 * The outbox: work that follows from a change and must not be lost. The batch of the change inserts the row. The rowid
 * is the order of the commits.
 */
export const jobs = sqliteTable(
  'jobs',
  {
    /** The database ignores a second job with the same id. */
    id: text().primaryKey(),
    /** A handler (job-kind.ts) and, after a slash, its target: `mail`, `webhook/acme`. */
    kind: text().notNull(),
    /** The dispatcher runs jobs of the same kind and key in order; null: in any order. */
    key: text(),
    /** JSON, sealed (kit/encrypt.ts) unless the database has written it; null after the job is done. */
    payload: text(),
    attempts: integer().notNull(),
    nextAt: integer('next_at', { mode: 'timestamp_ms' }).notNull(),
    state: text().$type<JobState>().notNull(),
    /** When the job was done or given up; for a pending job: when an administrator or a server retried it. */
    settledAt: integer('settled_at', { mode: 'timestamp_ms' }),
    lastError: text('last_error'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('jobs_due').on(table.kind, table.nextAt).where(sql`${table.state} = 'pending'`),
    index('jobs_order').on(table.kind, table.key).where(sql`${table.state} = 'pending' and ${table.key} is not null`),
    index('jobs_age').on(table.createdAt).where(sql`${table.state} = 'pending'`),
    index('jobs_held').on(table.key).where(sql`${table.state} = 'held'`),
    index('jobs_settled').on(table.state, table.nextAt).where(sql`${table.state} <> 'pending'`),
    index('jobs_undelivered')
      .on(table.createdAt)
      .where(sql`${table.state} = 'failed' or (${table.state} = 'pending' and ${table.attempts} > 0)`),
  ],
)

export type Job = typeof jobs.$inferSelect
