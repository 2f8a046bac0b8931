import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../identity/model/users.table.ts'
import { personalRows } from '../../platform/personal-rows.ts'

/** A passkey: the public half of a key pair that an authenticator stores for one user (WebAuthn, section 4). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: text().primaryKey(),
    /** The user's name for it; null without one. */
    name: text(),
    /** COSE_Key (RFC 9052, section 7), base64. */
    publicKey: text('public_key').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Base64url, as created by the authenticator. */
    credentialID: text('credential_id').notNull().unique(),
    /** The signature counter of the last use; 0 for authenticators that do not count. */
    counter: integer().notNull(),
    /** Whether it may be copied to other devices (backup eligibility) and whether it was (backup state). */
    deviceType: text('device_type').$type<'singleDevice' | 'multiDevice'>().notNull(),
    backedUp: integer('backed_up', { mode: 'boolean' }).notNull(),
    /** The transports of the authenticator, joined by commas; null if they are unknown. */
    transports: text(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** The model of the authenticator, a UUID; all zeros if the authenticator does not reveal it. */
    aaguid: text().notNull(),
    lastUsedAt: integer('last_used_at', { mode: 'timestamp_ms' }),
  },
  (table) => [index('passkeys_user').on(table.userId)],
)

export const passkeyPersonalData = { passkeys: personalRows(passkeys, passkeys.userId) }

export type Passkey = typeof passkeys.$inferSelect
