import { and, asc, getTableName, gt, isNotNull, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../platform/database.ts'
import { excluded } from '../../platform/statements.ts'
import type { SealedColumn } from '../lifecycle.ts'
import type { Work } from '../work.ts'
import { type Resealing, resealing } from './resealing.table.ts'

/** Queries of the job that seals again. Each function is one round trip. */

export const columnNameOf = ({ table, column }: SealedColumn): string => `${getTableName(table)}.${column.name}`

/** Every table has SQLite's rowid, which orders its rows without another index. */
const rowid = sql<number>`rowid`

export const listProgress = (db: Database): Promise<Resealing[]> => db.select().from(resealing)

/** The next stored rows of a column. */
export const readSealed = (
  db: Database,
  { table, column }: SealedColumn,
  after: number,
  limit: number,
): Promise<{ rowid: number; stored: string }[]> =>
  db
    .select({ rowid, stored: sql<string>`${column}` })
    .from(table)
    .where(and(gt(rowid, after), isNotNull(column)))
    .orderBy(asc(rowid))
    .limit(limit)

/** Replaces values that are unchanged since the read, and stores the progress of the pass. */
export function replaceSealed(
  db: Database,
  work: Work,
  { table, column }: SealedColumn,
  changes: readonly { rowid: number; stored: string; next: string }[],
  progress: Resealing,
): void {
  const given = JSON.stringify(changes.map(({ rowid: id, stored, next }) => [id, stored, next]))
  // One statement for all of them, because a run may make 1,000 queries.
  const update = db
    .update(table)
    .set({ [propertyOf(table, column)]: sql`given.next` })
    .from(sql`(select value ->> 0 as id, value ->> 1 as stored, value ->> 2 as next from json_each(${given})) as given`)
    .where(and(sql`${table}.rowid = given.id`, sql`${column} = given.stored`))
  const set = Object.fromEntries(
    Object.entries(resealing)
      .filter(([name]) => name in progress && name !== 'name')
      .map(([name, own]) => [name, excluded(own as SQLiteColumn)]),
  )
  if (changes.length > 0) work.run(update)
  work.run(db.insert(resealing).values(progress).onConflictDoUpdate({ target: resealing.name, set }))
}

/** The property of a table object that holds a column. */
const propertyOf = (table: SQLiteTable, column: SQLiteColumn): string =>
  Object.entries(table).find(([, own]) => own === column)![0]
