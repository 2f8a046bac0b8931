import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/users/users.table.ts'
import { organizations } from './organizations.table.ts'
import { teams } from './teams.table.ts'

/** Only a pending one can become anything else. */
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
    index('invitations_team').on(table.teamId),
  ],
)

export type Invitation = typeof invitations.$inferSelect
