import { closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPrivate } from '../private-file.ts'
import { d1, selectAll, type Target } from '../wrangler.ts'
import type { Row, Skipped } from './row.ts'
import { leftBehind, markOf, preamble, rowStatements } from './write-sql.ts'

/** Where rows go, a chunk at a time. */
interface Writer {
  write(rows: Row[]): Promise<void>
  end(): void
}

/** SQL for `wrangler d1 execute --file`, written anew. */
export function toFile(file: string): Writer {
  const descriptor = openPrivate(file)
  writeFileSync(descriptor, `${preamble}\n`)
  return {
    write: async (rows) => writeFileSync(descriptor, `${rows.map(rowStatements).join('\n')}\n`),
    end: () => closeSync(descriptor),
  }
}

/**
 * A D1 database, by wrangler: a chunk is written whole or not at all.
 * @param skipped is told of what was not written
 */
export function toDatabase(target: Target, skipped: Skipped[]): Writer {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'))
  const file = join(folder, 'chunk.sql')
  const clean = () => rmSync(folder, { recursive: true, force: true })
  // It holds password hashes: whoever interrupts the import leaves none behind either.
  process.once('exit', clean)
  /** The marks of what is not there, for what depends on it. */
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

/** Why rows are not there: what is unique of them is somebody else's here. What belongs to them goes without saying. */
const explain = (rows: Row[], missing: ReadonlySet<string>): Skipped[] =>
  rows
    .filter((row) => missing.has(markOf(row)) && !row.needs.some(([table, id]) => missing.has(`${table}:${id}`)))
    .map(({ table, id, needs }) => {
      if (table === 'users')
        return { what: id, reason: 'address, username or number is taken by somebody who was here before' }
      const person = needs.find(([needed]) => needed === 'users')?.[1]
      const reason = 'is taken by what was here before, or belongs to what is not here'
      return { what: person ? `${table} of ${person}` : `${table} ${id}`, reason }
    })
