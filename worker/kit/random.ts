import { randomBytes } from 'node:crypto'

const digits = '0123456789'
const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()

/** Alphabets of the protocol's identifiers and tokens. */
export const alphabets = {
  digits,
  letters: lower + upper,
  lettersAndDigits: lower + upper + digits,
  lowerAndDigits: digits + lower,
  urlSafe: `${lower}${digits}${upper}-_`,
} as const

/** A random string of `length` characters, each equally likely (rejection sampling). */
export function randomString(length: number, alphabet: string = alphabets.lettersAndDigits): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/** A row's id: 32 letters and digits. */
export const newId = (): string => randomString(32)

/** A one-time code of `length` digits. */
export const randomDigits = (length: number): string => randomString(length, digits)
