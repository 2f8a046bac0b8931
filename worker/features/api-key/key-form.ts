import { createHash } from 'node:crypto'
import { alphabets, randomString } from '../../kit/random.ts'

/**
 * A key is its prefix, random letters, and a checksum over both. The checksum is no secret: it tells a typing mistake,
 * a cut-off paste or a stranger's string from a key without asking the database, and scanners of published code know a
 * key by it.
 */
const checksumLength = 6

function checksum(text: string): string {
  const digest = createHash('sha256').update(text).digest().subarray(0, checksumLength)
  return [...digest].map((byte) => alphabets.letters[byte % alphabets.letters.length]).join('')
}

/** @param length of what follows the prefix: 58 of 64 letters are random, which is 330 bits */
export function newKey(prefix: string, length: number): string {
  const unique = prefix + randomString(length - checksumLength, alphabets.letters)
  return unique + checksum(unique)
}

/** Whether a text has the form of a key, which says nothing of whether there is such a key. */
export const hasKeyForm = (text: string): boolean =>
  checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
