import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/users/users.table.ts'
import { organizations } from './organizations.table.ts'
import { teams } from './teams.table.ts'

/** A person's place in an organization. */
export const members = sqliteTable(
  'members',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Known roles joined by commas, without spaces (kit/permissions.ts). */
    role: text().notNull().default('member'),
    teamId: text('team_id').references(() => teams.id, { onDelete: 'set null' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    uniqueIndex('members_person').on(table.organizationId, table.userId),
    index('members_user').on(table.userId),
    index('members_team').on(table.teamId),
  ],
)

export type Member = typeof members.$inferSelect
