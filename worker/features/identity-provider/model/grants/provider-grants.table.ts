import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { accounts } from '../../../../identity/model/accounts.table.ts'
import { users } from '../../../../identity/model/users.table.ts'
import { personalRows } from '../../../../platform/personal-rows.ts'
import { oauthApplications } from '../clients/clients.table.ts'

/** A user lets an agent use the tokens of a linked account. It holds no token: those stay sealed in `accounts`. */
export const providerGrants = sqliteTable(
  'oauth_provider_grants',
  {
    id: text().primaryKey(),
    clientId: text('client_id')
      .notNull()
      .references(() => oauthApplications.clientId, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The row of `accounts`: the grant ends when the user unlinks it. */
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    providerId: text('provider_id').notNull(),
    /** Scopes of the provider, joined by spaces. */
    scopes: text().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    lastUsedAt: integer('last_used_at', { mode: 'timestamp_ms' }),
  },
  (table) => [
    uniqueIndex('oauth_provider_grants_person').on(table.userId, table.clientId, table.providerId),
    index('oauth_provider_grants_client').on(table.clientId),
    index('oauth_provider_grants_account').on(table.accountId),
  ],
)

export const providerGrantsPersonalData = { oauthProviderGrants: personalRows(providerGrants, providerGrants.userId) }

export type ProviderGrant = typeof providerGrants.$inferSelect
