import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Measures of administrators against an attack. Each ends after its time. */
export const defences = sqliteTable(
  'defences',
  {
    id: text().primaryKey(),
    /** `level`: every unknown device needs a code; `block`: a network gets no further than reading pages. */
    kind: text({ enum: ['level', 'block'] }).notNull(),
    /** Of a block: an address, a range, or the number of an autonomous system (`AS64500`); otherwise empty. */
    network: text().notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    uniqueIndex('defences_network').on(table.kind, table.network),
    index('defences_expiry').on(table.expiresAt),
  ],
)

/** Measured attacks: too many refused passwords of a network, or refusals of one password over all accounts. */
export const attacks = sqliteTable(
  'attacks',
  {
    id: text().primaryKey(),
    /** What is counted: of a password, a part of its HMAC. */
    key: text().notNull(),
    kind: text({ enum: ['network', 'password'] }).notNull(),
    /** The prefix of the addresses; null for a password. */
    network: text(),
    /** Of the request that passed the limit. */
    asn: integer(),
    country: text(),
    startedAt: integer('started_at', { mode: 'timestamp_ms' }).notNull(),
    /** An attack that continues moves it. */
    until: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('attacks_key').on(table.key, table.until), index('attacks_start').on(table.startedAt)],
)
