/** A value in SQL. Dates are milliseconds. Control characters, which no column needs, become spaces. */
export function literal(value: string | number | boolean | Date | null): string {
  if (value === null) return 'NULL'
  if (value instanceof Date) return String(value.getTime())
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'NULL'
  return `'${value.replace(/\p{Cc}/gu, ' ').replaceAll("'", "''")}'`
}
