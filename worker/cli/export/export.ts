import { closeSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { collectPersonalData } from '../../rpc/personal-data.store.ts'
import { openPrivate } from '../private-file.ts'
import { literal } from '../sql-literal.ts'
import { fail, runCommand, selectAll, type Target, targetOf, targetOptions } from '../wrangler.ts'
import { remoteDatabase } from './remote-database.store.ts'

export const usage = `gatehouse export --user <id or address> [--out <file>]
gatehouse export --all <folder>

  --user   everything that is kept of one person, as JSON, without passwords, tokens and keys
  --all    every table as NDJSON, one line a row, with password hashes and sealed secrets as they are stored
  --out    where the person's data goes; otherwise it is printed

  --local (the default), --remote, --database, --persist-to, --config: as for gatehouse import`

const options = {
  user: { type: 'string' },
  all: { type: 'string' },
  out: { type: 'string' },
  ...targetOptions,
} as const

/** `gatehouse export`. @returns the exit code */
export const run = (args: string[]): Promise<number> =>
  runCommand(usage, async () => {
    const { values } = parseArgs({ args, options })
    const { user, all, out } = values
    const target = targetOf(values)
    if (user !== undefined && all === undefined) return await exportUser(target, user, out)
    if (all !== undefined && user === undefined) return await exportAll(target, all)
    return fail(usage)
  })

async function exportUser(target: Target, given: string, out: string | undefined): Promise<number> {
  const sql = `SELECT id FROM users WHERE id = ${literal(given)} OR email = ${literal(given.toLowerCase())}`
  const [[found] = []] = await selectAll<{ id: string }>(target, [sql])
  const data = found && (await collectPersonalData(remoteDatabase(target), found.id))
  if (!data) return fail(`No user has the id or address ${given}.`)
  const text = JSON.stringify(data, null, 2)
  if (out) {
    writeFileSync(openPrivate(out), `${text}\n`)
    console.log(`${out}: written`)
  } else console.log(text)
  return 0
}

/** Rows per call and table; fewer for images. */
const pageSize = (table: string): number => (['avatars', 'organization_logos'].includes(table) ? 20 : 500)

interface Progress {
  name: string
  /** The descriptor of its file. */
  file: number
  count: number
  /** The rowid of the last read row. */
  last: number
}

/** One call of wrangler reads the next page of every unfinished table. */
async function exportAll(target: Target, folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const [tables = []] = await selectAll<{ name: string }>(target, [
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT IN ('d1_migrations', 'imported_rows') ORDER BY name",
  ])
  const all: Progress[] = tables.map(({ name }) => {
    return { name, file: openPrivate(join(folder, `${name}.ndjson`)), count: 0, last: 0 }
  })
  for (let open = all; open.length > 0; ) {
    const pages = await selectAll<Record<string, unknown> & { rowid: number }>(target, open.map(pageOf))
    for (const [i, progress] of open.entries()) {
      const lines = pages[i]!.map(({ rowid: _rowid, ...row }) => `${JSON.stringify(row)}\n`)
      writeFileSync(progress.file, lines.join(''))
      progress.last = pages[i]!.at(-1)?.rowid ?? progress.last
      progress.count += lines.length
    }
    open = open.filter(({ name }, i) => pages[i]!.length === pageSize(name))
    if (open.length > 0) {
      const read = all.reduce((sum, { count }) => sum + count, 0)
      console.error(`${read} rows written; there are more in ${open.map(({ name }) => name).join(', ')}`)
    }
  }
  for (const { name, file, count } of all) {
    closeSync(file)
    console.log(`${name}: ${count}`)
  }
  return 0
}

const pageOf = ({ name, last }: Progress): string =>
  `SELECT rowid AS "rowid", * FROM "${name}" WHERE rowid > ${last} ORDER BY rowid LIMIT ${pageSize(name)}`
