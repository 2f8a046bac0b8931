import { eq, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

/** The rows of a table that an export of a user's data contains. */
export interface PersonalRows {
  table: SQLiteTable
  of: (userId: string) => SQL
  /** Columns that hold secrets or data of other users. */
  without: readonly string[]
}

/**
 * Declares which rows of a table an export contains, beside the table, for each table that refers to users
 * (checks/personal-data.test.ts): `export const …PersonalData = { <name in the export>: personalRows(…) }`.
 * @param of the column with the user's id, or a condition
 */
export const personalRows = <T extends SQLiteTable>(
  table: T,
  of: SQLiteColumn | PersonalRows['of'],
  without: readonly Extract<keyof T['_']['columns'], string>[] = [],
): PersonalRows => ({ table, of: typeof of === 'function' ? of : (userId) => eq(of, userId), without })
