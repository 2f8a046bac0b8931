import { getTableColumns, type InferInsertModel, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

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
