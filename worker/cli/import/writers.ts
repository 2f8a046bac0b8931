import { closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPrivate } from '../private-file.ts'
import { d1, selectAll, type Target } from '../wrangler.ts'
import type { Row, Skipped } from './row.ts'
import { leftBehind, markOf, preamble, rowStatements } from './write-sql.ts'

/** The target of rows, one chunk at a time. */
interface Writer {
  write(rows: Row[]): Promise<void>
  end(): void
}

/** Writes SQL for `wrangler d1 execute --file` into a new or emptied file. */
export function toFile(file: string): Writer {
  const descriptor = openPrivate(file)
  writeFileSync(descriptor, `${preamble}\n`)
  return {
    write: async (rows) => writeFileSync(descriptor, `${rows.map(rowStatements).join('\n')}\n`),
    end: () => closeSync(descriptor),
  }
}

/**
 * A D1 database through wrangler: a chunk is written completely or not at all.
 * @param skipped receives the rows that were not written
 */
export function toDatabase(target: Target, skipped: Skipped[]): Writer {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'))
  const file = join(folder, 'chunk.sql')
  const clean = () => rmSync(folder, { recursive: true, force: true })
  // The folder contains password hashes. An interrupted import removes it too.
  process.once('exit', clean)
  /** The marks of missing rows, for rows that depend on them. */
  const missing = new Set<string>()
  return {
    async write(rows) {
      writeFileSync(file, `${preamble}\n${rows.map(rowStatements).join('\n')}\n`, { mode: 0o600 })
      await d1('execute', target, ['--yes', '--file', file])
      for (const sql of leftBehind(rows)) {
        const [gone = []] = await selectAll<{ name: string }>(target, [sql])
        for (const { name } of gone) missing.add(name)
      }
      skipped.push(...explain(rows, missing))
    },
    end: () => {
      clean()
      process.off('exit', clean)
    },
  }
}

/** Explains missing rows: another row has one of their unique values. It omits rows that depend on a missing row. */
const explain = (rows: Row[], missing: ReadonlySet<string>): Skipped[] =>
  rows
    .filter((row) => missing.has(markOf(row)) && !row.needs.some(([table, id]) => missing.has(`${table}:${id}`)))
    .map(({ table, id, needs }) => {
      if (table === 'users')
        return { what: id, reason: 'address, username or number belongs to a user from before the import' }
      const person = needs.find(([needed]) => needed === 'users')?.[1]
      const reason = 'conflicts with an existing row, or refers to a missing row'
      return { what: person ? `${table} of ${person}` : `${table} ${id}`, reason }
    })
