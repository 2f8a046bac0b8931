import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { organizations } from './organizations.table.ts'

/** A part of an organization. Its members: `members.teamId` and team_members. */
export const teams = sqliteTable(
  'teams',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }),
  },
  (table) => [uniqueIndex('teams_name').on(table.organizationId, table.name)],
)

export type Team = typeof teams.$inferSelect
