import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { organizations } from './organizations.table.ts'

/** Uploaded logos, one per organization. They are not in the organizations table, which many requests read. */
export const organizationLogos = sqliteTable('organization_logos', {
  organizationId: text('organization_id')
    .primaryKey()
    .references(() => organizations.id, { onDelete: 'cascade' }),
  /** 32 random characters, new for each logo, so that caches may store it without a time limit. */
  name: text().notNull().unique(),
  bytes: blob({ mode: 'buffer' }).notNull(),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
})
