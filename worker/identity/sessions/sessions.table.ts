import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table.ts'

/** A signed-in browser or device. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Readable, because list-sessions and revoke-session speak of it; useless without its signature. */
    token: text().notNull().unique(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
    /** Empty when unknown. */
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** The moment of the last authentication: signing in always makes a new session. */
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
    /** What its person has proven (Proof of identity/lifecycle.ts); null where nobody wrote it down. */
    proven: text(),
    /** How the person signed in: a SignInMethod, or the id of a provider. */
    method: text(),
    /** Where the sign-in came from, as far as the network knows: a city, and a country by ISO 3166-1. */
    city: text(),
    country: text(),
    /** The fields that the configuration adds (session.additionalFields). */
    additionalFields: text('additional_fields', { mode: 'json' })
      .$type<Record<string, unknown>>()
      .notNull()
      .default(sql`'{}'`),
    /** organization */
    activeOrganizationId: text('active_organization_id'),
    /** admin: the administrator behind an impersonation. */
    impersonatedBy: text('impersonated_by'),
    /** identity-provider: whether a client wants to hear when it ends. */
    endIsAwaited: integer('end_is_awaited', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_expiry').on(table.expiresAt),
    index('sessions_active_organization').on(table.activeOrganizationId),
    index('sessions_impersonator').on(table.impersonatedBy).where(sql`${table.impersonatedBy} is not null`),
  ],
)

export type Session = typeof sessions.$inferSelect
