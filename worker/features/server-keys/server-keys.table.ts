import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../identity/model/users.table.ts'
import type { ServerPermission } from '../../kit/server-permissions.ts'
import { personalRows } from '../../platform/personal-rows.ts'

/** Keys of back ends. They belong to the deployment, not to the administrator who created them. */
export const serverKeys = sqliteTable(
  'server_keys',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** The first characters, by which administrators recognize the key. */
    start: text().notNull(),
    /** SHA-256 of the whole key. */
    keyHash: text('key_hash').notNull().unique(),
    permissions: text({ mode: 'json' }).$type<ServerPermission[]>().notNull(),
    /** Addresses and ranges (CIDR) that may use the key; empty: any. */
    addresses: text({ mode: 'json' }).$type<string[]>().notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }),
    /** Up to a minute late. */
    lastUsedAt: integer('last_used_at', { mode: 'timestamp_ms' }),
    /** Null: the command line, or a deleted administrator. */
    createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('server_keys_expiry').on(table.expiresAt), index('server_keys_creator').on(table.createdBy)],
)

export const serverKeyPersonalData = {
  serverKeys: personalRows(serverKeys, serverKeys.createdBy, ['keyHash', 'addresses']),
}

/** Writes with an Idempotency-Key, and their answers. */
export const serverRequests = sqliteTable(
  'server_requests',
  {
    /** SHA-256 of the key's id and the Idempotency-Key. */
    id: text().primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => serverKeys.id, { onDelete: 'cascade' }),
    /** HMAC of the operation and its input. */
    inputHash: text('input_hash').notNull(),
    /** While it runs; a retry after this time runs the operation again, unless the first run had an effect. */
    lockedUntil: integer('locked_until', { mode: 'timestamp_ms' }).notNull(),
    /** Written in the batch of the first effect. */
    hasEffect: integer('has_effect', { mode: 'boolean' }).notNull().default(false),
    /** Null while it runs. */
    status: integer(),
    /** The body, sealed: it may contain a secret, such as a new API key. */
    answer: text(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('server_requests_expiry').on(table.expiresAt), index('server_requests_key').on(table.keyId)],
)

export type ServerKey = typeof serverKeys.$inferSelect
export type ServerRequest = typeof serverRequests.$inferSelect
