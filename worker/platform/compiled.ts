import { Column, fillPlaceholders, getTableColumns, is, type Query, sql, Table } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Database } from './database.ts'

/** What a compiled query selects, in its order: tables as a whole, or single columns. */
type Selection = Record<string, Table | Column>

type Selected<S extends Selection> = {
  [K in keyof S]: S[K] extends Table ? S[K]['$inferSelect'] : S[K] extends Column ? S[K]['_']['data'] | null : never
}

interface Compiled {
  sql: string
  params: unknown[]
}

/** Only writes SQL down; it is connected to nothing. */
const draft = drizzle({} as D1Database) as unknown as Database

const clientOf = (db: Database) => (db as unknown as { $client: D1Database }).$client

/** Reads what a row holds from its value at `at` on, and says how many values that were. */
interface Reader {
  length: number
  read(row: readonly unknown[], at: number): unknown
}

/** The value of one column; most are what the database says. */
const columnReader = (column: Column): ((value: unknown) => unknown) | null =>
  column.mapFromDriverValue === Column.prototype.mapFromDriverValue
    ? null
    : (value) => (value === null ? null : column.mapFromDriverValue(value))

/** A table's row. How each column is read is made out once, since rows of forty columns are read at every request. */
function tableReader(table: Table): Reader {
  const columns = Object.entries(getTableColumns(table))
  const names = columns.map(([name]) => name)
  const readers = columns.map(([, column]) => columnReader(column))
  return {
    length: names.length,
    read(row, at) {
      const result: Record<string, unknown> = {}
      for (let n = 0; n < names.length; n++) {
        const read = readers[n]
        result[names[n]!] = read ? read(row[at + n]) : row[at + n]
      }
      return result
    },
  }
}

function readerOf(part: Table | Column): Reader {
  if (is(part, Table)) return tableReader(part)
  const read = columnReader(part) ?? ((value: unknown) => value)
  return { length: 1, read: (row, at) => read(row[at]) }
}

/** Reads rows of a selection, whose values stand side by side in its order. */
function rowReader(selection: Selection): (row: readonly unknown[]) => Record<string, unknown> {
  const parts = Object.entries(selection).map(([name, part]) => ({ name, ...readerOf(part) }))
  return (row) => {
    const result: Record<string, unknown> = {}
    let at = 0
    for (const { name, length, read } of parts) {
      result[name] = read(row, at)
      at += length
    }
    return result
  }
}

/**
 * A query whose SQL is written once an isolate, at its first use. For the few that nearly every request runs: writing
 * SQL takes longer than sending it.
 * @param selection what the query selects or returns; rows come in its shape
 * @param write the query, with `sql.placeholder(name)` for every value
 * @returns runs it, in one round trip
 */
export function compiled<S extends Selection>(
  selection: S,
  write: (db: Database) => { toSQL(): Query },
): (db: Database, values: Record<string, unknown>) => Promise<Selected<S>[]> {
  const read = rowReader(selection)
  let query: Compiled | undefined
  return async (db, values) => {
    query ??= write(draft).toSQL()
    const parameters = fillPlaceholders(query.params, values)
    const rows = await clientOf(db)
      .prepare(query.sql)
      .bind(...parameters)
      .raw<unknown[]>()
    return rows.map((row) => read(row) as Selected<S>)
  }
}

/** The same for a batch of such statements, whose columns need names of their own. @returns binds it */
export function compiledStatement(
  write: (db: Database) => { toSQL(): Query },
): (db: Database, values: Record<string, unknown>) => D1PreparedStatement {
  let query: Compiled | undefined
  return (db, values) => {
    query ??= write(draft).toSQL()
    return clientOf(db)
      .prepare(query.sql)
      .bind(...fillPlaceholders(query.params, values))
  }
}

/** Runs compiled statements in one round trip. @returns the rows of each, as the database names their columns */
export async function runCompiled(
  db: Database,
  statements: D1PreparedStatement[],
): Promise<Record<string, unknown>[][]> {
  const results = await clientOf(db).batch<Record<string, unknown>>(statements)
  return results.map((one) => one.results)
}

/**
 * A table's row as one column of JSON, and how it is read. D1 gives the rows of a batch as objects: to name forty
 * values takes longer than to read them. It gives a function at most 32 arguments, so that no table of more columns can
 * be packed.
 */
export function packed<T extends Table>(table: T) {
  const { read } = tableReader(table)
  return {
    column: sql<string>`json_array(${sql.join(Object.values(getTableColumns(table)), sql`, `)})`,
    read: (text: unknown) => read(JSON.parse(String(text)) as unknown[], 0) as T['$inferSelect'],
  }
}
