import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * A used link, code or pending sign-in. The batch of the effect inserts the row, so that of parallel uses one commits,
 * and a failure uses nothing.
 */
export const usedRecords = sqliteTable(
  'used_records',
  {
    /** HMAC of kind and token. */
    name: text().primaryKey(),
    /** The expiry of the record; the row is deleted after it. */
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('used_records_expiry').on(table.expiresAt)],
)
