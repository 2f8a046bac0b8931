import { literal } from '../sql-literal.ts'
import type { Row } from './row.ts'

/**
 * Rows as SQL that may run any number of times. A separate table marks written rows, which are never written again, so
 * that an ended session or an unlinked identity is not restored.
 */
export const preamble = 'CREATE TABLE IF NOT EXISTS imported_rows (name TEXT PRIMARY KEY) WITHOUT ROWID;'

/** The mark of a row. */
export const markOf = ({ table, id }: Pick<Row, 'table' | 'id'>): string => `${table}:${id}`

/** D1 takes statements of up to 100 KB, and Windows command lines of up to 32 KB. */
const listLength = process.platform === 'win32' ? 20_000 : 80_000

/** Queries for rows without a mark: they were not written by this or an earlier run. */
export function leftBehind(rows: Row[]): string[] {
  const lists: string[][] = [[]]
  let length = 0
  for (const mark of rows.map(markOf)) {
    length += mark.length + 4
    if (length > listLength) {
      lists.push([])
      length = mark.length + 4
    }
    lists.at(-1)!.push(mark)
  }
  return lists.map((marks) => {
    const list = literal(JSON.stringify(marks))
    return `SELECT value AS name FROM json_each(${list}) WHERE value NOT IN (SELECT name FROM imported_rows)`
  })
}

export function rowStatements({ table, id, values, needs, optional = {} }: Row): string {
  const columns = Object.keys(values).filter((column) => values[column] !== undefined)
  const mark = literal(markOf({ table, id }))
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
