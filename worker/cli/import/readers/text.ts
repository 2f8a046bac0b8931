import { createReadStream } from 'node:fs'
import { ImportError } from '../records.ts'

/**
 * The text of a file in chunks, without a byte order mark.
 * @throws ImportError if it is not UTF-8, because a wrong guess at the encoding would change names without an error
 */
export async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  try {
    for await (const bytes of createReadStream(file) as AsyncIterable<Uint8Array>)
      yield decoder.decode(bytes, { stream: true })
    yield decoder.decode()
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw thrown
    throw new ImportError(`${file}: is not UTF-8.`, `convert it, for example: iconv -f WINDOWS-1252 -t UTF-8 ${file}`)
  }
}
