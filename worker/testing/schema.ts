/** What the migrations have left behind, as one text of SQL: a single trip makes it again, where they take thirty. */
export async function schemaOf(db: D1Database): Promise<string> {
  const { results: made } = await db
    .prepare(
      `select type, name, sql from sqlite_master where sql is not null and name not glob '_cf_*' and name not glob 'sqlite_*'
      order by type = 'trigger', rowid`,
    )
    .all<{ type: string; name: string; sql: string }>()
  const rows: string[] = []
  for (const { name } of made.filter(({ type }) => type === 'table')) {
    for (const values of await db.prepare(`select * from "${name}"`).raw()) {
      const literals = values.map((value) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`))
      rows.push(`insert into "${name}" values (${literals.join(', ')})`)
    }
  }
  const sql = (trigger: boolean) => made.filter(({ type }) => (type === 'trigger') === trigger).map(({ sql }) => sql)
  return [...sql(false), ...rows, ...sql(true)].join(';\n')
}
