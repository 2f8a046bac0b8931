import { type Column, fillPlaceholders, getTableColumns, is, type Query, sql, Table } from 'drizzle-orm'
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

/** One column of a row: where its value goes. */
interface Field {
  name: string
  /** Null for a column that stands by itself. */
  key: string | null
  column: Column
}

function fieldsOf(selection: Selection): Field[] {
  return Object.entries(selection).flatMap(([name, part]): Field[] =>
    is(part, Table)
      ? Object.entries(getTableColumns(part)).map(([key, column]) => ({ name, column, key }))
      : [{ name, column: part as Column, key: null }],
  )
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
  const fields = fieldsOf(selection)
  let query: Compiled | undefined
  return async (db, values) => {
    query ??= write(draft).toSQL()
    const parameters = fillPlaceholders(query.params, values)
    const rows = await clientOf(db)
      .prepare(query.sql)
      .bind(...parameters)
      .raw<unknown[]>()
    return rows.map((row) => {
      const result: Record<string, unknown> = {}
      for (const [at, { name, column, key }] of fields.entries()) {
        const value = row[at] === null ? null : column.mapFromDriverValue(row[at])
        if (key === null) result[name] = value
        else {
          result[name] ??= {}
          ;(result[name] as Record<string, unknown>)[key] = value
        }
      }
      return result as Selected<S>
    })
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
  const columns = Object.entries(getTableColumns(table))
  return {
    column: sql<string>`json_array(${sql.join(Object.values(getTableColumns(table)), sql`, `)})`,
    read(text: unknown): T['$inferSelect'] {
      const values = JSON.parse(String(text)) as unknown[]
      const row: Record<string, unknown> = {}
      for (const [at, [name, column]] of columns.entries()) {
        row[name] = values[at] === null ? null : column.mapFromDriverValue(values[at])
      }
      return row
    },
  }
}
