import { asc, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { days } from '../kit/time.ts'
import { sizeLevels } from '../platform/database-size.ts'
import type { Statement } from '../platform/statements.ts'
import { databaseOptions } from './database.config.ts'
import { securityEvents } from './model/security-events.table.ts'
import { sessions } from './model/sessions.table.ts'
import type { Scope } from './scope.ts'
import { usedRecords } from './used-records.table.ts'

/** The shortest time (s) that the cron trigger leaves of a history. */
export const shortestHistory = { signIns: days(7), audit: days(30) } as const

/**
 * How long (s) a history is kept at the size of the database: half of its retention at 85 % of the maximum, and less the
 * fuller the database is, until only the shortest time is left at 95 %.
 */
export function historyKept(scope: Pick<Scope, 'options' | 'shared'>, retention: number, shortest: number): number {
  const fullness = scope.shared.size.fullness(databaseOptions.of(scope).maximumBytes)
  const { shortened, reserved } = sizeLevels
  if (fullness < shortened) return retention
  const part = Math.max(0, reserved - fullness) / (reserved - shortened) / 2
  return Math.min(retention, Math.max(shortest, Math.floor(retention * part)))
}

/** The maximum number of rows of a table that one request deletes for its write. */
const rowsForRoom = 300

/**
 * For a write that D1 refused because the database is full: deletes what has expired, and the oldest entries of the sign-in
 * log. SQLite writes new rows to the pages that these free.
 */
export function oldestHistory({ db, now }: Scope): Statement[] {
  const first = (table: SQLiteTable, by: SQLiteColumn, which?: SQL) =>
    db
      .delete(table)
      .where(
        sql`${table}.rowid in (${db
          .select({ rowid: sql`rowid` })
          .from(table)
          .where(which)
          .orderBy(asc(by))
          .limit(rowsForRoom)})`,
      )
  return [
    first(sessions, sessions.expiresAt, lte(sessions.expiresAt, now())),
    first(usedRecords, usedRecords.expiresAt, lte(usedRecords.expiresAt, now())),
    first(securityEvents, securityEvents.createdAt),
  ]
}
