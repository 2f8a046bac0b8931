import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import type { Item } from './json.ts'

/** The rows of a CSV file (RFC 4180) with a header, one at a time, by the names of its columns. */
export async function* readRows(file: string): AsyncGenerator<Item> {
  const problems: Item[] = []
  const rows = createReadStream(file).pipe(
    parse({
      bom: true,
      columns: true,
      skip_empty_lines: true,
      max_record_size: 4 * 1024 * 1024,
      skip_records_with_error: true,
      on_skip: (error) => {
        problems.push({ at: `line ${error?.lines ?? '?'}`, problem: 'is no row of the table' })
        return undefined
      },
    }),
  )
  let count = 0
  for await (const value of rows as AsyncIterable<Record<string, string>>) yield { at: `row ${++count}`, value }
  yield* problems
}
