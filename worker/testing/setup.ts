import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach } from 'vitest'

const { DB, TEST_MIGRATIONS } = env as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] }

/** What the migrations leave behind, as one text of SQL: a single trip makes it again, where they take thirty. */
let migrated: string | undefined

async function readMigrated(): Promise<string> {
  const { results: made } = await DB.prepare(
    `select type, name, sql from sqlite_master where sql is not null and name not glob '_cf_*' and name not glob 'sqlite_*'
      order by type = 'trigger', rowid`,
  ).all<{ type: string; name: string; sql: string }>()
  const rows: string[] = []
  for (const { name } of made.filter(({ type }) => type === 'table')) {
    for (const values of await DB.prepare(`select * from "${name}"`).raw()) {
      const literals = values.map((value) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`))
      rows.push(`insert into "${name}" values (${literals.join(', ')})`)
    }
  }
  const sql = (trigger: boolean) => made.filter(({ type }) => (type === 'trigger') === trigger).map(({ sql }) => sql)
  return [...sql(false), ...rows, ...sql(true)].join(';\n')
}

async function migrate(): Promise<void> {
  if (migrated) {
    await DB.prepare(migrated).run()
    return
  }
  await applyD1Migrations(DB, TEST_MIGRATIONS)
  migrated = await readMigrated()
}

beforeEach(async () => {
  try {
    await migrate()
  } catch {
    // On a machine that is busy elsewhere a database was seen to outlive its reset.
    await reset()
    await migrate()
  }
})

afterEach(async () => {
  await reset()
})
