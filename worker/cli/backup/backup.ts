import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Command } from '@commander-js/extra-typings'
import { newId } from '../../kit/random.ts'
import { CliError } from '../cli-error.ts'
import { openPrivate } from '../private-file.ts'
import { placeOf, selectAll, type Target, withTarget } from '../wrangler.ts'
import { type Header, noRows, type Summary, secretsIn, type Trailer, withLine } from './backup-file.ts'
import { type BackupPlace, localNameOf, placeOfBackup, upload } from './place.ts'
import { type BackupTable, lastMigration, lastOf, readTables, rowsAtOnce, rowsQuery } from './tables.ts'

/** What an interrupted backup continues with, in a file beside it. */
interface Progress {
  header: Header
  database: string
  /** The complete bytes of the file. */
  bytes: number
  /** The number of the current table, and its last row. */
  table: number
  last: number
  summaries: Record<string, Summary>
  secrets: string[]
}

export const command = withTarget(
  new Command('backup')
    .description(`Writes the whole database to a file (NDJSON, gzip), or to an object in R2. Passwords are hashes, and secrets stay sealed: the
      file is of no use for a deployment without the same GATEHOUSE_SECRET. An interrupted backup continues with the same command.`)
    .argument('<place>', 'a file, or r2:BUCKET/KEY'),
).action(async (given, target) => {
  const place = placeOfBackup(given)
  const file = localNameOf(place)
  if (place.kind === 'file' && existsSync(file)) throw new CliError(`${file} exists.`, 'choose another name')
  const trailer = await write(target, file)
  for (const [name, { rows, sha256 }] of Object.entries(trailer.tables)) {
    if (rows > 0) console.log(`${name.padEnd(24)}${String(rows).padStart(10)}  ${sha256.slice(0, 16)}`)
  }
  await finish(place, file, target)
})

async function finish(place: BackupPlace, file: string, target: Target): Promise<void> {
  if (place.kind === 'r2') {
    await upload(place, file, target)
    rmSync(file)
  }
  console.log(`${place.shown}: complete. Keep it like the database: it has addresses and password hashes.`)
  console.log(
    'Next: keep GATEHOUSE_SECRET in another place. npx gatehouse-auth restore <place> writes it into an empty deployment.',
  )
}

/** Writes the file, page by page. Each page is a gzip member, so that a file that ends in the middle is shortened to the last one. */
async function write(target: Target, file: string): Promise<Trailer> {
  const [partial, notes] = [`${file}.partial`, `${file}.partial.json`]
  const tables = await readTables(target)
  const before = readProgress(partial, notes, target)
  const progress = before ?? (await begin(target, tables))
  const descriptor = before ? openSync(partial, 'r+') : openPrivate(partial)
  const append = (lines: readonly string[], changes: Partial<Progress>) => {
    const packed = gzipSync(`${lines.join('\n')}\n`)
    writeSync(descriptor, packed, 0, packed.length, progress.bytes)
    fsyncSync(descriptor)
    Object.assign(progress, changes, { bytes: progress.bytes + packed.length })
    const saved = openPrivate(`${notes}.new`)
    writeSync(saved, JSON.stringify(progress))
    closeSync(saved)
    renameSync(`${notes}.new`, notes)
  }
  if (before) {
    ftruncateSync(descriptor, progress.bytes)
    console.error(`${file}: continues after ${rowsOf(progress)} rows`)
  } else append([JSON.stringify(progress.header)], {})
  const secrets = new Set(progress.secrets)
  while (progress.table < progress.header.tables.length) {
    const { name, last } = progress.header.tables[progress.table]!
    const table = tables.find((one) => one.name === name)
    if (!table) throw changed(partial, notes)
    const lines: string[] = []
    // Without a call for a table that has no further rows: a call of wrangler takes seconds.
    const rows = progress.last < last ? await readPage(target, table, progress.last, last) : []
    let summary = progress.summaries[name] ?? noRows
    for (const { values, rowid } of rows) {
      for (const value of values) for (const secret of secretsIn(value)) secrets.add(secret)
      const line = JSON.stringify([progress.table, rowid, ...values])
      summary = withLine(summary, line)
      lines.push(line)
    }
    const isDone = rows.length < rowsAtOnce(table) || rows.at(-1)!.rowid >= last
    const place = isDone ? { table: progress.table + 1, last: 0 } : { last: rows.at(-1)!.rowid }
    const changes = { ...place, summaries: { ...progress.summaries, [name]: summary }, secrets: [...secrets] }
    if (lines.length > 0) {
      append(lines, changes)
      console.error(`${name}: ${summary.rows} rows`)
    } else Object.assign(progress, changes)
  }
  const trailer: Trailer = { end: true, tables: progress.summaries, secrets: [...secrets] }
  append([JSON.stringify(trailer)], {})
  closeSync(descriptor)
  renameSync(partial, file)
  rmSync(notes)
  return trailer
}

const rowsOf = ({ summaries }: Progress): number => Object.values(summaries).reduce((sum, { rows }) => sum + rows, 0)

const changed = (partial: string, notes: string) =>
  new CliError(
    'The database has other tables than at the beginning of this backup.',
    `delete ${partial} and ${notes}, and begin again`,
  )

async function begin(target: Target, tables: readonly BackupTable[]): Promise<Progress> {
  const [[migration] = [], sequences = [], ...ends] = await selectAll<Record<string, string | number>>(target, [
    lastMigration,
    'SELECT name, seq FROM sqlite_sequence',
    ...tables.map(({ name }) => lastOf(name)),
  ])
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string
  }
  const header: Header = {
    ...{ format: 'gatehouse-backup', version: 1, id: newId(), createdAt: new Date().toISOString(), package: version },
    migration: String(migration?.name ?? ''),
    tables: tables.map(({ name, columns }, at) => ({ name, columns, last: Number(ends[at]![0]!.n) })),
    sequences: Object.fromEntries(
      sequences
        .filter(({ name }) => tables.some((table) => table.name === name))
        .map(({ name, seq }) => [name, Number(seq)]),
    ),
  }
  return { header, database: databaseOf(target), bytes: 0, table: 0, last: 0, summaries: {}, secrets: [] }
}

const databaseOf = (target: Target): string => `${target.database} ${placeOf(target)} ${target.persistTo ?? ''}`

function readProgress(partial: string, notes: string, target: Target): Progress | null {
  if (!existsSync(notes) || !existsSync(partial)) return null
  const progress = JSON.parse(readFileSync(notes, 'utf8')) as Progress
  if (progress.database === databaseOf(target)) return progress
  throw new CliError(
    `${partial} is an unfinished backup of another database (${progress.database.trim()}).`,
    `delete ${partial} and ${notes}, or choose another name`,
  )
}

async function readPage(target: Target, table: BackupTable, after: number, to: number) {
  const [rows = []] = await selectAll<Record<string, unknown>>(target, [rowsQuery(table, after, to)])
  return rows.map(({ r, ...row }) => ({
    rowid: Number(r),
    values: table.columns.map((_, at) => row[`c${at}`] ?? null),
  }))
}
