import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { users } from '../../identity/model/users.table.ts'
import { personalRows } from '../../platform/personal-rows.ts'

/** A user's second factor in force, and beside it the one that waits for its first code. A new secret has a new id. */
export const twoFactors = sqliteTable(
  'two_factors',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Whether its first code has been verified. */
    confirmed: integer({ mode: 'boolean' }).notNull(),
    /** Base32, sealed (kit/encrypt.ts). */
    secret: text().notNull(),
    /** The unused backup codes, each sealed separately, so that a statement can remove one. */
    backupCodes: text('backup_codes', { mode: 'json' }).$type<string[]>().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    uniqueIndex('two_factors_user').on(table.userId, table.confirmed),
    index('two_factors_set_ups').on(table.confirmed, table.createdAt),
  ],
)

/** A browser that does not need the second factor again. The trust ends with the secret under which it began. */
export const trustedDevices = sqliteTable(
  'trusted_devices',
  {
    /** SHA-256 of the session token in the cookie; a new one with each sign-in. */
    tokenHash: text('token_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    twoFactorId: text('two_factor_id')
      .notNull()
      .references(() => twoFactors.id, { onDelete: 'cascade' }),
    /** The user's security version when the device was trusted. */
    securityVersion: integer('security_version').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('trusted_devices_user').on(table.userId),
    index('trusted_devices_two_factor').on(table.twoFactorId),
    index('trusted_devices_expiry').on(table.expiresAt),
  ],
)

export const twoFactorPersonalData = {
  twoFactors: personalRows(twoFactors, twoFactors.userId, ['secret', 'backupCodes']),
  trustedDevices: personalRows(trustedDevices, trustedDevices.userId, ['tokenHash']),
}

export type TwoFactor = typeof twoFactors.$inferSelect
export type TrustedDevice = typeof trustedDevices.$inferSelect
