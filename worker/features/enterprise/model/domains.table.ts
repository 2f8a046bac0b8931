import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { organizations } from '../../organization/model/organizations.table.ts'
import { connections } from './connections.table.ts'

/**
 * The domains of organizations. Several organizations can claim a domain; it belongs to the one that has verified it
 * with its TXT record.
 */
export const organizationDomains = sqliteTable(
  'organization_domains',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** In lower case, in ASCII (RFC 5890, A-label). */
    domain: text().notNull(),
    /** The random part of the TXT record. */
    token: text().notNull(),
    /** Null: a pending claim. */
    verifiedAt: integer('verified_at', { mode: 'timestamp_ms' }),
    /** The last answer of the resolver. */
    checkedAt: integer('checked_at', { mode: 'timestamp_ms' }).notNull(),
    /** Since when the TXT record of a verified domain is missing. */
    missingSince: integer('missing_since', { mode: 'timestamp_ms' }),
    /** Since when no lookup of a verified domain has had an answer. */
    unansweredSince: integer('unanswered_since', { mode: 'timestamp_ms' }),
    /** The connection of its addresses. Null: the oldest active connection of the organization. */
    connectionId: text('connection_id').references(() => connections.id, { onDelete: 'set null' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    uniqueIndex('organization_domains_claim').on(table.organizationId, table.domain),
    uniqueIndex('organization_domains_owner').on(table.domain).where(sql`${table.verifiedAt} is not null`),
    index('organization_domains_check').on(table.checkedAt).where(sql`${table.verifiedAt} is not null`),
    index('organization_domains_pending').on(table.createdAt).where(sql`${table.verifiedAt} is null`),
    index('organization_domains_connection').on(table.connectionId),
  ],
)

export type OrganizationDomain = typeof organizationDomains.$inferSelect
