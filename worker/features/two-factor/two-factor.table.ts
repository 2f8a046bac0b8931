import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { users } from '../../identity/users/users.table.ts'

/**
 * A person's second factor. While somebody sets it up anew there are two: the one in force, and one that waits for
 * its first code, so that a set-up that is broken off locks nobody out. A new secret always has a new id.
 */
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
    /** The unused backup codes, each sealed by itself, so that one can be taken out by a statement. */
    backupCodes: text('backup_codes', { mode: 'json' }).$type<string[]>().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    uniqueIndex('two_factors_user').on(table.userId, table.confirmed),
    index('two_factors_set_ups').on(table.confirmed, table.createdAt),
  ],
)

/** A browser that need not give the second factor again. It goes with the secret that it was trusted under. */
export const trustedDevices = sqliteTable(
  'trusted_devices',
  {
    /** SHA-256 of the session token in the cookie; a new one with every sign-in. */
    tokenHash: text('token_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    twoFactorId: text('two_factor_id')
      .notNull()
      .references(() => twoFactors.id, { onDelete: 'cascade' }),
    /** The user's, when the device was trusted. */
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

export type TwoFactor = typeof twoFactors.$inferSelect
export type TrustedDevice = typeof trustedDevices.$inferSelect
