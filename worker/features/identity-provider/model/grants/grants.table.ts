import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { SessionMethod } from '../../../../identity/model/method.ts'
import { users } from '../../../../identity/model/users.table.ts'
import { personalRows } from '../../../../platform/personal-rows.ts'
import type { AuthorizationDetail } from '../protocol/authorization-details.ts'
import type { RequestedClaims } from '../protocol/requested-claims.ts'
import type { ChainLink } from './chain.ts'

/** An access token with its refresh token. Only hashes are stored. */
export const oauthAccessTokens = sqliteTable(
  'oauth_access_tokens',
  {
    id: text().primaryKey(),
    /** SHA-256 of an opaque token, `jwt:` and that of the `jti` of a JWT (access-token.ts). */
    accessToken: text('access_token').notNull().unique(),
    /** SHA-256; null without offline_access. */
    refreshToken: text('refresh_token').unique(),
    accessTokenExpiresAt: integer('access_token_expires_at', { mode: 'timestamp_ms' }).notNull(),
    refreshTokenExpiresAt: integer('refresh_token_expires_at', { mode: 'timestamp_ms' }),
    /** When the refresh token was exchanged; the row stays, so that a reuse is detected. */
    refreshedAt: integer('refreshed_at', { mode: 'timestamp_ms' }),
    clientId: text('client_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The user's at the time of the grant: a ban or a new password ends earlier grants. */
    securityVersion: integer('security_version').notNull(),
    /** Joined by spaces. */
    scopes: text().notNull(),
    /** SHA-256 of the code: all tokens of one authorization share it. */
    grantId: text('grant_id').notNull(),
    /** The resource server that accepts the token (RFC 8707); null: this server. */
    resource: text(),
    /** All resources of the authorization, joined by spaces; null: `resource` is the only one. */
    grantedResources: text('granted_resources'),
    /** Claims that the authorization names one by one (OpenID Connect Core, section 5.5). */
    claims: text({ mode: 'json' }).$type<RequestedClaims>(),
    /** The granted authorization details (RFC 9396); null without any. */
    authorizationDetails: text('authorization_details', { mode: 'json' }).$type<AuthorizationDetail[]>(),
    /** The agents that act for the user, the current one first; null for a token without agents. */
    chain: text({ mode: 'json' }).$type<ChainLink[]>(),
    /** Thumbprint of the key that the token is bound to (RFC 9449). */
    keyThumbprint: text('key_thumbprint'),
    /** The session of the grant; it may have ended since. */
    sessionId: text('session_id'),
    authTime: integer('auth_time', { mode: 'timestamp_ms' }).notNull(),
    /** Methods of the session's authentication (RFC 8176). */
    amr: text({ mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
    /** How the user of that session signed in; null if unknown. */
    method: text().$type<SessionMethod>(),
    /** The time of the grant: the absolute lifetime of the refresh tokens counts from here. */
    grantedAt: integer('granted_at', { mode: 'timestamp_ms' }).notNull().default(sql`0`),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    // enterprise: the tokens that come from sessions of a connection.
    index('oauth_access_tokens_connection').on(table.method).where(sql`substr(${table.method}, 1, 4) = 'sso-'`),
    index('oauth_access_tokens_grant').on(table.grantId),
    index('oauth_access_tokens_user').on(table.userId, table.clientId),
    index('oauth_access_tokens_client').on(table.clientId),
    index('oauth_access_tokens_session').on(table.sessionId),
    // For the deletion of a resource.
    index('oauth_access_tokens_resource').on(table.resource).where(sql`resource is not null`),
    index('oauth_access_tokens_resources').on(table.grantedResources).where(sql`granted_resources is not null`),
    index('oauth_access_tokens_expiry').on(table.refreshTokenExpiresAt, table.accessTokenExpiresAt),
  ],
)

/** An access token of a service, which has no user. It is in a table of its own, so that no query for a user finds it. */
export const oauthServiceTokens = sqliteTable(
  'oauth_service_tokens',
  {
    id: text().primaryKey(),
    /** As in `oauth_access_tokens`. */
    accessToken: text('access_token').notNull().unique(),
    clientId: text('client_id').notNull(),
    /** Joined by spaces. */
    scopes: text().notNull(),
    resource: text().notNull(),
    /** Thumbprint of the key that the token is bound to (RFC 9449). */
    keyThumbprint: text('key_thumbprint'),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('oauth_service_tokens_expiry').on(table.expiresAt),
    // For the deletion of a resource.
    index('oauth_service_tokens_resource').on(table.resource),
  ],
)

/** The scopes that a user allows a client. */
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
    /** The client's name at the time of the consent. */
    clientName: text('client_name').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    uniqueIndex('oauth_consents_person').on(table.userId, table.clientId),
    index('oauth_consents_client').on(table.clientId),
  ],
)

export const grantsPersonalData = {
  oauthAccessTokens: personalRows(oauthAccessTokens, oauthAccessTokens.userId, [
    'accessToken',
    'refreshToken',
    'grantId',
  ]),
  oauthConsents: personalRows(oauthConsents, oauthConsents.userId),
}

export type OAuthAccessToken = typeof oauthAccessTokens.$inferSelect
export type OAuthServiceToken = typeof oauthServiceTokens.$inferSelect
export type OAuthConsent = typeof oauthConsents.$inferSelect
