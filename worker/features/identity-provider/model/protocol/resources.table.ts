import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { TokenFormat } from '../../identifiers.ts'

/**
 * The maximum number of registered resources of the deployment, and of all organizations together, with those that were deleted within a day:
 * an isolate reads all of them.
 */
export const maxResources = { deployment: 200, organizations: 100 }

/** Resource servers that administrators and organizations have registered, in addition to those of the configuration. */
export const oauthResources = sqliteTable(
  'oauth_resources',
  {
    id: text().primaryKey(),
    /** In its normal form (RFC 8707, section 2). */
    identifier: text().notNull().unique(),
    name: text().notNull(),
    /**
     * The organization whose resource it is; null: of the deployment. No reference, because a deleted resource outlives its organization by a
     * day.
     */
    organizationId: text('organization_id'),
    /** Each scope with its words. */
    scopes: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
    /** It never changes: the tokens of a resource have one form. */
    tokenFormat: text('token_format').$type<TokenFormat>().notNull().default('opaque'),
    /** Claims of its JWTs about the user, for tokens with the scope of the claim. */
    claims: text({ mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
    /** Seconds; null: `identityProvider.accessTokenExpiresIn`. */
    accessTokenExpiresIn: integer('access_token_expires_in'),
    /** Clients that may introspect its tokens. */
    introspectedBy: text('introspected_by', { mode: 'json' }).$type<string[]>().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
    /** Set: nothing accepts or issues its tokens. The row stays for a day, because codes and approvals still name the resource. */
    deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
  },
  (table) => [
    index('oauth_resources_organization').on(table.organizationId).where(sql`organization_id is not null`),
    index('oauth_resources_jwt').on(table.tokenFormat).where(sql`token_format = 'jwt'`),
  ],
)

export type StoredResource = typeof oauthResources.$inferSelect
