import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { users } from '../../identity/users/users.table.ts'
import type { ClientRegistration } from './clients/client-registration.ts'

/** An application that signs its people in here: a registered client (RFC 7591). */
export const oauthApplications = sqliteTable(
  'oauth_applications',
  {
    id: text().primaryKey(),
    clientId: text('client_id').notNull().unique(),
    /** SHA-256; null for public clients and those that sign. */
    clientSecret: text('client_secret'),
    name: text().notNull(),
    icon: text(),
    /** Of the registering developer; never interpreted. */
    metadata: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    redirectURLs: text('redirect_urls', { mode: 'json' }).$type<string[]>().notNull(),
    /** `web`, `native` or `public`. */
    type: text().notNull(),
    /** token_endpoint_auth_method */
    authenticationScheme: text('authentication_scheme').notNull(),
    disabled: integer({ mode: 'boolean' }).notNull().default(false),
    /** Who registered it; null after an anonymous registration. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The rest of its registration. */
    registration: text({ mode: 'json' }).$type<ClientRegistration>().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('oauth_applications_user').on(table.userId)],
)

/** An access token, with the refresh token that was given beside it. Only hashes are kept. */
export const oauthAccessTokens = sqliteTable(
  'oauth_access_tokens',
  {
    id: text().primaryKey(),
    /** SHA-256. */
    accessToken: text('access_token').notNull().unique(),
    /** SHA-256; null where offline_access was not granted. */
    refreshToken: text('refresh_token').unique(),
    accessTokenExpiresAt: integer('access_token_expires_at', { mode: 'timestamp_ms' }).notNull(),
    refreshTokenExpiresAt: integer('refresh_token_expires_at', { mode: 'timestamp_ms' }),
    /** When the refresh token was exchanged; the row stays, so that a second use is noticed. */
    refreshedAt: integer('refreshed_at', { mode: 'timestamp_ms' }),
    clientId: text('client_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The user's, when they agreed: a ban or a new password ends what was granted before. */
    securityVersion: integer('security_version').notNull(),
    /** Joined by spaces. */
    scopes: text().notNull(),
    /** SHA-256 of the code: all tokens that came from one authorization share it. */
    grantId: text('grant_id').notNull(),
    /** The resource server that the token is for (RFC 8707); null: this one. */
    resource: text(),
    /** Thumbprint of the key that has to come with the token (RFC 9449). */
    keyThumbprint: text('key_thumbprint'),
    /** The session that was agreed in; it may have ended since. */
    sessionId: text('session_id'),
    authTime: integer('auth_time', { mode: 'timestamp_ms' }).notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('oauth_access_tokens_grant').on(table.grantId),
    index('oauth_access_tokens_user').on(table.userId, table.clientId),
    index('oauth_access_tokens_client').on(table.clientId),
    index('oauth_access_tokens_session').on(table.sessionId),
    index('oauth_access_tokens_expiry').on(table.refreshTokenExpiresAt, table.accessTokenExpiresAt),
  ],
)

/**
 * Sessions that are no more, of those whose end a client waits for: a trigger writes them down (migration 0017), in
 * whatever way a session is deleted. They stay until every such client has heard, or has no token left of them.
 */
export const endedSessions = sqliteTable('ended_sessions', { sessionId: text('session_id').primaryKey() })

/** What a person allows a client. */
export const oauthConsents = sqliteTable(
  'oauth_consents',
  {
    id: text().primaryKey(),
    clientId: text('client_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Joined by spaces. */
    scopes: text().notNull(),
    consentGiven: integer('consent_given', { mode: 'boolean' }).notNull(),
    /** The client as it was called when the person agreed. */
    clientName: text('client_name').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [uniqueIndex('oauth_consents_person').on(table.userId, table.clientId)],
)

export type OAuthApplication = typeof oauthApplications.$inferSelect
export type OAuthAccessToken = typeof oauthAccessTokens.$inferSelect
export type OAuthConsent = typeof oauthConsents.$inferSelect
