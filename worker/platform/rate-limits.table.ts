import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Rate-limit records, where the configuration keeps them in D1. Times are Unix milliseconds. */
export const rateLimits = sqliteTable('rate_limits', {
  key: text().primaryKey(),
  count: integer().notNull(),
  windowStart: integer('window_start').notNull(),
  lastRequest: integer('last_request').notNull(),
})
