import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Usage that the billing provider has not heard of yet. No user is referred to: what was used stays to be paid for. */
export const usageEvents = sqliteTable(
  'billing_usage_events',
  {
    /** Also the event's id at the provider, which counts it once however often it is sent. */
    id: text().primaryKey(),
    userId: text('user_id').notNull(),
    name: text().notNull(),
    metadata: text({ mode: 'json' }).$type<Record<string, string | number | boolean>>().notNull(),
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    /** Not to be sent by anybody else before. */
    nextAt: integer('next_at', { mode: 'timestamp_ms' }).notNull(),
    /** Who is sending it. */
    batch: text(),
    /** Why the provider refuses it, by itself; it is not sent again. */
    refusal: text(),
  },
  (table) => [index('billing_usage_events_next').on(table.nextAt)],
)

export type UsageEvent = typeof usageEvents.$inferSelect
