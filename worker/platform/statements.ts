import {
  exists,
  getTableColumns,
  type InferInsertModel,
  type InferSelectModel,
  is,
  SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { QueryBuilder, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database.ts'

/** One statement of a batch. */
export type Statement = BatchItem<'sqlite'>

/** A value that the statement computes, such as a column of the affected row. */
export type Expression = SQL

/** The condition for a statement to write. */
export type Condition = SQL

/**
 * The rest of an INSERT that writes its row only if a condition holds in the same statement:
 * `db.insert(t).select(rowWhere(t, row, condition))`. Every column of the table must be given; a value may be SQL.
 * The CASE keeps SQLite from joining an EXISTS of the condition, which would visit each of its rows.
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
  return sql`select ${sql.join(values, sql`, `)} where case when ${condition} then 1 else 0 end`
}

/** The optional columns of a row. */
type Defaults<T extends SQLiteTable> = Pick<
  InferSelectModel<T>,
  {
    [K in keyof InferInsertModel<T>]-?: undefined extends InferInsertModel<T>[K] ? K : never
  }[keyof InferInsertModel<T>] &
    keyof InferSelectModel<T>
>

/** The optional columns of an insert: their defaults, or null. A default in SQL must be set. */
export const defaultsOf = <T extends SQLiteTable>(table: T) =>
  Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([, column]) => !column.notNull || (column.hasDefault && !is(column.default, SQL)))
      .map(([name, column]) => [name, column.default ?? null]),
  ) as Defaults<T>

/** A table's columns under names of their own, for joins in a batch: there D1 returns one of two equal names. */
export const named = <T extends SQLiteTable>(table: T, prefix: string) =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, column]) => [
      name,
      sql`${column}`.mapWith(column).as(`${prefix}_${name}`),
    ]),
  ) as { [K in keyof InferSelectModel<T>]: SQL.Aliased<InferSelectModel<T>[K]> }

/** For the update of an upsert: the value of the rejected row. */
export const excluded = (column: SQLiteColumn) => sql`excluded.${sql.identifier(column.name)}`

/** Writes a row if a condition holds in the same statement, see `rowWhere`. */
export const insertWhere = <T extends SQLiteTable>(
  db: Database,
  table: T,
  row: Parameters<typeof rowWhere<T>>[1],
  condition: SQL,
) => db.insert(table).select(rowWhere(table, row, condition))

const subqueries = new QueryBuilder()

/** Holds while a table has a row that meets a condition. Only a comparison with an outer row of the same table needs an alias. */
export const rowExists = (table: SQLiteTable, which: SQL | undefined): Condition =>
  exists(subqueries.select({ one: sql`1` }).from(table).where(which))

/** Holds while a column of values joined by commas, such as roles, contains a value. */
export const listContains = (list: SQL | SQLiteColumn, value: string | SQL): Condition =>
  sql`instr(',' || ${list} || ',', ',' || ${value} || ',') > 0`

/** Holds while fewer than `limit` rows (null: any number) fulfil a condition; the count stops at the limit. */
export const fewerThan = (table: SQLiteTable, which: SQL, limit: number | null): Condition =>
  limit === null
    ? sql`true`
    : sql`(select count(*) from (select 1 from ${table} where ${which} limit ${limit})) < ${limit}`

/** For the cron trigger: deletes rows in one bounded step. @param key identifies a row @param which needs an index */
export const deleteSome = <T extends SQLiteTable>(
  db: Database,
  table: T,
  key: SQLiteColumn,
  which: SQL,
  limit: number,
) => db.delete(table).where(sql`${key} in (select ${key} from ${table} where ${which} limit ${limit})`)

/** Rows as one parameter, for a FROM: `given.<name>`. */
export function givenRows(names: readonly string[], rows: readonly (readonly unknown[])[]): SQL {
  const columns = names.map((name, at) => sql.raw(`value ->> ${at} as ${name}`))
  return sql`(select ${sql.join(columns, sql`, `)} from json_each(${JSON.stringify(rows)})) as given`
}

/** A list as one parameter. */
export const givenValues = (list: readonly string[]): SQL => sql`(select value from json_each(${JSON.stringify(list)}))`

/**
 * Fails the batch unless a condition holds at this place, by an invalid JSON path: SQLite raises custom errors only in
 * triggers. @param name letters and digits; identifies the condition in the error
 */
export const demand = (db: Database, condition: SQL, name = ''): Statement =>
  db
    .select({ met: sql`case when ${condition} then 1 else json_extract('null', ${unmet(name)}) end` })
    .from(sql`(select 1)`)

const unmet = (name: string) => sql.raw(`'unmet:${name}'`)

/** The name of the `demand` that failed a batch; null for other errors. */
export function unmetDemand(thrown: unknown): string | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const name = /bad JSON path: 'unmet:(\w*)'/.exec(error.message)?.[1]
    if (name !== undefined) return name
  }
  return null
}

/** The part of a statement that drizzle uses for a batch. */
interface Prepared {
  _prepare(): { getQuery(): { sql: string } }
}

/** For a batch: reads whether a condition holds. */
export const readCondition = (db: Database, condition: Condition = sql`1`) =>
  db.select({ holds: sql<number>`${condition}` }).from(sql`(select 1)`)

/** Whether a condition holds now. A batch that relies on it requires it again. */
export async function holdsNow(db: Database, condition: Condition): Promise<boolean> {
  const [row] = await readCondition(db, condition)
  return row?.holds === 1
}

/** Whether a statement of a batch only reads. */
export const isRead = (statement: Statement): boolean =>
  /^\s*select\b/i.test((statement as unknown as Prepared)._prepare().getQuery().sql)

/** Reads of one batch, by name. */
export type Reads = Readonly<Record<string, Statement>>

/** The rows of each read. */
export type Rows<R extends Reads> = { readonly [K in keyof R]: R[K]['_']['result'] }

const rowsOf = <R extends Reads>(reads: R, results: readonly unknown[]) =>
  Object.fromEntries(Object.keys(reads).map((name, at) => [name, results[at]])) as Rows<R>

/** Runs two groups of reads in one batch. */
export async function readBoth<A extends Reads, B extends Reads>(
  db: Database,
  first: A,
  second: B,
): Promise<[Rows<A>, Rows<B>]> {
  const statements = [...Object.values(first), ...Object.values(second)]
  const results = await runBatch(db, statements)
  return [rowsOf(first, results), rowsOf(second, results.slice(Object.keys(first).length))]
}

/** Runs several reads in one round trip. @returns the rows of each statement by its name */
export const read = async <R extends Reads>(db: Database, reads: R): Promise<Rows<R>> =>
  (await readBoth(db, reads, {}))[0]

/** Runs statements in one batch. Only the unit of work, `read` and the dispatcher of jobs call it. */
export async function runBatch(db: Database, statements: readonly Statement[]): Promise<unknown[]> {
  const [first, ...others] = statements
  if (!first) return []
  return db.batch([first, ...others])
}

/** A column or expression of an index, and its beginning or whole value. */
export type Match = { by: SQLWrapper } & ({ begins: string } | { is: string })

/**
 * A subquery of the ids of rows with one of the matches. Each index yields at most `limit` candidates, so that the search of
 * one letter costs as much as any other.
 */
export function idsThatMatch(table: SQLiteTable, id: SQLWrapper, matches: readonly Match[], limit: number): SQL {
  const candidates = matches.map((match) => {
    const { by } = match
    const fits =
      'is' in match
        ? sql`${by} = ${match.is}`
        : sql`${by} >= ${match.begins} and ${by} < ${`${match.begins}\u{10ffff}`}`
    return sql`select id from (select ${id} as id from ${table} where ${fits} order by ${by} limit ${limit})`
  })
  return sql.join(candidates, sql` union `)
}
