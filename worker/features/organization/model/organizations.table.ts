import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const organizations = sqliteTable(
  'organizations',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    slug: text().notNull().unique(),
    logo: text(),
    metadata: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  // For the list of administrators: its order, and its search. A slug has its own index.
  (table) => [
    index('organizations_creation').on(table.createdAt, table.id),
    index('organizations_name').on(sql`${table.name} collate nocase`, table.id),
  ],
)

export type Organization = typeof organizations.$inferSelect
