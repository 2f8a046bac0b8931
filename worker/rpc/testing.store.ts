/** Keys of the deployment, which an isolate caches; the state of migrations; counts, which triggers maintain. */
const kept = ['d1_migrations', 'jwks', 'stored_secrets', 'resealing', 'table_counts', 'count_progress']

/** Deletes all users and everything else that tests have written. */
export async function emptyDatabase(database: D1Database): Promise<void> {
  const { results } = await database
    .prepare(
      `select name from sqlite_master where type = 'table' and name not glob '_cf_*' and name not glob 'sqlite_*'`,
    )
    .all<{ name: string }>()
  const deletions = results.filter(({ name }) => !kept.includes(name)).map(({ name }) => `delete from "${name}"`)
  // Runs twice, because a trigger may write a row while another table is emptied.
  await database.prepare(['pragma defer_foreign_keys = on', ...deletions, ...deletions].join(';\n')).run()
}

/** Deletes links, cached values and the mailbox. */
export async function emptyKeyValues(namespace: KVNamespace): Promise<void> {
  for (;;) {
    const { keys, list_complete } = await namespace.list()
    await Promise.all(keys.map(({ name }) => namespace.delete(name)))
    if (list_complete) return
  }
}
