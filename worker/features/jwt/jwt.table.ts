import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * Keys that sign tokens. A row never changes: a key ends because a later generation of its algorithm signs, and the
 * index lets only one key be a generation, however many isolates rotate at once.
 */
export const signingKeys = sqliteTable(
  'jwks',
  {
    /** Also the `kid`. */
    id: text().primaryKey(),
    /** JWS algorithm (RFC 7518, section 3.1). */
    alg: text().notNull(),
    /** 1, 2, 3, ... within an algorithm. */
    generation: integer().notNull(),
    /** JWK as JSON. */
    publicKey: text('public_key').notNull(),
    /** JWK as JSON, sealed (kit/encrypt.ts). */
    privateKey: text('private_key').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** It is published from the start, and signs from here on. */
    signsFrom: integer('signs_from', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [uniqueIndex('jwks_generation').on(table.alg, table.generation)],
)

export type SigningKey = typeof signingKeys.$inferSelect
