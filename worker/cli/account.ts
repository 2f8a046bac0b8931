import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { CliError } from './cli-error.ts'
import { jsonIn, type OutputHint, placeArguments, runWrangler, selectAll, type Target, wrangler } from './wrangler.ts'
import { type Table, tablesIn, type WranglerConfig } from './wrangler-config.ts'

/** What exists at Cloudflare, as wrangler's JSON says. */

/** The place of a call: the configuration file and its environment. */
export type CallTarget = Pick<Target, 'config' | 'env'>

/** The answer of `wrangler whoami --json`. */
export interface Login {
  loggedIn: boolean
  email?: string
  accounts?: { id: string; name: string }[]
}

/** @returns `loggedIn: false` without credentials @throws CliError if wrangler cannot ask */
export async function readLogin(): Promise<Login> {
  const { code, out, errors } = await runWrangler(['whoami', '--json'])
  if (out.includes('{')) return jsonIn<Login>(out)
  if (code === 0 || /not authenticated/i.test(errors + out)) return { loggedIn: false }
  throw new CliError((errors + out).trim(), 'check the network, then run the command again')
}

/** A database or a KV namespace of the account. */
export interface Store {
  id: string
  /** null: none. */
  jurisdiction: string | null
}

/** The databases of the account by name. */
export async function readDatabases(place: CallTarget): Promise<Map<string, Store>> {
  const out = await wrangler(['d1', 'list', '--json', ...placeArguments(place)])
  const found = jsonIn<{ name: string; uuid: string; jurisdiction?: string | null }[]>(out)
  return new Map(found.map(({ name, uuid, jurisdiction }) => [name, { id: uuid, jurisdiction: jurisdiction || null }]))
}

/** The KV namespaces of the account by title. */
export async function readNamespaces(place: CallTarget): Promise<Map<string, Store>> {
  const out = await wrangler(['kv', 'namespace', 'list', ...placeArguments(place)])
  const found = jsonIn<{ id: string; title: string; jurisdiction?: string | null }[]>(out)
  return new Map(found.map(({ id, title, jurisdiction }) => [title, { id, jurisdiction: jurisdiction || null }]))
}

/** The title that `gatehouse deploy` gives the KV namespace. */
export const namespaceTitle = ({ values }: WranglerConfig): string => `${values.name}-kv`

/** The arguments with which wrangler creates a store, or reads a bucket. */
export const jurisdictionArguments = (jurisdiction: unknown): string[] =>
  typeof jurisdiction === 'string' ? ['--jurisdiction', jurisdiction] : []

/** The names of the R2 buckets of the account in a jurisdiction, or in none. wrangler prints them for readers only. */
export async function readBuckets(place: CallTarget, jurisdiction: unknown): Promise<string[]> {
  const out = await wrangler(
    ['r2', 'bucket', 'list', ...jurisdictionArguments(jurisdiction), ...placeArguments(place)],
    r2Hints,
  )
  return [...out.matchAll(/^\s*name:\s+(\S+)\s*$/gm)].map(([, name]) => name!)
}

/** An account has R2 after it was enabled in the dashboard. */
export const r2Hints: readonly OutputHint[] = [
  [
    /enable R2|10042/i,
    'enable R2 in the dashboard, or remove the section r2_buckets with ARCHIVE: then the audit log stays in D1 for 90 days',
  ],
]

/** The table of the bucket of the archive; undefined without one. */
export const archiveTable = ({ values }: WranglerConfig): Table | undefined =>
  tablesIn(values, 'r2_buckets').find(({ binding }) => binding === 'ARCHIVE')

/** The names of the Worker's secrets; null if there is no Worker of this name. */
export async function readSecretNames(place: CallTarget): Promise<string[] | null> {
  const { code, out, errors } = await runWrangler(['secret', 'list', '--format', 'json', ...placeArguments(place)])
  if (code === 0) return jsonIn<{ name: string }[]>(out).map(({ name }) => name)
  // "Worker "acme" not found.", and the code of the API: versions of wrangler differ.
  if (/not found|code: 10007/i.test(errors + out)) return null
  await wrangler(['secret', 'list', '--format', 'json', ...placeArguments(place)])
  return null
}

/** The table of the database's binding. @throws CliError if the file has none */
export function databaseTable({ values, path }: WranglerConfig, database: string): Table {
  const found = tablesIn(values, 'd1_databases').find(
    ({ binding, database_name: name }) => binding === database || name === database,
  )
  if (found) return found
  throw new CliError(`${path} has no database ${database}.`, 'npx gatehouse-auth doctor prints the section to add')
}

/** The migrations of the package that the database lacks, in their order. */
export async function unappliedMigrations(target: Target, file: WranglerConfig): Promise<string[]> {
  const { migrations_dir: folder = 'migrations', migrations_table: table = 'd1_migrations' } = databaseTable(
    file,
    target.database,
  )
  const files = migrationFiles(resolve(file.folder, String(folder)))
  const rows = await selectAll<{ name: string }>(target, [`SELECT name FROM "${table}"`]).catch((thrown: unknown) => {
    // The first migration creates the table.
    if (thrown instanceof CliError && thrown.message.includes(`no such table: ${table}`)) return [[]]
    throw thrown
  })
  const applied = new Set(rows.flat().map(({ name }) => name))
  return files.filter((name) => !applied.has(name))
}

/** @throws CliError if the folder has no migrations */
function migrationFiles(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  if (names.length === 0) throw new CliError(`${folder} has no migrations.`, 'npm install')
  return names.sort()
}
