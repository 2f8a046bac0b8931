import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/model/users.table.ts'
import { personalRows } from '../../../platform/personal-rows.ts'

/**
 * Uploaded images, one per user. They are not in the users table, which every request reads. A trigger deletes an image that
 * the user no longer shows (`0025_kept-numbers.sql`).
 */
export const avatars = sqliteTable('avatars', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** 32 random characters, new for each image, so that caches may store an image without a time limit. */
  name: text().notNull().unique(),
  bytes: blob({ mode: 'buffer' }).notNull(),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
})

export const avatarPersonalData = { avatar: personalRows(avatars, avatars.userId) }
