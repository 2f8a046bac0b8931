import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { EventType } from '../../identity/events/events.ts'

/** `failed`: given up, until somebody redelivers it. */
export type DeliveryState = 'pending' | 'delivered' | 'failed'

/**
 * Messages for receivers: one row for each event and endpoint, written in the batch of what it tells of. The order of
 * `seq` is the order in which things were committed.
 */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** The `webhook-id`, the same with every try. */
    id: text().notNull().unique(),
    /** By name (webhooks.config.ts). */
    endpoint: text().notNull(),
    type: text().$type<EventType>().notNull(),
    /** A person or an organization, whose messages to one endpoint are delivered one after the other. */
    subject: text().notNull(),
    data: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    state: text().$type<DeliveryState>().notNull(),
    attempts: integer().notNull(),
    /** Not to be tried before: after a failure, or while somebody tries it. */
    nextAt: integer('next_at', { mode: 'timestamp_ms' }).notNull(),
    /** When it became pending: with the event, or when it was redelivered. */
    pendingSince: integer('pending_since', { mode: 'timestamp_ms' }).notNull(),
    /** When it was delivered or given up. */
    settledAt: integer('settled_at', { mode: 'timestamp_ms' }),
    lastError: text('last_error'),
  },
  (table) => [
    index('webhook_deliveries_due').on(table.nextAt).where(sql`${table.state} = 'pending'`),
    index('webhook_deliveries_queue')
      .on(table.endpoint, table.subject, table.seq)
      .where(sql`${table.state} = 'pending'`),
    index('webhook_deliveries_settled').on(table.state, table.settledAt),
  ],
)

export type WebhookDelivery = typeof webhookDeliveries.$inferSelect
