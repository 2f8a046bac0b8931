import { env } from './harness.ts'
import { tablesOf } from './schema.ts'

/** Copies all rows. @returns puts them back, as a restore of D1 to this time does */
export async function copyDatabase(): Promise<() => Promise<void>> {
  const names = [...(await tablesOf(env.DB)), 'sqlite_sequence']
  const columns = await env.DB.batch<{ name: string }>(
    names.map((name) => env.DB.prepare(`select name from pragma_table_info('${name}')`)),
  )
  const rows = await env.DB.batch<Record<string, unknown>>(
    names.map((name) => env.DB.prepare(`select rowid as "rowid", * from "${name}" order by rowid`)),
  )
  const inserts = names.flatMap((name, at) => {
    const own = columns[at]!.results.map((column) => column.name)
    // A key that is the rowid has its name.
    return rows[at]!.results.map((row) => {
      const given = 'rowid' in row ? ['rowid', ...own] : own
      const places = given.map((_, place) => `?${place + 1}`).join(', ')
      const list = given.map((column) => `"${column}"`).join(', ')
      return env.DB.prepare(`insert or replace into "${name}" (${list}) values (${places})`).bind(
        ...given.map((column) => row[column] ?? null),
      )
    })
  })
  return async () => {
    const deletions = names.map((name) => env.DB.prepare(`delete from "${name}"`))
    await env.DB.batch([env.DB.prepare('pragma defer_foreign_keys = on'), ...deletions, ...deletions, ...inserts])
  }
}
