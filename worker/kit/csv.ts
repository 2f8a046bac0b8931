/** A value of a cell. A date is written in ISO 8601. */
export type Cell = string | number | boolean | Date | null | undefined

/**
 * Spreadsheets run a text as a formula if it begins with one of these characters, also in their full-width form. An
 * apostrophe before it makes it a text.
 */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** A row of a CSV file (RFC 4180). Texts do not run as formulas. */
export const csvRow = (cells: readonly Cell[]): string => `${cells.map(written).join(',')}\r\n`

function written(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString()
  if (typeof cell !== 'string') return String(cell)
  const text = formula.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
