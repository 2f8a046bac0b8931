import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { Database } from '../platform/database.ts'
import { literal } from './sql-literal.ts'
import { selectAll, type Target } from './wrangler.ts'

/** A database of drizzle's, whose statements wrangler runs. */
export function remoteDatabase(target: Target): Database {
  const inlined = (sql: string, params: unknown[]) => {
    let at = 0
    return sql.replaceAll('?', () => literal(params[at++] as string))
  }
  const run = async (statements: { sql: string; params: unknown[] }[]) => {
    const answers = await selectAll<Record<string, unknown>>(
      target,
      statements.map(({ sql, params }) => inlined(sql, params)),
    )
    return answers.map((rows) => ({ rows: rows.map((row) => Object.values(row)) }))
  }
  return drizzle(async (sql, params) => (await run([{ sql, params }]))[0]!, run) as unknown as Database
}
