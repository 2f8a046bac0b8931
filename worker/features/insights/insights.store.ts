import { and, eq, getTableColumns, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { jobs } from '../../identity/jobs/jobs.table.ts'
import { securityEvents } from '../../identity/model/security-events.table.ts'
import { isUsedAgain, sessions } from '../../identity/model/sessions.table.ts'
import { users } from '../../identity/model/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { deleteSome, excluded, type Statement } from '../../platform/statements.ts'
import {
  activeDays,
  activeUsers,
  type CountName,
  countNames,
  countProgress,
  dailyCounts,
  hourlyCounts,
  type ShownCountName,
  threatNames,
} from './insights.table.ts'

/** A part of one day, from `from` to before `until`. */
export interface Window {
  day: number
  from: Date
  until: Date
}

/** The maximum number of counts that one response reads. */
const maxRead = 20_000

/** For a batch: the counts of some days: a range of the primary key. */
export const countsOf = (db: Database, from: number, to: number) =>
  db
    .select({ ...getTableColumns(dailyCounts), name: sql<ShownCountName>`${dailyCounts.name}`.as('name') })
    .from(dailyCounts)
    .where(
      and(gte(dailyCounts.day, from), sql`${dailyCounts.day} <= ${to}`, inArray(dailyCounts.name, [...countNames])),
    )
    .limit(maxRead)

/** For a batch: the counts about attacks of some days, and of some hours. */
export const threatCounts = (db: Database, fromDay: number, fromHour: number) => ({
  days: db
    .select()
    .from(dailyCounts)
    .where(and(gte(dailyCounts.day, fromDay), inArray(dailyCounts.name, [...threatNames])))
    .limit(maxRead),
  hours: db.select().from(hourlyCounts).where(gte(hourlyCounts.hour, fromHour)).limit(maxRead),
})

const key = 'days'

/** For a batch. */
export const progressRow = (db: Database) => db.select().from(countProgress).where(eq(countProgress.name, key))

export const startAt = (db: Database, until: Date) =>
  db.insert(countProgress).values({ name: key, until }).onConflictDoNothing()

/** For a batch: the first user and the first event since a time. */
export const firstSince = (db: Database, since: Date) => ({
  user: db
    .select({ at: users.createdAt })
    .from(users)
    .where(gte(users.createdAt, since))
    .orderBy(users.createdAt)
    .limit(1),
  event: db
    .select({ at: securityEvents.createdAt })
    .from(securityEvents)
    .where(gte(securityEvents.createdAt, since))
    .orderBy(securityEvents.createdAt)
    .limit(1),
})

const times = { user: users.createdAt, event: securityEvents.createdAt, session: sessions.updatedAt }

const within = (column: SQL | (typeof times)[keyof typeof times], { from, until }: Window): SQL =>
  sql`${column} >= ${from.getTime()} and ${column} < ${until.getTime()}`

/** For a batch: the time of the n-th row of each source in a window. Each reads a range of an index. */
export function nthTimes(db: Database, window: Window, n: number) {
  const nth = <T extends typeof users | typeof securityEvents | typeof sessions>(
    table: T,
    source: keyof typeof times,
  ) =>
    db
      .select({ at: sql<number>`${times[source]}`.as('at') })
      .from(table as typeof users)
      .where(and(within(times[source], window), source === 'session' ? isUsedAgain : undefined))
      .orderBy(times[source])
      .limit(1)
      .offset(n - 1)
  return { user: nth(users, 'user'), event: nth(securityEvents, 'event'), session: nth(sessions, 'session') }
}

/** What an event says about an assessment; null: nothing. */
const assessmentOf = sql`case
  when ${securityEvents.type} = 'sign-in-challenged' then 'challenged'
  when ${securityEvents.type} = 'sign-in' and ${securityEvents.details} ->> 'risk' = 'challenge' then 'answered'
  when ${securityEvents.type} = 'sign-in' and ${securityEvents.details} ->> 'risk' = 'notice' then 'noticed'
  when ${securityEvents.type} = 'sign-in-failed' and ${securityEvents.details} ->> 'risk' = 'refuse' then 'refused'
end`

/** Holds while no other run has counted the window. */
const isNext = ({ from }: Window): SQL =>
  sql`exists (select 1 from ${countProgress} where ${countProgress.name} = ${key} and ${countProgress.until} = ${from.getTime()})`

/**
 * For a batch: counts a window, and moves the progress to its end. A window that another run has counted changes
 * nothing.
 */
export function countWindow(db: Database, window: Window): Statement[] {
  const next = isNext(window)
  const add = (name: CountName | SQL, label: SQL, from: SQL, where: SQL) =>
    db
      .insert(dailyCounts)
      .select(
        sql`select ${window.day}, ${name}, ${label}, count(*) from ${from} where ${where} and ${next} group by 2, 3`,
      )
      .onConflictDoUpdate({
        target: [dailyCounts.day, dailyCounts.name, dailyCounts.label],
        set: { count: sql`${dailyCounts.count} + ${excluded(dailyCounts.count)}` },
      })
  const addToDays = (rows: SQL) =>
    db
      .insert(activeDays)
      .select(rows)
      .onConflictDoUpdate({
        target: activeDays.day,
        set: { count: sql`${activeDays.count} + ${excluded(activeDays.count)}` },
      })
  const active = (userId: SQL, from: SQL, where: SQL) => {
    const ids = sql`select distinct ${userId} as person from ${from} where ${where} and ${next}`
    const earlier = sql`(${ids}) as seen inner join ${activeUsers} on ${activeUsers.userId} = seen.person
      where ${activeUsers.lastDay} < ${window.day}`
    // Users who were active before leave their earlier day; they and new ones join this one.
    const joining = sql`(${ids}) as seen left join ${activeUsers} on ${activeUsers.userId} = seen.person
      where ${activeUsers.lastDay} is null or ${activeUsers.lastDay} < ${window.day}`
    return [
      addToDays(sql`select ${activeUsers.lastDay}, -count(*) from ${earlier} group by 1`),
      addToDays(sql`select ${window.day}, count(*) from ${joining} having count(*) > 0`),
      db
        .insert(activeUsers)
        .select(sql`select person, ${window.day} from (${ids}) where true`)
        .onConflictDoUpdate({ target: activeUsers.userId, set: { lastDay: excluded(activeUsers.lastDay) } }),
    ]
  }
  return [
    add(
      'sign-up',
      sql`case when ${users.isAnonymous} then 'guest' else '' end`,
      sql`${users}`,
      within(users.createdAt, window),
    ),
    add(
      sql`${securityEvents.type}`,
      sql`coalesce(${securityEvents.method}, '')`,
      sql`${securityEvents}`,
      sql`${within(securityEvents.createdAt, window)} and +${securityEvents.type} in ('sign-in', 'sign-in-failed')
        and ${assessmentOf} is not 'refused'`,
    ),
    add(
      sql`assessed`,
      sql`reasons`,
      sql`(select ${assessmentOf} as assessed, coalesce(${securityEvents.details} ->> 'reasons', '') as reasons
        from ${securityEvents} where ${within(securityEvents.createdAt, window)})`,
      sql`assessed is not null`,
    ),
    countHours(db, window, next),
    ...active(
      sql`${securityEvents.userId}`,
      sql`${securityEvents}`,
      sql`${within(securityEvents.createdAt, window)} and +${securityEvents.type} = 'sign-in'`,
    ),
    ...active(
      sql`${sessions.userId}`,
      sql`${sessions}`,
      sql`${within(sessions.updatedAt, window)} and ${isUsedAgain} and ${sessions.impersonatedBy} is null`,
    ),
    db
      .update(countProgress)
      .set({ until: window.until })
      .where(and(eq(countProgress.name, key), eq(countProgress.until, window.from))),
  ]
}

/** For a batch: adds a window to the counts of its hours. */
const countHours = (db: Database, window: Window, next: SQL): Statement =>
  db
    .insert(hourlyCounts)
    .select(
      sql`select hour, name, count(*) from (
        select ${securityEvents.createdAt} / 3600000 as hour,
          coalesce(${assessmentOf}, iif(${securityEvents.type} = 'sign-in-failed', 'sign-in-failed', null)) as name
        from ${securityEvents} where ${within(securityEvents.createdAt, window)}
      ) where name is not null and ${next} group by 1, 2`,
    )
    .onConflictDoUpdate({
      target: [hourlyCounts.hour, hourlyCounts.name],
      set: { count: sql`${hourlyCounts.count} + ${excluded(hourlyCounts.count)}` },
    })

export const deleteHoursBefore = (db: Database, hour: number) =>
  db.delete(hourlyCounts).where(lt(hourlyCounts.hour, hour))

/** The periods of active users, in days. */
export const periods = { day: 1, week: 7, month: 30 }

const store = (db: Database, day: number, name: CountName, label: string, count: SQL) =>
  db
    .insert(dailyCounts)
    .select(sql`select ${day}, ${name}, ${label}, ${count} where true`)
    .onConflictDoUpdate({
      target: [dailyCounts.day, dailyCounts.name, dailyCounts.label],
      set: { count: excluded(dailyCounts.count) },
    })

/** For a batch: stores the active users up to a day. Valid while no later day is counted. */
export const storeActive = (db: Database, day: number): Statement[] =>
  Object.entries(periods).map(([label, days]) =>
    store(
      db,
      day,
      'active',
      label,
      sql`(select coalesce(sum(${activeDays.count}), 0) from ${activeDays} where ${activeDays.day} > ${day - days})`,
    ),
  )

/** The maximum number of undelivered jobs that are looked at. */
const maxUndelivered = 10_000

const newestUndelivered = sql`select ${jobs.kind} as kind from ${jobs}
  where (${jobs.state} = 'failed' or (${jobs.state} = 'pending' and ${jobs.attempts} > 0)) and ${jobs.createdAt} > 0
  order by ${jobs.createdAt} desc limit ${maxUndelivered}`

/** For a batch: stores how many mails are undelivered now. */
export const storeUndelivered = (db: Database, day: number): Statement =>
  store(
    db,
    day,
    'undelivered',
    '',
    sql`(select count(*) from (${newestUndelivered}) as newest where newest.kind = 'mail')`,
  )

/** For a batch: how many users were last active on each day from `from`, and how many mails are undelivered now. */
export const presentCounts = (db: Database, from: number) => ({
  active: db.select().from(activeDays).where(gte(activeDays.day, from)).limit(100),
  undelivered: db
    .select({ count: sql<number>`count(*)` })
    .from(sql`(${newestUndelivered}) as newest`)
    .where(sql`newest.kind = 'mail'`),
})

/** Deletes counts before a day. There are few for each day. */
export const deleteCountsBefore = (db: Database, day: number) => db.delete(dailyCounts).where(lt(dailyCounts.day, day))

/** Deletes numbers of users who were last active before a day. There is one for each day. */
export const deleteActiveDaysBefore = (db: Database, day: number) =>
  db.delete(activeDays).where(lt(activeDays.day, day))

/** Deletes users who were last active before a day, in one bounded step. */
export const deleteInactive = (db: Database, day: number, limit: number) =>
  deleteSome(db, activeUsers, activeUsers.userId, lt(activeUsers.lastDay, day), limit)
