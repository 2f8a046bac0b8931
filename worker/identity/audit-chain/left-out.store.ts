import { and, asc, eq, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { type Condition, rowExists, type Statement } from '../../platform/statements.ts'
import { auditBudgets } from '../audit/audit-budgets.table.ts'

const { party, day, leftOut, leftOutSince } = auditBudgets

/** Parties with records that were left out before a time. */
export const dueCounts = (db: Database, until: Date, limit: number) =>
  db.select().from(auditBudgets).where(lte(leftOutSince, until)).orderBy(asc(leftOutSince)).limit(limit)

const isRow = (name: string, number: number): SQL => and(eq(party, name), eq(day, number))!

export const isUncounted = (name: string, number: number, since: Date): Condition =>
  rowExists(auditBudgets, and(isRow(name, number), eq(leftOutSince, since)))

/** More may have been left out since the read: they begin a new hour. */
export const noteCounted = (db: Database, name: string, number: number, counted: number): Statement =>
  db
    .update(auditBudgets)
    .set({
      leftOut: sql`${leftOut} - ${counted}`,
      leftOutSince: sql`iif(${leftOut} > ${counted}, ${leftOutSince}, null)`,
    })
    .where(isRow(name, number))

/** The rows of earlier days whose records are counted, in one bounded step. */
export const deleteOldBudgets = (db: Database, before: number) =>
  db
    .delete(auditBudgets)
    .where(
      sql`rowid in (select rowid from ${auditBudgets} where ${and(lt(day, before), isNull(leftOutSince))} limit 5000)`,
    )
