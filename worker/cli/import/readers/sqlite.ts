import type { Item } from './json.ts'

/**
 * Node 22 warns of this module at its import, which is nothing that a user of the command could change. Other warnings are
 * printed. The option --disable-warning needs another process, and as a part of the first line of a script another shell.
 */
export async function quietly<Module>(load: () => Promise<Module>): Promise<Module> {
  const { emitWarning } = process
  process.emitWarning = ((warning: string | Error, ...more: unknown[]) => {
    if (more[0] === 'ExperimentalWarning' && /SQLite/.test(String(warning))) return
    Reflect.apply(emitWarning, process, [warning, ...more])
  }) as typeof emitWarning
  try {
    return await load()
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * The rows of some tables of a SQLite file, one at a time. The file is opened read-only.
 * @param wanted selects tables
 */
export async function* readSqlite(file: string, wanted: (table: string) => boolean): AsyncGenerator<Item> {
  const { DatabaseSync } = await quietly(() => import('node:sqlite'))
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
    for (const { name } of tables.filter(({ name }) => wanted(name))) {
      let count = 0
      for (const value of database.prepare(`select * from "${name.replaceAll('"', '""')}"`).iterate()) {
        yield { at: `${name} ${++count}`, value: value as Record<string, unknown> }
      }
    }
  } finally {
    database.close()
  }
}
