import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * That a link, a code or a pending sign-in has been used. The row is written in the very batch that does what it was
 * used for, so that of any number of parallel uses one commits, and a failure uses nothing up.
 */
export const usedRecords = sqliteTable(
  'used_records',
  {
    /** HMAC of kind and token. */
    name: text().primaryKey(),
    /** When what it names would have expired anyway; purged from then on. */
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('used_records_expiry').on(table.expiresAt)],
)
