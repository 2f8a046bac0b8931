import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/model/users.table.ts'
import { personalRows } from '../../../platform/personal-rows.ts'
import { connections } from '../../enterprise/model/connections.table.ts'

/** Bearer tokens of directories. They belong to the connection, not to the owner who created them. */
export const directoryTokens = sqliteTable(
  'directory_tokens',
  {
    id: text().primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.id, { onDelete: 'cascade' }),
    /** The first characters, by which owners recognize the token. */
    start: text().notNull(),
    /** SHA-256 of the whole token. */
    tokenHash: text('token_hash').notNull().unique(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }),
    /** Up to a minute late. */
    lastUsedAt: integer('last_used_at', { mode: 'timestamp_ms' }),
    /** Null: a deleted user. */
    createdBy: text('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('directory_tokens_connection').on(table.connectionId, table.createdAt),
    index('directory_tokens_expiry').on(table.expiresAt),
    index('directory_tokens_creator').on(table.createdBy),
  ],
)

export type DirectoryToken = typeof directoryTokens.$inferSelect

export const directoryTokensPersonalData = {
  directoryTokens: personalRows(directoryTokens, directoryTokens.createdBy, ['tokenHash']),
}
