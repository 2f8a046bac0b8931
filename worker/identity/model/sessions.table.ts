import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { personalRows } from '../../platform/personal-rows.ts'
import type { SessionMethod } from './method.ts'
import { users } from './users.table.ts'

/** A signed-in browser or device. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Readable, because list-sessions and revoke-session return it; useless without its signature. */
    token: text().notNull().unique(),
    expiresAt: integer('expires_at', { mode: 'timestamp_ms' }).notNull(),
    /** Empty if unknown. */
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** When the user signed in. The absolute lifetime counts from this time; a rotation of the token keeps it. */
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
    /**
     * At least the number of the user's sessions when it was inserted, so that a sign-in knows without counting that the user
     * has not too many (`endSurplusSessions`); null if unknown.
     */
    number: integer(),
    /** The last authentication: the sign-in, or a step-up after it. 0: unknown, and therefore never recent. */
    authenticatedAt: integer('authenticated_at', { mode: 'timestamp_ms' }).notNull().default(sql`0`),
    /** Methods of that authentication (RFC 8176, Authentication Method References). */
    amr: text({ mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
    /** The user's proof (Proof in identity/lifecycle.ts); null if it was not recorded. */
    proven: text(),
    /** How the user signed in. */
    method: text().$type<SessionMethod>(),
    /** The place of the sign-in according to the network: a city, and a country by ISO 3166-1. */
    city: text(),
    country: text(),
    /** The fields that the configuration adds (session.additionalFields). */
    additionalFields: text('additional_fields', { mode: 'json' })
      .$type<Record<string, unknown>>()
      .notNull()
      .default(sql`'{}'`),
    /** enterprise: the session at the identity provider that signed the user in, for its logout. */
    upstream: text({ mode: 'json' }).$type<UpstreamSession>(),
    /** device-bound, bearer: the key of the browser or program, without which the token is worthless. */
    deviceKey: text('device_key', { mode: 'json' }).$type<DeviceKey>(),
    /** organization */
    activeOrganizationId: text('active_organization_id'),
    /** organization: a team of the active organization. */
    activeTeamId: text('active_team_id'),
    /** admin: the administrator behind an impersonation. */
    impersonatedBy: text('impersonated_by'),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_expiry').on(table.expiresAt),
    // insights: a session that was not used again is in the sign-in log.
    index('sessions_use').on(table.updatedAt).where(sql`${table.updatedAt} > ${table.createdAt}`),
    index('sessions_active_organization')
      .on(table.activeOrganizationId)
      .where(sql`${table.activeOrganizationId} is not null`),
    // enterprise: the sessions of a connection.
    index('sessions_connection').on(table.method).where(sql`substr(${table.method}, 1, 4) = 'sso-'`),
    index('sessions_impersonator').on(table.impersonatedBy).where(sql`${table.impersonatedBy} is not null`),
  ],
)

/** As the index of uses has it. */
export const isUsedAgain = sql`${sessions.updatedAt} > ${sessions.createdAt}`

/** A key that only one browser, or one program, can use. */
export interface DeviceKey {
  /** Of a program whose requests carry proofs; undefined: of a browser with a bound cookie. */
  kind?: 'dpop'
  /** The thumbprint (RFC 7638), which also is the session identifier of the browser. */
  id: string
  /** Without a private part; empty for `dpop`, whose proofs contain it. */
  jwk: Readonly<Record<string, string>>
  /** Unix time (ms) of the registration. */
  at: number
  /** Unix time (ms) of the first request that proved the key; null: it may have been lost with the answer to its registration. */
  since: number | null
}

/** A session of a SAML identity provider (SAML Core, sections 2.2.3 and 2.7.2). */
export interface UpstreamSession {
  /** NameID with its attributes. */
  subject: string
  format: string | null
  nameQualifier: string | null
  spNameQualifier: string | null
  sessionIndex: string | null
}

export const sessionsPersonalData = {
  sessions: personalRows(sessions, sessions.userId, ['token', 'impersonatedBy', 'number', 'deviceKey']),
}

export type Session = typeof sessions.$inferSelect
