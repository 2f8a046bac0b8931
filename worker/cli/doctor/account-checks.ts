import type { Configuration } from '../../configuration/read-config.ts'
import { adminOptions } from '../../features/admin/admin.config.ts'
import { databaseOptions } from '../../identity/database.config.ts'
import { sizeLevels } from '../../platform/database-size.ts'
import {
  archiveTable,
  readBuckets,
  readDatabases,
  readLogin,
  readNamespaces,
  type Store,
  unappliedMigrations,
} from '../account.ts'
import { literal } from '../sql-literal.ts'
import { isPlaceholderId } from '../template.ts'
import { applyMigrations, placeOf, readSize, selectAll, type Target } from '../wrangler.ts'
import { type Table, tablesIn, type WranglerConfig } from '../wrangler-config.ts'
import { type Check, note, ok, problem } from './check.ts'

/** Whether wrangler can act for one account. */
export async function loginChecks({ values }: WranglerConfig): Promise<Check[]> {
  const login = await readLogin()
  if (!login.loggedIn) return [problem('login', 'wrangler has no credentials', 'npx wrangler login')]
  const accounts = login.accounts ?? []
  const chosen = values.account_id ?? process.env.CLOUDFLARE_ACCOUNT_ID
  if (accounts.length > 1 && !chosen) {
    const list = accounts.map(({ id, name }) => `account_id = "${id}"   # ${name}`).join('\n')
    const text = 'there are several accounts, and the configuration file names none'
    return [problem('login', text, `add one of them to the configuration file:\n\n${list}`)]
  }
  return [ok('login', login.email ?? accounts[0]?.name ?? 'by a token')]
}

/** Whether the ids of the file exist in the account. */
export async function resourceChecks(target: Target, file: WranglerConfig): Promise<Check[]> {
  const { values, path } = file
  const database = tablesIn(values, 'd1_databases').find(({ binding }) => binding === target.database)
  const namespace = tablesIn(values, 'kv_namespaces').find(({ binding }) => binding === 'KV')
  const checks: Check[] = []
  const fix = `replace the id in ${path} by zeros, then npx gatehouse-auth deploy creates it`
  const hasDatabase = database && !isPlaceholderId(database.database_id)
  const hasNamespace = namespace && !isPlaceholderId(namespace.id)
  const bucket = archiveTable(file)
  const [databases, namespaces, buckets] = await Promise.all([
    hasDatabase ? readDatabases(target) : new Map<string, Store>(),
    hasNamespace ? readNamespaces(target) : new Map<string, Store>(),
    bucket ? readBuckets(target, bucket.jurisdiction) : ([] as string[]),
  ])
  if (hasDatabase) {
    const id = String(database.database_id)
    const exists = [...databases.values()].some((one) => one.id === id)
    checks.push(exists ? ok('D1', id) : problem('D1', `the account has no database ${id}`, fix))
  }
  if (hasNamespace) {
    const id = String(namespace.id)
    const exists = [...namespaces.values()].some((one) => one.id === id)
    checks.push(exists ? ok('KV namespace', id) : problem('KV namespace', `the account has no namespace ${id}`, fix))
  }
  if (bucket) {
    const name = String(bucket.bucket_name)
    const create = 'npx gatehouse-auth deploy creates it'
    checks.push(
      buckets.includes(name)
        ? ok('R2 bucket', name)
        : problem('R2 bucket', `the account has no bucket ${name}${inJurisdiction(bucket)}`, create),
    )
  }
  return checks
}

const inJurisdiction = ({ jurisdiction }: Table): string => (jurisdiction ? ` in the jurisdiction ${jurisdiction}` : '')

/** The migrations that a database lacks. @returns also whether all are applied */
export async function migrationChecks(target: Target, file: WranglerConfig): Promise<Check[]> {
  const missing = await unappliedMigrations(target, file)
  const where = target.remote ? 'remote' : 'local'
  if (missing.length === 0) return [ok('migrations', `all are applied to the ${where} database`)]
  const listed =
    missing.length > 4 ? `${missing.slice(0, 3).join(', ')} and ${missing.length - 3} more` : missing.join(', ')
  return [problem('migrations', `not applied to the ${where} database: ${listed}`, applyMigrations(target))]
}

/** The first administrator. @param configuration null: the default role */
export async function adminChecks(target: Target, configuration: Configuration | null): Promise<Check[]> {
  const roles = configuration ? adminOptions.of(configuration).adminRoles : ['admin']
  const condition = roles.map((role) => `instr(',' || role || ',', ${literal(`,${role},`)}) > 0`).join(' OR ')
  const [[row] = []] = await selectAll<{ count: number }>(target, [
    `SELECT count(*) AS count FROM users WHERE ${condition}`,
  ])
  const count = row?.count ?? 0
  if (count > 0) return [ok('administrator', count === 1 ? 'there is one' : `there are ${count}`)]
  const fix = `sign up, then: npx gatehouse-auth admin add you@your-domain ${placeOf(target)}`
  return [
    target.remote
      ? problem('administrator', 'there is no administrator', fix)
      : note('administrator', 'there is no administrator', fix),
  ]
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`

/** How much of its maximum size the database uses. @param configuration null: the default maximum */
export async function sizeChecks(target: Target, configuration: Configuration | null): Promise<Check[]> {
  const bytes = await readSize(target)
  return bytes === null ? [] : [sizeCheck(bytes, databaseOptions.of(configuration ?? { options: {} }).maximumBytes)]
}

/** The levels are those of the Worker (guides/limits-and-cost.md). */
export function sizeCheck(bytes: number, maximumBytes: number): Check {
  const fullness = bytes / maximumBytes
  const text = `${megabytes(bytes)} of ${megabytes(maximumBytes)} are used, ${Math.floor(100 * fullness)} %`
  if (fullness < sizeLevels.notice) return ok('size', text)
  const fix =
    'shorten securityLog.retention and securityLog.auditRetention, delete users who are not in use, or set database.maximumBytes to the maximum of your plan'
  if (fullness < sizeLevels.shortened) return note('size', text, fix)
  const refused =
    fullness < sizeLevels.reserved
      ? 'new users, directory entries and applications are refused'
      : 'only sign-ins, sign-outs, changes of security and deletions are written'
  return problem('size', `${text}: ${refused}`, fix)
}
