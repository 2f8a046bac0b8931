import { eq, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/model/users.table.ts'
import { personalRows } from '../../../platform/personal-rows.ts'
import { organizations } from './organizations.table.ts'
import { teams } from './teams.table.ts'

/**
 * What has made a user a member, and `originId` of each: the creation of the organization (null), the user who has invited,
 * the connection of a single sign-on or of a directory, the verified domain, the server key (null: a service binding).
 */
export const memberOrigins = ['creation', 'invitation', 'connection', 'directory', 'domain', 'server'] as const
export type MemberOrigin = (typeof memberOrigins)[number]

/** A user's membership of an organization. */
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
    /** Null for a membership that is older than this column. */
    origin: text().$type<MemberOrigin>(),
    /** It has no foreign key: it outlives what it names. */
    originId: text('origin_id'),
    /**
     * enterprise: the rules of the organization for sign-ins hold for the user, whatever the address is. False for guests with
     * addresses of other domains.
     */
    isManaged: integer('is_managed', { mode: 'boolean' }).notNull().default(false),
    /** The user has activated the organization last: a new session begins in it. At most one membership of a user. */
    isChosen: integer('is_chosen', { mode: 'boolean' }).notNull().default(false),
    /** Null: since the beginning, or since before this column. */
    roleChangedAt: integer('role_changed_at', { mode: 'timestamp_ms' }),
  },
  (table) => [
    uniqueIndex('members_person').on(table.organizationId, table.userId),
    index('members_user').on(table.userId, table.isChosen),
    index('members_team').on(table.teamId),
    // The members of an organization are listed in this order.
    index('members_joining').on(table.organizationId, table.createdAt, table.id),
  ],
)

export const membersPersonalData = {
  memberships: personalRows(members, members.userId, ['originId']),
  organizations: personalRows(
    organizations,
    (id) =>
      sql`${organizations.id} in (select ${members.organizationId} from ${members} where ${eq(members.userId, id)})`,
    ['metadata'],
  ),
}

export type Member = typeof members.$inferSelect
