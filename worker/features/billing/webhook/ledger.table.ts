import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Every webhook that has arrived, so that none has its effect twice; and those whose effect is still to come. */
export const webhookLedger = sqliteTable(
  'billing_webhooks',
  {
    /** The provider's, the same for every delivery. */
    id: text().primaryKey(),
    type: text().notNull(),
    /** `done`, or not: then it is tried again by the cron trigger, and may be replayed. */
    done: integer({ mode: 'boolean' }).notNull(),
    /** The body, sealed, while it is not done. */
    payload: text(),
    attempts: integer().notNull(),
    /** Not to be tried before; null once it is tried no more. */
    nextAt: integer('next_at', { mode: 'timestamp_ms' }),
    lastError: text('last_error'),
    signedAt: integer('signed_at', { mode: 'timestamp_ms' }).notNull(),
    receivedAt: integer('received_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('billing_webhooks_next').on(table.nextAt), index('billing_webhooks_received').on(table.receivedAt)],
)

export type LedgerEntry = typeof webhookLedger.$inferSelect
