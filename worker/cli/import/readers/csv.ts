import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { ImportError } from '../records.ts'
import type { Item } from './json.ts'
import { textOf } from './text.ts'

/**
 * The rows of a CSV file (RFC 4180) with a header, one at a time, by column name.
 * @param required columns whose absence indicates another file or another separator
 * @throws ImportError without one of them
 */
export async function* readRows(file: string, required: string[]): AsyncGenerator<Item> {
  const problems: Item[] = []
  const parser = parse({
    columns: (header: string[]) => {
      const absent = required.find((name) => !header.includes(name))
      if (absent) throw new ImportError(`${file}: has no column ${absent}. Its first line is: ${header.join(',')}`)
      return header
    },
    skip_empty_lines: true,
    max_record_size: 4 * 1024 * 1024,
    skip_records_with_error: true,
    on_skip: (error) => {
      problems.push({ at: `line ${error?.lines ?? '?'}`, problem: 'is not a row of the table' })
      return undefined
    },
  })
  // The loop throws the errors of single rows.
  pipeline(Readable.from(textOf(file)), parser, () => {})
  let count = 0
  for await (const value of parser as AsyncIterable<Record<string, string>>) yield { at: `row ${++count}`, value }
  yield* problems
}
