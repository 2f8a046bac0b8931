import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SessionMethod } from '../../identity/model/method.ts'
import { users } from '../../identity/model/users.table.ts'
import { keyAccessLevels } from '../../kit/key-access.ts'
import type { Permissions } from '../../kit/permissions.ts'
import { personalRows } from '../../platform/personal-rows.ts'
import { organizations } from '../organization/model/organizations.table.ts'

/** A key of a user or of an organization, never of both. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    name: text(),
    /** The first characters with the prefix, by which users recognize the key. */
    start: text(),
    prefix: text(),
    /** SHA-256 of the whole key. */
    keyHash: text('key_hash').notNull().unique(),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    organizationId: text('organization_id').references(() => organizations.id, { onDelete: 'cascade' }),
    enabled: integer({ mode: 'boolean' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }),
    /** Remaining uses; null: any number. */
    remaining: integer(),
    /** The value of `remaining` at the first use after `refillInterval` days. */
    refillAmount: integer('refill_amount'),
    refillInterval: integer('refill_interval'),
    lastRefillAt: integer('last_refill_at', { mode: 'timestamp_ms' }),
    rateLimitEnabled: integer('rate_limit_enabled', { mode: 'boolean' }).notNull(),
    /** Milliseconds. */
    rateLimitTimeWindow: integer('rate_limit_time_window'),
    rateLimitMax: integer('rate_limit_max'),
    /** Uses in the window that began at `windowStartedAt`. */
    requestCount: integer('request_count').notNull(),
    windowStartedAt: integer('window_started_at', { mode: 'timestamp_ms' }),
    /** Without quota and limit it is late by up to `apiKey.cache.maxAge`, and by up to a minute without the cache. */
    lastRequest: integer('last_request', { mode: 'timestamp_ms' }),
    /** The access to its owner's session. */
    access: text({ enum: keyAccessLevels }).notNull().default('full'),
    permissions: text({ mode: 'json' }).$type<Permissions>(),
    metadata: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    /** How the user of the session that created the key signed in; null if unknown, and for keys that a server created. */
    method: text().$type<SessionMethod>(),
    /** Methods of that session's last authentication (RFC 8176). */
    amr: text({ mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    // enterprise: the keys that sessions of a connection have created.
    index('api_keys_connection').on(table.method).where(sql`substr(${table.method}, 1, 4) = 'sso-'`),
    index('api_keys_user').on(table.userId),
    index('api_keys_organization').on(table.organizationId),
    index('api_keys_expiry').on(table.expiresAt),
    // For the search of administrators.
    index('api_keys_name').on(sql`${table.name} collate nocase`),
    index('api_keys_start').on(table.start),
  ],
)

export const apiKeyPersonalData = { apiKeys: personalRows(apiKeys, apiKeys.userId, ['keyHash']) }

export type ApiKey = typeof apiKeys.$inferSelect
