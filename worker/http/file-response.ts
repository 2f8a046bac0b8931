import type { Scope } from '../identity/scope.ts'
import { reasonOf } from '../platform/log.ts'

/** The form of a file: the text before the first row, and the text of rows. */
export interface FileFormat<Row> {
  name: string
  extension: string
  contentType: string
  head: string
  encode(rows: readonly Row[]): string
}

/** One JSON object a line. */
export const ndjson = <Row>(name: string, present: (row: Row) => unknown): FileFormat<Row> => ({
  name,
  extension: 'ndjson',
  contentType: 'application/x-ndjson',
  head: '',
  encode: (rows) => rows.map((row) => `${JSON.stringify(present(row))}\n`).join(''),
})

/**
 * A file that is sent page by page: one page is in memory, and the next is read when the receiver has taken it. The
 * first page is read before, so that its errors have their status. After a later error the transfer breaks off, so that
 * an incomplete file is never taken for a complete one.
 * @param before runs after the first page was read
 */
export async function answerFile<Row>(
  scope: Scope,
  { name, extension, contentType, head, encode }: FileFormat<Row>,
  pages: AsyncIterator<readonly Row[]>,
  before: () => Promise<void>,
): Promise<Response> {
  const first = await pages.next()
  await before()
  const encoder = new TextEncoder()
  let next: IteratorResult<readonly Row[]> | null = first
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        if (head) controller.enqueue(encoder.encode(head))
      },
      async pull(controller) {
        try {
          const { done, value } = next ?? (await pages.next())
          next = null
          if (done) controller.close()
          else controller.enqueue(encoder.encode(encode(value)))
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
      'content-type': contentType,
      'content-disposition': `attachment; filename="${name}-${day}.${extension}"`,
    },
  })
}
