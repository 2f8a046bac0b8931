import type { Metered } from './metering.ts'
import { tablesOf } from './schema.ts'

/**
 * Every statement of a test request, and of a run of the cron trigger in a test, finds its rows by an index. Set-ups have few rows, so that the rows read would not show
 * a statement that reads a whole table: the plan of SQLite does.
 */

/** Tables that have few rows however large the deployment is, with what limits them. */
const small: Readonly<Record<string, string>> = {
  billing_products: 'the configuration: 100',
  jwks: 'the generations of keys that are still verified with',
  oauth_resources: 'administrators and organizations: 300',
  resealing: 'one row for each sealed column of the program',
  server_keys: 'administrators: 50',
  signal_receivers: 'administrators: 20',
}

/** Partial indexes with few rows, which are read to the end. */
const smallIndexes: Readonly<Record<string, string>> = {
  jobs_undelivered: 'jobs that failed, for administrators who retry them',
  users_staff: 'administrators',
}

/** Statements that read a table on purpose, by a part of their text without quotes. */
const exceptions: readonly (readonly [text: RegExp, reason: string])[] = [
  [/order by audit_records\.seq (?:desc )?limit/, 'a page in the order of the rowid, which LIMIT ends'],
  [/from jobs where case jobs\.kind when/, 'the export of a user: an index would cost each job a written row'],
]

const withoutQuotes = (sql: string) => sql.replace(/["`]/g, '').replace(/\s+/g, ' ')

/** Lists of values of any length are one text. */
const keyOf = (sql: string) => sql.replace(/\?\d*(?:\s*,\s*\?\d*)+/g, '?')

/** What the files of an isolate have checked. */
const { gatehousePlans: state } = Object.assign(globalThis, {
  gatehousePlans: (globalThis as { gatehousePlans?: { checked: Set<string>; tables?: string[] } }).gatehousePlans ?? {
    checked: new Set<string>(),
  },
})

const keywords = /^(?:where|on|set|inner|left|cross|join|order|group|limit|union|indexed|not|values|select|default)$/i

/** The names that a statement gives a table. */
const namesOf = (table: string, text: string): string[] => [
  table,
  ...[...text.matchAll(new RegExp(`\\b${table} (?:as )?([a-z_]\\w*)`, 'gi'))]
    .map(([, alias]) => alias!)
    .filter((alias) => !keywords.test(alias)),
]

/**
 * Tables that a plan reads from the beginning to the end. An index that gives the order of a LIMIT is not read to its end.
 * @param plan the lines of SQLite
 */
export function scansOf(plan: readonly string[], sql: string, tables: readonly string[]): string[] {
  const text = withoutQuotes(sql)
  if (exceptions.some(([part]) => part.test(text))) return []
  // A subquery may have the name of a table. Its own line in the plan is that of the scan of its rows.
  const subqueries = plan.flatMap((line) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)$/.exec(line)?.[1] ?? [])
  return plan.flatMap((line) => {
    const at = subqueries.findIndex((one) => line === `SCAN ${one}`)
    if (at >= 0) return subqueries.splice(at, 1) && []
    const [, name, rest = ''] = /^SCAN (\S+)(.*)$/.exec(line) ?? []
    const table = name && tables.find((one) => namesOf(one, text).includes(name))
    if (!table || table in small || rest.includes('VIRTUAL TABLE')) return []
    const index = /USING (?:COVERING )?INDEX (\w+)/.exec(rest)?.[1]
    // A limit does not end the read of what a window function numbers.
    const isEnded = /\blimit\b/i.test(text) && !/\bover ?\(/i.test(text)
    return index && (index in smallIndexes || isEnded) ? [] : [table]
  })
}

/** @throws for a statement that reads a whole table */
export async function refuseScans(database: D1Database, statements: readonly Metered[]): Promise<void> {
  const unknown = new Map<string, Metered>()
  for (const one of statements) {
    const key = keyOf(one.sql)
    if (!state.checked.has(key)) unknown.set(key, one)
  }
  if (unknown.size === 0) return
  const list = [...unknown.values()]
  const tables = (state.tables ??= await tablesOf(database))
  const plans = await database.batch<{ detail: string }>(
    list.map(({ sql, values }) => database.prepare(`explain query plan ${sql}`).bind(...values)),
  )
  for (const [at, [key, { sql }]] of [...unknown].entries()) {
    const plan = plans[at]!.results.map(({ detail }) => detail)
    const scans = scansOf(plan, sql, tables)
    if (scans.length > 0) throw new Error(`reads all rows of ${scans.join(' and ')}: ${sql}\n${plan.join('\n')}`)
    state.checked.add(key)
  }
}
