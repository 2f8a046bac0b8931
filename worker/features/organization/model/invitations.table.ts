import { and, eq, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/model/users.table.ts'
import { personalRows } from '../../../platform/personal-rows.ts'
import { organizations } from './organizations.table.ts'
import { teams } from './teams.table.ts'

/** Only a pending invitation changes. */
export type InvitationStatus = 'pending' | 'accepted' | 'rejected' | 'canceled'

export const invitations = sqliteTable(
  'invitations',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Stored in lower case. */
    email: text().notNull(),
    /** As members.role. */
    role: text(),
    teamId: text('team_id').references(() => teams.id, { onDelete: 'set null' }),
    status: text().$type<InvitationStatus>().notNull().default('pending'),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
    inviterId: text('inviter_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('invitations_organization').on(table.organizationId, table.status),
    index('invitations_email').on(table.email),
    index('invitations_inviter').on(table.inviterId),
    index('invitations_expiry').on(table.expiresAt),
    index('invitations_team').on(table.teamId),
  ],
)

export const invitationsPersonalData = {
  invitationsSent: personalRows(invitations, invitations.inviterId),
  // The id of an invitation accepts it, and only a verified address belongs to the user.
  invitationsReceived: personalRows(
    invitations,
    (id) =>
      sql`${invitations.email} in (select ${users.email} from ${users} where ${and(eq(users.id, id), eq(users.emailVerified, true))})`,
    ['id', 'inviterId'],
  ),
}

export type Invitation = typeof invitations.$inferSelect
