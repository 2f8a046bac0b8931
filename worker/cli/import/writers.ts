import { closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPrivate } from '../private-file.ts'
import { d1, selectAll, type Target } from '../wrangler.ts'
import type { Row, Skipped } from './row.ts'
import { leftBehind, markOf, preamble, rowStatements } from './write-sql.ts'

/** The rows of a table that an import met. */
export interface Tally {
  /** Written now. */
  written: number
  /** Written by an earlier import. */
  before: number
  /** Not written: they conflict with an existing row, or refer to a missing one. */
  refused: number
}

/** The target of rows, one chunk at a time. */
interface Writer {
  write(rows: Row[]): Promise<void>
  end(): void
  /** By table; null where only the database will know. */
  tallies: Record<string, Tally> | null
}

/** Writes SQL for `wrangler d1 execute --file` into a new or emptied file. */
export function toFile(file: string): Writer {
  const descriptor = openPrivate(file)
  writeFileSync(descriptor, `${preamble}\n`)
  return {
    write: async (rows) => writeFileSync(descriptor, `${rows.map(rowStatements).join('\n')}\n`),
    end: () => closeSync(descriptor),
    tallies: null,
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
  const tallies: Record<string, Tally> = {}
  const absentOf = async (rows: Row[], first: string[] = []): Promise<Set<string>> => {
    const names = new Set<string>()
    for (const sql of leftBehind(rows)) {
      const answers = await selectAll<{ name: string }>(target, [...first, sql])
      for (const { name } of answers.at(-1) ?? []) names.add(name)
    }
    return names
  }
  return {
    tallies,
    async write(rows) {
      const absent = await absentOf(rows, [preamble.replace(';', '')])
      writeFileSync(file, `${preamble}\n${rows.map(rowStatements).join('\n')}\n`, { mode: 0o600 })
      await d1('execute', target, ['--yes', '--file', file])
      for (const name of await absentOf(rows)) missing.add(name)
      skipped.push(...explain(rows, missing))
      for (const row of rows) {
        const tally = (tallies[row.table] ??= { written: 0, before: 0, refused: 0 })
        const mark = markOf(row)
        if (missing.has(mark)) tally.refused++
        else if (absent.has(mark)) tally.written++
        else tally.before++
      }
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
