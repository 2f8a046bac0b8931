import { and, desc, eq, getTableColumns, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Place } from '../../kit/cursor.ts'
import type { Database } from '../../platform/database.ts'
import { users } from '../model/users.table.ts'
import { idOfUser } from '../users/users.store.ts'
import { type SecurityEventRow, securityEvents } from './security-events.table.ts'

/** For administrators: which events of all users to read. */
export interface EventFilter {
  /** An id or an email address. */
  user?: string | undefined
  type?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

/** The filter of a request. */
export const eventFilterOf = (asked: {
  userId?: string | undefined
  type?: string | undefined
  since?: string | undefined
  until?: string | undefined
}): EventFilter => ({
  user: asked.userId,
  type: asked.type,
  since: asked.since === undefined ? undefined : new Date(asked.since),
  until: asked.until === undefined ? undefined : new Date(asked.until),
})

/** An event with the current name and address of its user. */
export type NamedEvent = SecurityEventRow & { userName: string; userEmail: string }

/**
 * For a batch: a page of the events of all users, newest first, and one more row. With a user or a type, a range of
 * their index is read.
 */
export const filteredEvents = (db: Database, filter: EventFilter, limit: number, place: Place | null) =>
  db
    .select({
      ...getTableColumns(securityEvents),
      // In a batch, D1 identifies columns only by name.
      userName: sql<string>`${users.name}`.as('user_name'),
      userEmail: sql<string>`${users.email}`.as('user_email'),
    })
    .from(securityEvents)
    // A left join keeps the log as the outer loop.
    .leftJoin(users, eq(users.id, securityEvents.userId))
    .where(
      and(
        filter.user === undefined ? undefined : eq(securityEvents.userId, idOfUser(filter.user)),
        filter.type === undefined ? undefined : typeIs(filter.type, filter.user !== undefined),
        filter.since && gte(securityEvents.createdAt, filter.since),
        filter.until && lt(securityEvents.createdAt, filter.until),
        place
          ? sql`(${securityEvents.createdAt}, ${securityEvents.id}) < (${place.createdAt}, ${place.id})`
          : undefined,
      ),
    )
    .orderBy(desc(securityEvents.createdAt), desc(securityEvents.id))
    .limit(limit + 1)

/** The plus leaves the index of the user, which has fewer rows. */
const typeIs = (type: string, ofUser: boolean): SQL =>
  ofUser ? sql`+${securityEvents.type} = ${type}` : eq(securityEvents.type, type)
