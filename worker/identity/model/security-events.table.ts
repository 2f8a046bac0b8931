import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { personalRows } from '../../platform/personal-rows.ts'
import type { EventMethod } from './method.ts'
import { users } from './users.table.ts'

/** The sign-in log: events of the access of a user. It contains no secret. */
export const securityEvents = sqliteTable(
  'security_events',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A SecurityEventType. */
    type: text().notNull(),
    outcome: text({ enum: ['success', 'failure'] }).notNull(),
    /** The method of the authentication, or the provider, if the event has one. */
    method: text().$type<EventMethod>(),
    /** The acting session; null without one. */
    sessionId: text('session_id'),
    /** The administrator who impersonated the user. */
    actorId: text('actor_id'),
    /** Details: the path of a rejected request, the name of a key. No secrets, no addresses of other users. */
    details: text({ mode: 'json' }).$type<Record<string, string>>().notNull().default(sql`'{}'`),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    city: text(),
    /** ISO 3166-1. */
    country: text(),
    requestId: text('request_id').notNull(),
    /** Later than that of the user's event before, so that the order of the index is that of the insertions. */
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /**
     * Numbers of a user's events have no gap, because only the oldest are deleted: the newest and the oldest say how many
     * there are. null: not numbered yet (an earlier version has written it).
     */
    number: integer(),
  },
  (table) => [
    index('security_events_user').on(table.userId, table.createdAt, table.id),
    index('security_events_age').on(table.createdAt),
    // For the notice of a new device or country.
    index('security_events_sign_ins')
      .on(table.userId, table.country, table.userAgent)
      .where(sql`${table.type} = 'sign-in'`),
  ],
)

export const securityEventsPersonalData = {
  securityEvents: personalRows(securityEvents, securityEvents.userId, ['actorId', 'number']),
}

export type SecurityEventRow = typeof securityEvents.$inferSelect
