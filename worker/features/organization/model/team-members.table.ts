import { eq, sql } from 'drizzle-orm'
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { personalRows } from '../../../platform/personal-rows.ts'
import { members } from './members.table.ts'
import { teams } from './teams.table.ts'

/** Further teams of a member: the first one is `members.teamId`, which clients of every version read. */
export const teamMembers = sqliteTable(
  'team_members',
  {
    id: text().primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    memberId: text('member_id')
      .notNull()
      .references(() => members.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    uniqueIndex('team_members_member').on(table.memberId, table.teamId),
    uniqueIndex('team_members_team').on(table.teamId, table.memberId),
  ],
)

export const teamMembersPersonalData = {
  furtherTeams: personalRows(
    teamMembers,
    (id) => sql`${teamMembers.memberId} in (select ${members.id} from ${members} where ${eq(members.userId, id)})`,
  ),
}
