import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SessionMethod } from '../../../identity/model/method.ts'
import { users } from '../../../identity/model/users.table.ts'
import { personalRows } from '../../../platform/personal-rows.ts'

/** The last sign-in of a user by each method. The row outlives the sessions. */
export const signInMethods = sqliteTable(
  'sign_in_methods',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    method: text().$type<SessionMethod>().notNull(),
    lastUsedAt: integer('last_used_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.method] })],
)

export const signInMethodsPersonalData = { signInMethods: personalRows(signInMethods, signInMethods.userId) }
