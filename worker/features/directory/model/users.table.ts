import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/model/users.table.ts'
import { personalRows } from '../../../platform/personal-rows.ts'
import { connections } from '../../enterprise/model/connections.table.ts'

/** Why an entry of a directory gives access to the organization, or gives none. */
export const accessStates = [
  'granted',
  'inactive',
  'no-address',
  'address-outside-domains',
  'account-not-allowed',
  'account-of-another-organization',
  'account-in-use',
] as const
export type AccessState = (typeof accessStates)[number]

/** Users of the directory of a connection (RFC 7643, section 4.1). */
export const directoryUsers = sqliteTable(
  'directory_users',
  {
    id: text().primaryKey(),
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.id, { onDelete: 'cascade' }),
    /** `userName` in lower case: it is unique without regard to case. */
    userName: text('user_name').notNull(),
    externalId: text('external_id'),
    active: integer({ mode: 'boolean' }).notNull(),
    access: text({ enum: accessStates }).notNull(),
    /** The account, if the entry gives or gave access. */
    userId: text('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The attributes in the shape of the schema, without those of other columns that the server sets. */
    data: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** The ETag. Each write adds one. */
    version: integer().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    uniqueIndex('directory_users_name').on(table.connectionId, table.userName),
    uniqueIndex('directory_users_account').on(table.connectionId, table.userId).where(sql`${table.userId} is not null`),
    // For the foreign key.
    index('directory_users_person').on(table.userId).where(sql`${table.userId} is not null`),
    index('directory_users_external').on(table.connectionId, table.externalId),
    index('directory_users_order').on(table.connectionId, table.createdAt, table.id),
  ],
)

export type DirectoryUser = typeof directoryUsers.$inferSelect

/** Accounts that a directory has deactivated or deleted. They do not sign in with an address of the organization. */
export const directoryDepartures = sqliteTable(
  'directory_departures',
  {
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.connectionId] }),
    index('directory_departures_connection').on(table.connectionId),
  ],
)

/** Accounts that a directory has created and without a sign-in until now. The first sign-in deletes the row. */
export const directoryAccounts = sqliteTable(
  'directory_accounts',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null: a deleted connection. */
    connectionId: text('connection_id').references(() => connections.id, { onDelete: 'set null' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('directory_accounts_connection').on(table.connectionId, table.createdAt)],
)

/** The bytes of the entries of a connection. */
export const directoryUsage = sqliteTable('directory_usage', {
  connectionId: text('connection_id')
    .primaryKey()
    .references(() => connections.id, { onDelete: 'cascade' }),
  bytes: integer().notNull(),
})

export const directoryUsersPersonalData = {
  directoryAccounts: personalRows(directoryAccounts, directoryAccounts.userId),
  directoryEntries: personalRows(directoryUsers, directoryUsers.userId),
  directoryDepartures: personalRows(directoryDepartures, directoryDepartures.userId),
}
