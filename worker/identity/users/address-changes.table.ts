import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from './users.table.ts'

/** The change of address that a user has asked for and not confirmed yet; one at most. */
export const addressChanges = sqliteTable(
  'address_changes',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Which change the mailed links are for: a later one has an id of its own. */
    id: text().notNull(),
    newEmail: text('new_email').notNull(),
    /** The user's when the change was asked for; the change ends with it. */
    securityVersion: integer('security_version').notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('address_changes_expiry').on(table.expiresAt)],
)

export type AddressChange = typeof addressChanges.$inferSelect
