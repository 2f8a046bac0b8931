import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The progress of sealing one column again with the newest secret. One row per column. */
export const resealing = sqliteTable('resealing', {
  /** `accounts.access_token` */
  name: text().primaryKey(),
  /** Identifies the secret of the sealed values (kit/encrypt.ts, `sealKeyId`). */
  keyId: text('key_id').notNull(),
  /** The rowid that the pass has reached. */
  position: integer().notNull(),
  /** Values that this pass has sealed again. */
  changed: integer().notNull(),
  /** Values of this pass that no secret can open. */
  unreadable: integer().notNull(),
  /** Values that all passes have sealed again. */
  resealed: integer().notNull(),
  /** When a pass found no further value; null before. */
  finishedAt: integer('finished_at', { mode: 'timestamp_ms' }),
  updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
})

export type Resealing = typeof resealing.$inferSelect
