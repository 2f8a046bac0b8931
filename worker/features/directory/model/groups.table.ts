import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { connections } from '../../enterprise/model/connections.table.ts'
import { directoryUsers } from './users.table.ts'

/** Groups of the directory of a connection (RFC 7643, section 4.2). */
export const directoryGroups = sqliteTable(
  'directory_groups',
  {
    id: text().primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.id, { onDelete: 'cascade' }),
    displayName: text('display_name').notNull(),
    externalId: text('external_id'),
    /** The ETag. Each write adds one. */
    version: integer().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('directory_groups_order').on(table.connectionId, table.createdAt, table.id),
    index('directory_groups_external').on(table.connectionId, table.externalId),
  ],
)

export type DirectoryGroup = typeof directoryGroups.$inferSelect

export const directoryGroupMembers = sqliteTable(
  'directory_group_members',
  {
    groupId: text('group_id')
      .notNull()
      .references(() => directoryGroups.id, { onDelete: 'cascade' }),
    /** An entry of the directory, not an account. */
    entryId: text('entry_id')
      .notNull()
      .references(() => directoryUsers.id, { onDelete: 'cascade' }),
    /** Of the group, for the cap. */
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.entryId] }),
    index('directory_group_members_entry').on(table.entryId),
    index('directory_group_members_connection').on(table.connectionId),
  ],
)
