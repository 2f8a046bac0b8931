import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../identity/users/users.table.ts'

/** Uploaded pictures, one a person. They are not in the users' table, which every request reads. */
export const avatars = sqliteTable('avatars', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** 32 random characters; a new one with every picture, so that caches may keep each for ever. */
  name: text().notNull().unique(),
  bytes: blob({ mode: 'buffer' }).notNull(),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
})
