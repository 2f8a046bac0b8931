import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../identity/users/users.table.ts'

/** A passkey: the public half of a key pair that an authenticator keeps for one person (WebAuthn, section 4). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: text().primaryKey(),
    /** The person's own; null until they give one. */
    name: text(),
    /** COSE_Key (RFC 9052, section 7), base64. */
    publicKey: text('public_key').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Base64url, as the authenticator made it. */
    credentialID: text('credential_id').notNull().unique(),
    /** The signature counter of the last use; 0 for authenticators that do not count. */
    counter: integer().notNull(),
    /** Whether it may be copied to other devices (backup eligibility), and whether it has been (backup state). */
    deviceType: text('device_type').$type<'singleDevice' | 'multiDevice'>().notNull(),
    backedUp: integer('backed_up', { mode: 'boolean' }).notNull(),
    /** How a browser may reach the authenticator, joined by commas; null when it did not say. */
    transports: text(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** The make of the authenticator, a UUID; all zeros when it does not tell. */
    aaguid: text().notNull(),
    lastUsedAt: integer('last_used_at', { mode: 'timestamp_ms' }),
  },
  (table) => [index('passkeys_user').on(table.userId)],
)

export type Passkey = typeof passkeys.$inferSelect
