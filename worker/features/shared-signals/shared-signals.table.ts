import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SignalType } from './signal-types.ts'

export type StreamStatus = 'enabled' | 'paused' | 'disabled'

/** Receivers that an administrator has registered. Each one has one stream, whose id is that of the receiver. */
export const signalReceivers = sqliteTable('signal_receivers', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** The `aud` of its events. */
  audience: text().notNull(),
  events: text({ mode: 'json' }).$type<SignalType[]>().notNull(),
  /** Null: the receiver polls (RFC 8936). */
  url: text(),
  /** The header Authorization of a push, sealed. */
  authorization: text(),
  /** SHA-256 of the token with which the receiver calls its own endpoints. */
  tokenHash: text('token_hash').notNull().unique(),
  status: text().$type<StreamStatus>().notNull(),
  /** The receiver's reason for the status. */
  reason: text(),
  verifiedAt: integer('verified_at', { mode: 'timestamp_ms' }),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
})

/** Events that a receiver has not yet acknowledged. The rowid is their order. */
export const signalEvents = sqliteTable(
  'signal_events',
  {
    /** The `jti`. */
    id: text().primaryKey(),
    receiverId: text('receiver_id')
      .notNull()
      .references(() => signalReceivers.id, { onDelete: 'cascade' }),
    /** JSON, with ids and no other personal data. */
    payload: text().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('signal_events_receiver').on(table.receiverId), index('signal_events_age').on(table.createdAt)],
)

export type StoredReceiver = typeof signalReceivers.$inferSelect
