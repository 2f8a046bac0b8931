import { closeSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, Option } from '@commander-js/extra-typings'
import { recordsAbout } from '../rpc/archived-personal-data.ts'
import { collectPersonalData, placesAbout } from '../rpc/personal-data.store.ts'
import { readObject } from './audit/sources.ts'
import { CliError } from './cli-error.ts'
import { openPrivate } from './private-file.ts'
import { remoteDatabase } from './remote-database.store.ts'
import { findUser } from './users/users.ts'
import { selectAll, type Target, withTarget } from './wrangler.ts'

export const command = withTarget(
  new Command('export')
    .description(`Exports the data of one user, or everything. One user: JSON without passwords, tokens and keys. Everything:
      each table as NDJSON, one row per line, with password hashes and sealed secrets as they are stored.`)
    .addOption(new Option('--user <id-or-address>', 'the data of one user').conflicts('all'))
    .option('--all <folder>', 'every table, into this folder')
    .addOption(new Option('--out <file>', 'the file for the data of --user; otherwise it is printed').conflicts('all')),
).action(async ({ user, all, out, ...target }) => {
  if (user !== undefined) return await exportUser(target, user, out)
  if (all !== undefined) return await exportAll(target, all)
  throw new CliError('Name what to export.', 'npx gatehouse-auth export --user <id or address>, or --all <folder>')
})

async function exportUser(target: Target, given: string, out: string | undefined): Promise<void> {
  const user = await findUser(target, given)
  const db = remoteDatabase(target)
  const found = await collectPersonalData(db, user.id, placesPerCall)
  if (!found) throw new CliError(`The user ${user.id} was deleted meanwhile.`, 'nothing is left to export')
  const { data } = found
  for (let places = found.places; places.length > 0; ) {
    for (const place of places) {
      const records = await readObject(target, place)
      if (!records)
        throw new CliError(
          `The object ${place.object} of the archive is missing or damaged.`,
          'put it back from a copy of the bucket (guide disaster.md), then run the command again',
        )
      data.auditRecords.push(...recordsAbout(user.id, records))
      console.error(`archive: read back to ${place.firstAt.toISOString()}`)
    }
    places = places.length < placesPerCall ? [] : await placesAbout(db, user.id, places.at(-1)!.first, placesPerCall)
  }
  const text = JSON.stringify(data, null, 2)
  if (out) {
    writeFileSync(openPrivate(out), `${text}\n`)
    console.log(`${out}: written`)
  } else console.log(text)
}

/** Objects of the archive that one call of wrangler lists. */
const placesPerCall = 100

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
async function exportAll(target: Target, folder: string): Promise<void> {
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
}

const pageOf = ({ name, last }: Progress): string =>
  `SELECT rowid AS "rowid", * FROM "${name}" WHERE rowid > ${last} ORDER BY rowid LIMIT ${pageSize(name)}`
