import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The table of wrangler, so that `wrangler d1 migrations` can go on with this database. */
const table = `create table if not exists "d1_migrations" (
  id integer primary key autoincrement,
  name text unique,
  applied_at timestamp default current_timestamp not null
)`

/** Applies the migrations that a database does not have, all or none. @returns their names */
export async function migrate(database: D1Database, folder: string): Promise<string[]> {
  const [, applied] = await database.batch<{ name: string }>([
    database.prepare(table),
    database.prepare('select name from d1_migrations'),
  ])
  const names = new Set(applied!.results.map(({ name }) => name))
  const missing = readdirSync(folder)
    .filter((name) => name.endsWith('.sql') && !names.has(name))
    .sort()
  if (missing.length === 0) return []
  try {
    await database.batch(
      missing.flatMap((name) => [
        // A text of many statements is one: each alone would be a call.
        database.prepare(readFileSync(join(folder, name), 'utf8')),
        database.prepare('insert into d1_migrations (name) values (?)').bind(name),
      ]),
    )
  } catch (cause) {
    const names = `${missing[0]}${missing.length > 1 ? ` to ${missing.at(-1)}` : ''}`
    throw new Error(
      `The migrations ${names} could not be applied: ${(cause as Error).message}\nTo begin with an empty database, delete .wrangler/state.`,
      { cause },
    )
  }
  return missing
}
