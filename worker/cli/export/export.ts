import { closeSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { comparedAddress } from '../../kit/email-address.ts'
import { collectPersonalData } from '../../rpc/personal-data.store.ts'
import { CliError } from '../cli-error.ts'
import { defineCommand } from '../command.ts'
import { openPrivate } from '../private-file.ts'
import { remoteDatabase } from '../remote-database.store.ts'
import { literal } from '../sql-literal.ts'
import { selectAll, type Target, targetOf, targetOptions } from '../wrangler.ts'

export const command = defineCommand({
  about: `Exports the data of one user, or everything. One user: JSON without passwords, tokens and keys. Everything: each
    table as NDJSON, one row per line, with password hashes and sealed secrets as they are stored.`,
  options: {
    user: { type: 'string', value: '<id or address>', help: 'the data of one user' },
    all: { type: 'string', value: '<folder>', help: 'every table, into this folder' },
    out: { type: 'string', value: '<file>', help: 'the file for the data of --user; otherwise it is printed' },
    ...targetOptions,
  },
  async run(values) {
    const { user, all, out } = values
    if ((user === undefined) === (all === undefined)) {
      throw new CliError('Name what to export.', 'npx gatehouse-auth export --user <id or address>, or --all <folder>')
    }
    if (all !== undefined && out !== undefined) {
      throw new CliError('--out is for --user.', 'leave it out; --all names the folder')
    }
    const target = targetOf(values)
    return user === undefined ? await exportAll(target, all!) : await exportUser(target, user, out)
  },
})

async function exportUser(target: Target, given: string, out: string | undefined): Promise<number> {
  const sql = `SELECT id FROM users WHERE id = ${literal(given)} OR email = ${literal(comparedAddress(given))}`
  const [[found] = []] = await selectAll<{ id: string }>(target, [sql])
  const data = found && (await collectPersonalData(remoteDatabase(target), found.id))
  if (!data) {
    throw new CliError(
      `No user has the id or address ${given}.`,
      'npx gatehouse-auth users list prints ids and addresses',
    )
  }
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
