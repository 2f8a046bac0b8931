import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Work that an answer does not wait for and that must not be lost. The row is written in the batch of what the work
 * follows from, and deleted when the work is done; the cron trigger does again what was not.
 */
export const tasks = sqliteTable(
  'tasks',
  {
    id: text().primaryKey(),
    /** Names its handler, see `tasks` of identity/lifecycle.ts. */
    kind: text().notNull(),
    /** JSON. Sealed (kit/encrypt.ts) where it may hold links and addresses; ids alone are written as they are. */
    payload: text().notNull(),
    attempts: integer().notNull(),
    /** Not to be tried before. */
    nextAt: integer('next_at', { mode: 'timestamp_ms' }).notNull(),
    /** Why the last try failed. */
    lastError: text('last_error'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('tasks_next').on(table.nextAt)],
)

export type Task = typeof tasks.$inferSelect
