import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RowValues } from './records.ts'

/** A row that the import writes unless it was written before or a required row is missing. */
export interface Row {
  table: string
  id: string
  /** The stored values by the names of the columns. */
  values: Record<string, string | number | null>
  /** Rows that must exist: `[table, id]`. */
  needs: [table: string, id: string][]
  /** Columns that become null where the row that they name does not exist: column -> table. */
  optional?: Record<string, string>
}

/** A row with its values as the table stores them. */
export function rowOf<T extends SQLiteTable>(
  table: T,
  values: RowValues<T> & { id?: unknown },
  needs: Row['needs'],
): Row {
  const stored = Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    const value: unknown = values[name as keyof typeof values]
    if (value === undefined) return []
    return [[column.name, value === null ? null : (column.mapToDriverValue(value) as string | number)] as const]
  })
  return { table: getTableName(table), id: String(values.id), values: Object.fromEntries(stored), needs }
}

export interface Skipped {
  what: string
  reason: string
}
