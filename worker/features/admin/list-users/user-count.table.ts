import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The number of rows of `users`, kept by triggers (see their migration), because counting reads every row. */
export const tableCounts = sqliteTable('table_counts', {
  name: text().primaryKey(),
  value: integer().notNull(),
})
