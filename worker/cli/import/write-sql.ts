import { literal } from '../sql-literal.ts'
import type { Row } from './row.ts'

/**
 * Rows as SQL that may run any number of times. What was written once is remembered in a table of its own, and never
 * written again: a session that has ended since, or an identity that was unlinked, does not come back.
 */
export const preamble = 'CREATE TABLE IF NOT EXISTS imported_rows (name TEXT PRIMARY KEY) WITHOUT ROWID;'

export function rowStatements({ table, id, values, needs, optional = {} }: Row): string {
  const columns = Object.keys(values).filter((column) => values[column] !== undefined)
  const mark = literal(`${table}:${id}`)
  const cells = columns.map((column) => {
    const cell = literal(values[column]!)
    return optional[column] ? `(SELECT id FROM ${optional[column]} WHERE id = ${cell})` : cell
  })
  const conditions = [
    `NOT EXISTS (SELECT 1 FROM imported_rows WHERE name = ${mark})`,
    ...needs.map(([other, otherId]) => `EXISTS (SELECT 1 FROM ${other} WHERE id = ${literal(otherId)})`),
  ]
  return [
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${cells.join(', ')} WHERE ${conditions.join(' AND ')} ON CONFLICT DO NOTHING;`,
    `INSERT INTO imported_rows SELECT ${mark} WHERE EXISTS (SELECT 1 FROM ${table} WHERE id = ${literal(id)}) ON CONFLICT DO NOTHING;`,
  ].join('\n')
}
