import { createHash } from 'node:crypto'
import { bounded, timeouts } from './bounded.ts'
import type { IoCount } from './io.ts'

/** Immutable objects in R2, counted. */
export interface Archive {
  /** @param range only these bytes @returns null if it does not exist @throws Fault if R2 cannot be reached */
  get(name: string, range?: { offset: number; length: number }): Promise<Uint8Array | null>
  /** Writes an object that does not exist; R2 compares the bytes with the hash. */
  put(name: string, bytes: Uint8Array, sha256: string): Promise<void>
  /** The names that begin with a prefix, at most 1,000. */
  list(prefix: string): Promise<string[]>
  delete(names: readonly string[]): Promise<void>
}

export const sha256OfBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Objects have megabytes. */
const limit = 4 * timeouts.required

export function archiveIn(bucket: R2Bucket, io: IoCount): Archive {
  const reach = <T>(work: () => Promise<T>): Promise<T> => {
    io.r2++
    return bounded('R2', limit, work)
  }
  return {
    get: (name, range) =>
      reach(async () => {
        const found = await bucket.get(name, range && { range })
        return found && new Uint8Array(await found.arrayBuffer())
      }),
    put: (name, bytes, sha256) =>
      reach(async () => {
        const options = {
          onlyIf: { etagDoesNotMatch: '*' },
          sha256,
          httpMetadata: { contentType: 'application/gzip' },
        }
        await bucket.put(name, bytes, options)
      }),
    list: (prefix) => reach(async () => (await bucket.list({ prefix })).objects.map(({ key }) => key)),
    delete: (names) => reach(() => bucket.delete([...names])),
  }
}
