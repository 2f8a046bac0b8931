import type { Values } from './records.ts'

/** A row to be written, if it was not before and what it speaks of is there. */
export interface Row {
  table: string
  id: string
  values: Values
  /** Rows that must exist: `[table, id]`. */
  needs: [table: string, id: string][]
  /** Columns that become null where the row that they name is not there: column -> table. */
  optional?: Record<string, string>
}

export interface Skipped {
  what: string
  reason: string
}
