import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * How many rows a table has, kept by triggers (see the migration that makes them), because counting reads every row.
 * One row: `users`.
 */
export const tableCounts = sqliteTable('table_counts', {
  name: text().primaryKey(),
  value: integer().notNull(),
})
