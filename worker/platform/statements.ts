import { getTableColumns, type InferInsertModel, type InferSelectModel, is, SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'

/** One statement of a batch. */
export type Statement = BatchItem<'sqlite'>

/** What has to hold for a statement to write. */
export type Condition = SQL

/**
 * The rest of an INSERT that writes its row only if a condition holds in the same statement:
 * `db.insert(t).select(rowWhere(t, row, condition))`. Every column of the table must be given; a value may be SQL.
 */
export function rowWhere<T extends SQLiteTable>(
  table: T,
  row: { [K in keyof Required<InferInsertModel<T>>]: InferInsertModel<T>[K] | SQL },
  condition: SQL,
): SQL {
  const values = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = row[name as keyof typeof row] as unknown
    if (value === null || value === undefined) return sql`null`
    return sql`${typeof value === 'object' && 'queryChunks' in value ? value : sql.param(value, column)}`
  })
  return sql`select ${sql.join(values, sql`, `)} where ${condition}`
}

/** The columns of a row that need not be given. */
type Defaults<T extends SQLiteTable> = Pick<
  InferSelectModel<T>,
  {
    [K in keyof InferInsertModel<T>]-?: undefined extends InferInsertModel<T>[K] ? K : never
  }[keyof InferInsertModel<T>] &
    keyof InferSelectModel<T>
>

/** What a new row has in the columns that nobody has set: their defaults, or null. A default in SQL has to be set. */
export const defaultsOf = <T extends SQLiteTable>(table: T) =>
  Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([, column]) => !column.notNull || (column.hasDefault && !is(column.default, SQL)))
      .map(([name, column]) => [name, column.default ?? null]),
  ) as Defaults<T>

/**
 * All columns of a table under names of their own, for a SELECT with joins inside a batch: there D1 answers objects
 * by column name, and of two columns with one name only one arrives.
 */
export const named = <T extends SQLiteTable>(table: T, prefix: string) =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, column]) => [
      name,
      sql`${column}`.mapWith(column).as(`${prefix}_${name}`),
    ]),
  ) as { [K in keyof InferSelectModel<T>]: SQL.Aliased<InferSelectModel<T>[K]> }

/** For the update of an upsert: what the row would have held that has met one with its key. */
export const excluded = (column: SQLiteColumn) => sql`excluded.${sql.identifier(column.name)}`

/** Writes a row if a condition holds in the same statement, see `rowWhere`. */
export const insertWhere = <T extends SQLiteTable>(
  db: Database,
  table: T,
  row: Parameters<typeof rowWhere<T>>[1],
  condition: SQL,
) => db.insert(table).select(rowWhere(table, row, condition))

/**
 * For a batch: ends it, and takes back what it has written, unless a condition holds by now. SQLite raises errors of
 * one's own only in triggers; a path that is none is an error anywhere, which tells the path.
 * @param name for whoever has to know which demand of several it was: letters alone
 */
export const demand = (db: Database, condition: SQL, name = ''): Statement =>
  db
    .select({ met: sql`case when ${condition} then 1 else json_extract('null', ${unmet(name)}) end` })
    .from(sql`(select 1)`)

const unmet = (name: string) => sql.raw(`'unmet:${name}'`)

/** Whether a batch was ended by a `demand`. @param name the demand's; any, unless given */
export function isUnmetDemand(thrown: unknown, name?: string): boolean {
  const told = `unmet:${name === undefined ? '' : `${name}'`}`
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error.message.includes(`bad JSON path: '${told}`)) return true
  }
  return false
}

/** Runs statements, of which there may be one or many, in one batch. */
export const runBatch = async (db: Database, statements: readonly Statement[]): Promise<unknown[]> =>
  statements.length === 0 ? [] : db.batch(statements as [Statement, ...Statement[]])
