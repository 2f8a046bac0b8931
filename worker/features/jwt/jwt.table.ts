import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Keys that sign tokens. A row never changes; the index allows one key for each generation of an algorithm. */
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
    /** The key is published at its creation and signs from this time on. */
    signsFrom: integer('signs_from', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [uniqueIndex('jwks_generation').on(table.alg, table.generation)],
)

export type SigningKey = typeof signingKeys.$inferSelect
