import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { personalRows } from '../../platform/personal-rows.ts'
import { users } from '../model/users.table.ts'

/** The requested change of address that is not confirmed; at most one per user. */
export const addressChanges = sqliteTable(
  'address_changes',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Identifies the change for its mailed links. Each change has a new id. */
    id: text().notNull(),
    newEmail: text('new_email').notNull(),
    /** The user's security version at the request. A later version invalidates the change. */
    securityVersion: integer('security_version').notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('address_changes_expiry').on(table.expiresAt)],
)

export const addressChangesPersonalData = { addressChanges: personalRows(addressChanges, addressChanges.userId) }

export type AddressChange = typeof addressChanges.$inferSelect
