import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { personalRows } from '../../platform/personal-rows.ts'
import { users } from './users.table.ts'

/** The provider id of an account that has a password. Its accountId is the user's id. */
export const credentialProvider = 'credential'

/** A sign-in method of a user: a password, or an identity at a provider. */
export const accounts = sqliteTable(
  'accounts',
  {
    id: text().primaryKey(),
    providerId: text('provider_id').notNull(),
    /** The subject at the provider. */
    accountId: text('account_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The provider's tokens are sealed (kit/encrypt.ts). */
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: integer('access_token_expires_at', { mode: 'timestamp_ms' }),
    refreshTokenExpiresAt: integer('refresh_token_expires_at', { mode: 'timestamp_ms' }),
    /** Comma-separated. */
    scope: text(),
    /** scrypt, see kit/password.ts, or an imported hash until its first sign-in; credential accounts only. */
    password: text(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    uniqueIndex('accounts_identity').on(table.providerId, table.accountId),
    index('accounts_user').on(table.userId),
  ],
)

export const accountsPersonalData = {
  accounts: personalRows(accounts, accounts.userId, ['password', 'accessToken', 'refreshToken', 'idToken']),
}

export type Account = typeof accounts.$inferSelect
