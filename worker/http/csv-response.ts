import type { Scope } from '../identity/scope.ts'
import { type Cell, csvRow } from '../kit/csv.ts'
import { reasonOf } from '../platform/log.ts'

/** The columns of a file: their names, and the value of each in a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/**
 * A CSV file that is sent page by page: one page is in memory, and the next is read when the receiver has taken it. The
 * first page is read before, so that its errors have their status. After a later error the transfer breaks off, so that
 * an incomplete file is never taken for a complete one.
 * @param before runs after the first page was read
 */
export async function answerCsv<Row>(
  scope: Scope,
  name: string,
  columns: CsvColumns<Row>,
  pages: AsyncIterator<readonly Row[]>,
  before: () => Promise<void>,
): Promise<Response> {
  const first = await pages.next()
  await before()
  const encoder = new TextEncoder()
  const cells = Object.values(columns)
  const encode = (rows: readonly Row[]) =>
    encoder.encode(rows.map((row) => csvRow(cells.map((cell) => cell(row)))).join(''))
  let next: IteratorResult<readonly Row[]> | null = first
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(csvRow(Object.keys(columns)))),
      async pull(controller) {
        try {
          const { done, value } = next ?? (await pages.next())
          next = null
          if (done) controller.close()
          else controller.enqueue(encode(value))
        } catch (thrown) {
          scope.log('error', 'export-failed', { reason: reasonOf(thrown) })
          controller.error(thrown)
        }
      },
      cancel: () => void pages.return?.(),
    },
    { highWaterMark: 0 },
  )
  const day = scope.now().toISOString().slice(0, 10)
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}-${day}.csv"`,
    },
  })
}
