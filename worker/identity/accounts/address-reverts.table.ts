import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { personalRows } from '../../platform/personal-rows.ts'
import { users } from '../model/users.table.ts'

/** A change of a verified address that the owner of the old one can still revert. */
export const addressReverts = sqliteTable(
  'address_reverts',
  {
    /** SHA-256 of the token in the link. */
    tokenHash: text('token_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address before the change; it was verified. */
    email: text().notNull(),
    changedAt: integer('changed_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('address_reverts_user').on(table.userId), index('address_reverts_expiry').on(table.expiresAt)],
)

export const addressRevertsPersonalData = {
  addressReverts: personalRows(addressReverts, addressReverts.userId, ['tokenHash']),
}

export type AddressRevert = typeof addressReverts.$inferSelect
