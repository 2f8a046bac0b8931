import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../identity/model/users.table.ts'
import { personalRows } from '../../platform/personal-rows.ts'

/** What a count is about. */
export const countNames = ['sign-up', 'sign-in', 'sign-in-failed', 'active', 'undelivered'] as const

export type ShownCountName = (typeof countNames)[number]

/** Assessments of sign-ins (features/risk): codes that were required and entered, notices, and refusals. */
export const assessmentNames = ['challenged', 'answered', 'noticed', 'refused'] as const

export type CountName = ShownCountName | (typeof assessmentNames)[number]

export const threatNames = ['sign-in-failed', ...assessmentNames] as const
export type ThreatName = (typeof threatNames)[number]

/** One number of a day (UTC), from which the overview of the console draws its charts. The cron trigger writes them. */
export const dailyCounts = sqliteTable(
  'daily_counts',
  {
    /** Days since 1 January 1970. */
    day: integer().notNull(),
    name: text().$type<CountName>().notNull(),
    /**
     * The method of a sign-in, the reasons of an assessment, `guest` for a sign-up of one, the period of active users;
     * otherwise empty.
     */
    label: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.name, table.label] })],
)

/** Numbers of an hour about attacks: while one lasts, days are too long. */
export const hourlyCounts = sqliteTable(
  'hourly_counts',
  {
    /** Hours since 1 January 1970. */
    hour: integer().notNull(),
    name: text().$type<ThreatName>().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.name] })],
)

/** The last day on which a user has signed in or used a session, for the numbers of active users. */
export const activeUsers = sqliteTable(
  'active_users',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Days since 1 January 1970. */
    lastDay: integer('last_day').notNull(),
  },
  (table) => [index('active_users_day').on(table.lastDay)],
)

export const activeUsersPersonalData = { lastActiveDay: personalRows(activeUsers, activeUsers.userId) }

/**
 * How many users were active on a day and on no later counted day, so that a number of active users is a sum of few rows.
 * A user who is deleted remains in the number of the day.
 */
export const activeDays = sqliteTable('active_days', {
  /** Days since 1 January 1970. */
  day: integer().primaryKey(),
  count: integer().notNull(),
})

/** The time until which everything is counted: one row. */
export const countProgress = sqliteTable('count_progress', {
  name: text().primaryKey(),
  until: integer({ mode: 'timestamp_ms' }).notNull(),
})
