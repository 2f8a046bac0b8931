import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Secrets that the Worker has generated and that must outlive the rotation of the configured ones; sealed. */
export const storedSecrets = sqliteTable('stored_secrets', {
  name: text().primaryKey(),
  /** Sealed (kit/encrypt.ts). */
  value: text().notNull(),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
})
