import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../identity/users/users.table.ts'

/** When a person last signed in in each of their ways. Sessions end; this stays. */
export const signInMethods = sqliteTable(
  'sign_in_methods',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A SignInMethod, or the id of a provider. */
    method: text().notNull(),
    lastUsedAt: integer('last_used_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.method] })],
)
