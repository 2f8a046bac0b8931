import { selectAll, type Target } from '../wrangler.ts'

/** A table of the database, as far as a backup needs it. */
export interface BackupTable {
  name: string
  columns: string[]
  /** Columns with bytes. */
  blobs: string[]
  /** The column that is the rowid. */
  key: string | null
  /** References to other tables: without the row, the database refuses the insertion. */
  needs: { column: string; table: string; to: string }[]
}

/**
 * Not in a backup: what wrangler and this command keep, the address of the deployment, and what triggers compute from the
 * rest. Indexes of a text search are virtual tables.
 */
const leftOut = new Set(['d1_migrations', 'imported_rows', 'restored_backup', 'deployment', 'table_counts'])

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The tables with their columns, each one after those that it refers to. */
export async function readTables(target: Target): Promise<BackupTable[]> {
  const own = "m.type = 'table' AND m.name NOT GLOB 'sqlite_*' AND m.name NOT GLOB '_cf_*'"
  const [made = [], columns = [], references = []] = await selectAll<Record<string, string | number | null>>(target, [
    `SELECT m.name AS name, m.sql AS sql FROM sqlite_master m WHERE ${own} ORDER BY m.rowid`,
    `SELECT m.name AS name, c.name AS own, upper(c.type) AS type, c.pk AS pk FROM sqlite_master m, pragma_table_info(m.name) c WHERE ${own} ORDER BY m.rowid, c.cid`,
    `SELECT m.name AS name, f."from" AS own, f."table" AS other, coalesce(f."to", 'id') AS "to" FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE ${own}`,
  ])
  const virtual = made.filter(({ sql }) => /^CREATE VIRTUAL/i.test(String(sql))).map(({ name }) => String(name))
  const names = made
    .map(({ name }) => String(name))
    .filter((name) => !leftOut.has(name) && !virtual.some((one) => name === one || name.startsWith(`${one}_`)))
  const tables = names.map((name): BackupTable => {
    const its = columns.filter((column) => column.name === name)
    const keys = its.filter(({ pk }) => Number(pk) > 0)
    return {
      name,
      columns: its.map(({ own: column }) => String(column)),
      blobs: its.filter(({ type }) => type === 'BLOB').map(({ own: column }) => String(column)),
      key: keys.length === 1 && keys[0]!.type === 'INTEGER' ? String(keys[0]!.own) : null,
      needs: references
        .filter((one) => one.name === name)
        .map(({ own: column, other, to }) => ({ column: String(column), table: String(other), to: String(to) })),
    }
  })
  return inOrder(tables)
}

function inOrder(tables: readonly BackupTable[]): BackupTable[] {
  const sorted: BackupTable[] = []
  const visit = (table: BackupTable, path: readonly string[]): void => {
    if (sorted.includes(table) || path.includes(table.name)) return
    for (const need of table.needs) {
      const other = tables.find(({ name }) => name === need.table)
      if (other) visit(other, [...path, table.name])
    }
    sorted.push(table)
  }
  for (const table of tables) visit(table, [])
  return sorted
}

/** The name of the last migration. */
export const lastMigration = 'SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1'

/** Rows of one page: wrangler prints them as one text. Images are up to a megabyte. */
export const rowsAtOnce = ({ blobs }: BackupTable): number => (blobs.length > 0 ? 10 : 4000)

/** The rows after a place, up to a place, each as a list: the rowid and the values. */
export function rowsQuery(table: BackupTable, after: number, to: number): string {
  const values = table.columns.map((name, at) =>
    table.blobs.includes(name) ? `hex(${quoted(name)}) AS c${at}` : `${quoted(name)} AS c${at}`,
  )
  return `SELECT rowid AS r, ${values.join(', ')} FROM ${quoted(table.name)} WHERE rowid > ${after} AND rowid <= ${to} ORDER BY rowid LIMIT ${rowsAtOnce(table)}`
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** One statement that inserts rows, except those whose parent is missing. */
export function insertion(table: BackupTable, columns: readonly string[], rows: readonly string[]): string {
  const known = columns.map((name, at) => [name, at + 1] as const).filter(([name]) => table.columns.includes(name))
  const cell = (at: number) => `value ->> ${at}`
  const cells = known.map(([name, at]) => (table.blobs.includes(name) ? `unhex(${cell(at)})` : cell(at)))
  const conditions = table.needs.flatMap(({ column, table: other, to }) => {
    const at = known.find(([name]) => name === column)?.[1]
    if (at === undefined || other === table.name) return []
    return [
      `(${cell(at)} IS NULL OR EXISTS (SELECT 1 FROM ${quoted(other)} WHERE ${quoted(to)} = json_each.value ->> ${at}))`,
    ]
  })
  const place = table.key === null ? ['rowid'] : []
  const names = [...place, ...known.map(([name]) => quoted(name))]
  const values = [...place.map(() => cell(0)), ...cells]
  const where = conditions.length > 0 ? conditions.join(' AND ') : '1'
  return `INSERT OR IGNORE INTO ${quoted(table.name)} (${names.join(', ')}) SELECT ${values.join(', ')} FROM json_each(${text(`[${rows.join(',')}]`)}) WHERE ${where};`
}

export const countOf = (name: string): string => `SELECT count(*) AS n FROM ${quoted(name)}`
export const lastOf = (name: string): string => `SELECT coalesce(max(rowid), 0) AS n FROM ${quoted(name)}`
export const emptied = (name: string): string => `DELETE FROM ${quoted(name)};`
