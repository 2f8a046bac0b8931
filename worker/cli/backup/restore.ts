import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import { CliError } from '../cli-error.ts'
import { literal } from '../sql-literal.ts'
import { applyMigrations, d1, placeOf, selectAll, type Target, withTarget } from '../wrangler.ts'
import { type Header, readBackup, secretsIn, type Trailer, verifyBackup } from './backup-file.ts'
import { download, localNameOf, placeOfBackup } from './place.ts'
import { type BackupTable, countOf, emptied, insertion, lastMigration, readTables } from './tables.ts'

export const command = withTarget(
  new Command('restore')
    .description(`Writes a backup into an empty deployment with the same GATEHOUSE_SECRET and the same migrations. It compares the file with its
      checksums first. An interrupted restore continues with the same command.`)
    .argument('<place>', 'a file, or r2:BUCKET/KEY'),
).action(async (given, target) => {
  const place = placeOfBackup(given)
  const file = localNameOf(place)
  if (place.kind === 'r2') await download(place, file, target)
  const { header, trailer } = await verifyBackup(file)
  console.log(`${place.shown}: intact, of ${header.createdAt}`)
  const tables = await readTables(target)
  const done = await prepare(target, { header, trailer, tables })
  await write(target, file, { header, tables, done })
  await finish(target, header, trailer)
  if (place.kind === 'r2') rmSync(file)
})

/** Tables that the Worker fills in a deployment without users. Their rows are replaced. */
const ownRows = new Set([
  ...['jwks', 'stored_secrets', 'resealing', 'billing_products', 'rate_limits', 'audit_budgets'],
  ...['count_progress', 'daily_counts', 'active_days', 'jobs', 'used_records'],
])

/** The last written row. */
interface Done {
  table: number
  rowid: number
}

interface Restored {
  header: Header
  trailer: Trailer
  tables: readonly BackupTable[]
}

/** @returns where an interrupted restore of this file stopped @throws CliError if the deployment is not empty, or another one */
async function prepare(target: Target, { header, trailer, tables }: Restored): Promise<Done> {
  const create =
    'CREATE TABLE IF NOT EXISTS restored_backup (id TEXT PRIMARY KEY, last_table INTEGER NOT NULL, last_row INTEGER NOT NULL)'
  const [, [migration] = [], begun = [], keys = [], ...counts] = await selectAll<Record<string, string | number>>(
    target,
    [
      create,
      lastMigration,
      'SELECT id, last_table, last_row FROM restored_backup',
      'SELECT private_key FROM jwks',
      ...tables.map(({ name }) => countOf(name)),
    ],
  )
  if (migration?.name !== header.migration) {
    throw new CliError(
      `The backup has the migration ${header.migration}, and the deployment ${migration?.name ?? 'none'}.`,
      `install gatehouse-auth ${header.package} (npm install gatehouse-auth@${header.package}), then ${applyMigrations(target)}`,
    )
  }
  const missing = header.tables.find(({ name }) => !tables.some((table) => table.name === name))
  if (missing) throw new CliError(`The deployment has no table ${missing.name}.`, applyMigrations(target))
  const [same] = begun
  if (same?.id === header.id) {
    const rest = { table: Number(same.last_table), rowid: Number(same.last_row) }
    console.error(`Continues in ${header.tables[rest.table]?.name ?? 'the last table'}`)
    return rest
  }
  if (same)
    throw new CliError('Another backup was being restored here.', 'restore that one, or create an empty database')
  const filled = tables.filter(({ name }, at) => !ownRows.has(name) && Number(counts[at]![0]!.n) > 0)
  if (filled.length > 0) {
    throw new CliError(
      `The deployment is not empty: ${filled.map(({ name }) => name).join(', ')}.`,
      'create another database, apply the migrations, and restore there',
    )
  }
  checkSecret(
    trailer.secrets,
    keys.flatMap(({ private_key: key }) => secretsIn(key)),
  )
  await d1('execute', target, [
    ...['--yes', '--command'],
    [
      ...tables.map(({ name }) => emptied(name)),
      `INSERT INTO restored_backup VALUES (${literal(header.id)}, 0, 0);`,
    ].join('\n'),
  ])
  return { table: 0, rowid: 0 }
}

/**
 * The keys of tokens of the empty deployment are sealed by its own secret: their fingerprint names it. Both fingerprints are
 * part of sealed values, and reveal nothing.
 */
function checkSecret(needed: readonly string[], own: readonly string[]): void {
  if (needed.length === 0) return
  if (own.length === 0) {
    throw new CliError(
      'The deployment has not sealed anything yet, so that its secret cannot be compared.',
      'deploy it, open BASE_URL/api/auth/jwks once, and run the command again',
    )
  }
  if (!needed.some((id) => own.includes(id))) {
    throw new CliError(
      `The deployment has another secret (${own[0]}) than the backup (${needed.join(', ')}).`,
      'set the GATEHOUSE_SECRET of the backup (npx wrangler secret put GATEHOUSE_SECRET, on a development machine in .dev.vars), empty the table jwks, open BASE_URL/api/auth/jwks, and run the command again',
    )
  }
  const others = needed.filter((id) => !own.includes(id))
  if (others.length > 0)
    console.error(
      `Some values are sealed by an earlier secret (${others.join(', ')}): set it as GATEHOUSE_PREVIOUS_SECRETS.`,
    )
}

/** D1 takes statements of up to 100 KB. One call of wrangler has several. */
const statementLength = 60_000
const callLength = 1_500_000

async function write(
  target: Target,
  file: string,
  { header, tables, done }: { header: Header; tables: readonly BackupTable[]; done: Done },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-restore-'))
  const clean = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', clean)
  const chunk = join(folder, 'chunk.sql')
  let statements: string[] = []
  let rows: string[] = []
  let lengths = { rows: 0, call: 0 }
  let current = done.table
  let last = done.rowid
  const tableOf = (at: number) => tables.find(({ name }) => name === header.tables[at]!.name)!
  const close = () => {
    if (rows.length > 0) statements.push(insertion(tableOf(current), header.tables[current]!.columns, rows))
    lengths = { rows: 0, call: lengths.call + lengths.rows }
    rows = []
  }
  const send = async () => {
    close()
    if (statements.length === 0) return
    const note = `UPDATE restored_backup SET last_table = ${current}, last_row = ${last} WHERE id = ${literal(header.id)};`
    writeFileSync(chunk, `${[...statements, note].join('\n')}\n`, { mode: 0o600 })
    await d1('execute', target, ['--yes', '--file', chunk])
    console.error(`${header.tables[current]!.name}: up to row ${last}`)
    statements = []
    lengths = { rows: 0, call: 0 }
  }
  for await (const part of readBackup(file)) {
    if (!('values' in part)) continue
    if (part.table < done.table || (part.table === done.table && part.rowid <= done.rowid)) continue
    // A quotation mark becomes two.
    const length = part.values.length + part.values.split("'").length
    if (part.table !== current || lengths.rows + length > statementLength) close()
    if (lengths.call > callLength) await send()
    current = part.table
    last = part.rowid
    rows.push(part.values)
    lengths.rows += length
  }
  await send()
  clean()
  process.off('exit', clean)
}

async function finish(target: Target, header: Header, trailer: Trailer): Promise<void> {
  const counts = await selectAll<{ n: number }>(
    target,
    header.tables.map(({ name }) => countOf(name)),
  )
  const sequences = Object.entries(header.sequences).flatMap(([name, seq]) => [
    `DELETE FROM sqlite_sequence WHERE name = ${literal(name)};`,
    `INSERT INTO sqlite_sequence (name, seq) VALUES (${literal(name)}, ${seq});`,
  ])
  for (const [at, { name }] of header.tables.entries()) {
    const [written, rows] = [counts[at]![0]!.n, trailer.tables[name]?.rows ?? 0]
    if (written === rows && rows === 0) continue
    const left = rows - written
    console.log(
      `${name.padEnd(24)}${String(written).padStart(10)}${left === 0 ? '' : `  ${left} left out: what they refer to was deleted during the backup`}`,
    )
  }
  await d1('execute', target, ['--yes', '--command', [...sequences, 'DROP TABLE restored_backup;'].join('\n')])
  const recover = `npx gatehouse-auth recover --restored-to ${header.createdAt} ${placeOf(target)}`
  console.log(`Restored. Next: ${recover} ends the sessions, keys and passwords of that time, and repeats no mail.`)
}
