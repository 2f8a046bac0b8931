import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What a deployment has learnt about itself: one row. */
export const deployment = sqliteTable('deployment', {
  /** Always 1. */
  id: integer().primaryKey(),
  /** The public origin of a deployment without BASE_URL. It never changes. */
  baseUrl: text('base_url').notNull(),
  lockedAt: integer('locked_at', { mode: 'timestamp_ms' }).notNull(),
})
