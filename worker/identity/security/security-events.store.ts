import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, lt, not, or, type SQL, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { CursorPosition } from '../../kit/cursor.ts'
import { after, days, hours } from '../../kit/time.ts'
import type { Database } from '../../platform/database.ts'
import { type Condition, holdsNow, insertWhere, rowExists, type Statement } from '../../platform/statements.ts'
import { type SecurityEventRow, securityEvents } from '../model/security-events.table.ts'
import { users } from '../model/users.table.ts'
import { idOfUser } from '../users/users.store.ts'

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

/** A filter by type compares so many events of all users at once. */
export const eventWindow = 1000

/** The index of a user has few enough events for a comparison in the statement. */
export const isComparedByType = ({ user, type }: EventFilter): boolean => user === undefined && type !== undefined

/**
 * For a batch: a page of the events of all users, or the window of events whose type is compared, newest first, and one more
 * row.
 */
export const filteredEvents = (db: Database, filter: EventFilter, limit: number, place: CursorPosition | null) =>
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
        filter.type === undefined || isComparedByType(filter) ? undefined : eq(securityEvents.type, filter.type),
        ofPeriod(filter),
        place
          ? sql`(${securityEvents.createdAt}, ${securityEvents.id}) < (${place.createdAt}, ${place.id})`
          : undefined,
      ),
    )
    .orderBy(desc(securityEvents.createdAt), desc(securityEvents.id))
    .limit((isComparedByType(filter) ? eventWindow : limit) + 1)

export const ofPeriod = ({ since, until }: EventFilter) =>
  and(since && gte(securityEvents.createdAt, since), until && lt(securityEvents.createdAt, until))

const { number, createdAt, id } = securityEvents

/** A value at one end of the user's range in the index: one entry. */
const atEnd = (userId: string, column: SQLiteColumn, end: typeof asc): SQL =>
  sql`(select ${column} from ${securityEvents} where ${eq(securityEvents.userId, userId)}
    order by ${end(createdAt)}, ${end(id)} limit 1)`
const newest = (userId: string, column: SQLiteColumn): SQL => atEnd(userId, column, desc)
const oldest = (userId: string, column: SQLiteColumn): SQL => atEnd(userId, column, asc)

/** For a batch: an event with the next number of its user; with null if a row of the user has none. */
export const insertEvent = (db: Database, row: SecurityEventRow, when: Condition) =>
  insertWhere(
    db,
    securityEvents,
    {
      ...row,
      createdAt: sql`max(${row.createdAt.getTime()}, coalesce(${newest(row.userId, createdAt)} + 1, 0))`,
      number: sql`coalesce(
        ${newest(row.userId, number)} + 1 + 0 * ${oldest(row.userId, number)},
        iif(${newest(row.userId, createdAt)} is null, 1, null)
      )`,
    },
    when,
  ).returning({ number })

/** The maximum of one statement, after `maxPerUser` was lowered. */
const maxDeletedAtOnce = 5

/** For a batch: deletes the oldest events of a user with too many. It reads no others. */
export function deleteSurplus(db: Database, userId: string, kept: number): Statement {
  const surplus = sql`${newest(userId, number)} - ${oldest(userId, number)} + 1 - ${kept}`
  return db.delete(securityEvents).where(
    sql`${securityEvents}.rowid in (select rowid from ${securityEvents}
      where ${eq(securityEvents.userId, userId)} order by ${createdAt}, ${id}
      limit max(0, min(${maxDeletedAtOnce}, coalesce(${surplus}, 0))))`,
  )
}

/** For a batch: numbers all events of a user. */
export const numberAll = (db: Database, userId: string): Statement =>
  db
    .update(securityEvents)
    .set({ number: sql`numbered.n` })
    .from(
      sql`(select ${id} as id, row_number() over (order by ${createdAt}, ${id}) as n
        from ${securityEvents} where ${eq(securityEvents.userId, userId)}) as numbered`,
    )
    .where(sql`${id} = numbered.id`)

export const isRecorded = (eventId: string): Condition => rowExists(securityEvents, eq(id, eventId))

/** The browser that was challenged, and when (Unix time in milliseconds). */
interface Challenged {
  userId: string
  userAgent: string | null
  place: { country: string | null }
  at: number
}

/** A sign-in of any method, in the browser of a challenge. */
function answered(challenged: { userAgent: SQL; country: SQL }, from: SQL, until: SQL): Condition {
  const answer = alias(securityEvents, 'answer')
  return rowExists(
    answer,
    and(
      eq(answer.userId, securityEvents.userId),
      eq(answer.type, 'sign-in'),
      sql`${answer.userAgent} is ${challenged.userAgent}`,
      sql`${answer.country} is ${challenged.country}`,
      sql`${answer.createdAt} between ${from} and ${until}`,
    ),
  )
}

/**
 * Whether no sign-in has followed a challenge in its browser, and no new password. False, too, after another unanswered
 * challenge in the day before, of which the owner has a notice. Reads a day of a user's events.
 */
export function isUnanswered(db: Database, { userId, userAgent, place, at }: Challenged): Promise<boolean> {
  const since = new Date(at)
  const ofUser = eq(securityEvents.userId, userId)
  const isChallenge = eq(securityEvents.type, 'sign-in-challenged')
  const isSettled = or(
    inArray(securityEvents.type, ['password-changed', 'password-reset']),
    and(
      eq(securityEvents.type, 'sign-in'),
      sql`${securityEvents.userAgent} is ${userAgent}`,
      sql`${securityEvents.country} is ${place.country}`,
    ),
  )
  const { createdAt: time, userAgent: agent, country } = securityEvents
  const wasAnswered = answered(
    { userAgent: sql`${agent}`, country: sql`${country}` },
    sql`${time}`,
    sql`${time} + ${hours(1) * 1000}`,
  )
  const yesterday = and(gt(time, after(since, -days(1))), lt(time, since))
  return holdsNow(
    db,
    and(
      rowExists(securityEvents, and(ofUser, isChallenge, gte(time, since))),
      not(rowExists(securityEvents, and(ofUser, isSettled, gte(time, since)))),
      not(rowExists(securityEvents, and(ofUser, isChallenge, yesterday, not(wasAnswered)))),
    )!,
  )
}
