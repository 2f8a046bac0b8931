import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Resource servers that an administrator has registered, in addition to those of the configuration. Their tokens are opaque. */
export const oauthResources = sqliteTable('oauth_resources', {
  id: text().primaryKey(),
  /** In its normal form (RFC 8707, section 2). */
  identifier: text().notNull().unique(),
  name: text().notNull(),
  /** Each scope with its words. */
  scopes: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
  /** Seconds; null: `identityProvider.accessTokenExpiresIn`. */
  accessTokenExpiresIn: integer('access_token_expires_in'),
  /** Clients that may introspect its tokens. */
  introspectedBy: text('introspected_by', { mode: 'json' }).$type<string[]>().notNull(),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  /** Set: nothing accepts or issues its tokens. The row stays for a day, because codes and approvals still name the resource. */
  deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
})

export type StoredResource = typeof oauthResources.$inferSelect
