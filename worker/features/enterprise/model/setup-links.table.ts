import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/model/users.table.ts'
import { personalRows } from '../../../platform/personal-rows.ts'
import { organizations } from '../../organization/model/organizations.table.ts'

/** The link with which an administrator without an account sets up the single sign-on of one organization. */
export const setupLinks = sqliteTable(
  'setup_links',
  {
    /** One link of an organization: a new one replaces it. */
    organizationId: text('organization_id')
      .primaryKey()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token. */
    tokenHash: text('token_hash').notNull().unique(),
    /** Null: a deleted user. */
    createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
    lastUsedAt: integer('last_used_at', { mode: 'timestamp_ms' }),
    /** Requests with the link. */
    requests: integer().notNull().default(0),
  },
  (table) => [index('setup_links_expiry').on(table.expiresAt), index('setup_links_creator').on(table.createdBy)],
)

export type SetupLink = typeof setupLinks.$inferSelect

export const setupLinkPersonalData = {
  setupLinks: personalRows(setupLinks, setupLinks.createdBy, ['tokenHash']),
}
