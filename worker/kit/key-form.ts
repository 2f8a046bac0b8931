import { createHash } from 'node:crypto'
import { alphabets, randomString } from './random.ts'

/** A key is a prefix, random letters and a checksum, which finds typing errors and lets scanners recognize a key. */
const checksumLength = 6

function checksum(text: string): string {
  const digest = createHash('sha256').update(text).digest().subarray(0, checksumLength)
  return [...digest].map((byte) => alphabets.letters[byte % alphabets.letters.length]).join('')
}

/** @param length without the prefix: 58 of 64 letters are random, which is 330 bits */
export function newKey(prefix: string, length: number): string {
  const unique = prefix + randomString(length - checksumLength, alphabets.letters)
  return unique + checksum(unique)
}

/** Whether a text has the form of a key, whether the key exists or not. */
export const hasKeyForm = (text: string): boolean =>
  checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
