import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Numbers that triggers keep (see their migrations), because counting reads every row: the rows of `users`, and the bytes
 * of all directories.
 */
export const tableCounts = sqliteTable('table_counts', {
  name: text().primaryKey(),
  value: integer().notNull(),
})
