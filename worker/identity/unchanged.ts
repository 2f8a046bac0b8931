import { and, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../platform/database.ts'
import { type Condition, rowExists, type Statement } from '../platform/statements.ts'

/** The part of an UPDATE that drizzle keeps until it writes the SQL. */
interface Update {
  config: {
    table: SQLiteTable
    set: Readonly<Record<string, SQL>>
    where?: SQL
    returning?: readonly { path: readonly string[]; field: SQLiteColumn }[]
  }
}

/** Columns with the time of a change. A new value of them alone does not count as a change. */
const always = ['updatedAt']

/**
 * For an UPDATE of one row: whether the row already has all values, and what the statement would have returned.
 * @param except columns that follow from the time of the request
 */
export function unchanged(
  db: Database,
  statement: Statement,
  except: readonly string[] = [],
): { condition: Condition; rows: Statement | null } {
  const { table, set, where, returning } = (statement as unknown as Update).config
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table)
  const compared = Object.entries(set).filter(([name]) => !always.includes(name) && !except.includes(name))
  const isEqual = and(where, ...compared.map(([name, value]) => sql`${columns[name]} is ${value}`))
  const selection = returning?.map(({ path, field }) => [path[0]!, field] as const)
  return {
    condition: rowExists(table, isEqual),
    rows: selection ? db.select(Object.fromEntries(selection)).from(table).where(isEqual) : null,
  }
}
