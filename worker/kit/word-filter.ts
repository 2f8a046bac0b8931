import { createHash } from 'node:crypto'

/** A Bloom filter (1970): "perhaps" for every text of the set and one in `10 ** 4` of others, at 20 bits a text. */

const bitsPerText = 20
const probes = 14

/** The bits of a text, of `size` (Kirsch and Mitzenmacher, 2006: two hashes are sufficient). */
function* bitsOf(text: string, size: number): Generator<number> {
  const digest = createHash('sha256').update(text).digest()
  const [first, step] = [digest.readUInt32BE(0), digest.readUInt32BE(4)]
  for (let n = 0; n < probes; n++) yield (first + n * step) % size
}

export function makeWordFilter(texts: readonly string[]): Uint8Array {
  const filter = new Uint8Array(Math.ceil((texts.length * bitsPerText) / 8))
  for (const text of texts) for (const bit of bitsOf(text, filter.length * 8)) filter[bit >> 3]! |= 1 << (bit & 7)
  return filter
}

/** Whether the set may contain the text. */
export function mayHold(filter: Uint8Array, text: string): boolean {
  for (const bit of bitsOf(text, filter.length * 8)) if (!(filter[bit >> 3]! & (1 << (bit & 7)))) return false
  return true
}
