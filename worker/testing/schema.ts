/** Names of the tables. */
export async function tablesOf(db: D1Database): Promise<string[]> {
  const { results } = await db
    .prepare(
      `select name from sqlite_master where type = 'table' and name not glob '_cf_*' and name not glob 'sqlite_*' order by rowid`,
    )
    .all<{ name: string }>()
  return results.map(({ name }) => name)
}

/** Rows of the migrations, as statements. */
export async function seedOf(db: D1Database): Promise<string[]> {
  const rows: string[] = []
  for (const name of await tablesOf(db)) {
    for (const values of await db.prepare(`select * from "${name}"`).raw()) {
      const literals = values.map((value) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`))
      rows.push(`insert into "${name}" values (${literals.join(', ')})`)
    }
  }
  return rows
}

/** The result of the migrations as one SQL text, which runs in one round trip instead of thirty. */
export async function schemaOf(db: D1Database): Promise<string> {
  const { results: made } = await db
    .prepare(
      `select type, sql from sqlite_master where sql is not null and name not glob '_cf_*' and name not glob 'sqlite_*'
      order by type = 'trigger', rowid`,
    )
    .all<{ type: string; sql: string }>()
  const sql = (trigger: boolean) => made.filter(({ type }) => (type === 'trigger') === trigger).map(({ sql }) => sql)
  return [...sql(false), ...(await seedOf(db)), ...sql(true)].join(';\n')
}
