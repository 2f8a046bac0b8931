import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { connectionPrefix } from '../../../kit/connection-id.ts'
import { organizations } from '../../organization/model/organizations.table.ts'
import type { ConnectionConfig, Mapping } from './connection-config.ts'

/** Only an active connection signs users in. In `draft` and `testing` an owner can test it. */
export const connectionStates = ['draft', 'testing', 'active', 'disabled'] as const
export type ConnectionState = (typeof connectionStates)[number]

/** The public part of a key pair of ours. */
export interface OwnCertificate {
  /** In PEM. */
  certificate: string
  /** ISO 8601. */
  expiresAt: string
}

/** The outcome of the last test, without personal data. */
export interface TestResult {
  /** Unix time in milliseconds. */
  at: number
  /** Null: success. Otherwise the code of the failure. */
  error: string | null
  /** What the identity provider or the check reported, as plain text. */
  detail: string | null
  /** The names of the received attributes. */
  attributes: string[]
}

/** The connection of an organization to its identity provider. */
export const connections = sqliteTable(
  'connections',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    type: text().$type<ConnectionConfig['type']>().notNull(),
    name: text().notNull(),
    state: text().$type<ConnectionState>().notNull(),
    /** Without secrets. */
    config: text({ mode: 'json' }).$type<ConnectionConfig>().notNull(),
    mapping: text({ mode: 'json' }).$type<Mapping>().notNull(),
    /** Sealed: the client secret, or the private key as JSON. */
    secret: text(),
    /** A changed configuration of an active connection, until it is tested and activated; null without one. */
    draftConfig: text('draft_config', { mode: 'json' }).$type<ConnectionConfig>(),
    /** The sealed secret of the draft. */
    draftSecret: text('draft_secret'),
    /** Sealed: the private keys of `ownCertificates`, as a JSON list in their order. Null for OpenID. */
    ownKeys: text('own_keys'),
    /** Of a SAML connection: the key that signs, and during a rotation a second one. */
    ownCertificates: text('own_certificates', { mode: 'json' }).$type<OwnCertificate[]>().notNull().default(sql`'[]'`),
    /** When its metadata is read again; null without a URL of metadata. */
    refreshAt: integer('refresh_at', { mode: 'timestamp_ms' }),
    /** When the owners get the next notice about an expiring certificate. */
    noticeAt: integer('notice_at', { mode: 'timestamp_ms' }),
    lastTest: text('last_test', { mode: 'json' }).$type<TestResult>(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    index('connections_organization').on(table.organizationId, table.createdAt),
    index('connections_refresh').on(table.refreshAt).where(sql`${table.refreshAt} is not null`),
    index('connections_notice').on(table.noticeAt).where(sql`${table.noticeAt} is not null`),
  ],
)

export type Connection = typeof connections.$inferSelect

/** The connection with its newest configuration, which a test uses. */
export const draftOf = (connection: Connection): Connection =>
  connection.draftConfig
    ? { ...connection, config: connection.draftConfig, secret: connection.draftSecret }
    : connection

/** `providerId` of the accounts, and `method` of the sessions, that come from a connection. */
export const providerOf = ({ id }: Pick<Connection, 'id'>): string => `${connectionPrefix}${id}`
