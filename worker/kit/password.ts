import { Buffer } from 'node:buffer'
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'

/**
 * scrypt (RFC 7914) with the specification's cost; `maxmem` is above Node's default. The synchronous call blocks the
 * isolate like the asynchronous one, and two never run at once, which bounds the memory.
 */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }
const keyLength = 64
const saltLength = 16

const derive = (password: string, salt: string): Buffer =>
  scryptSync(password.normalize('NFKC'), salt, keyLength, cost) as Buffer

/** The stored form: `hex salt : hex key`. scrypt gets the hexadecimal text of the salt. About 60 ms. */
export function hashPassword(password: string): string {
  const salt = randomBytes(saltLength).toString('hex')
  return `${salt}:${derive(password, salt).toString('hex')}`
}

/** Whether `password` matches `stored`. A malformed `stored` matches nothing, in the same time. */
export function verifyPassword(password: string, stored: string): boolean {
  const [salt = '', hex = ''] = stored.split(':')
  const expected = Buffer.from(hex, 'hex')
  const actual = derive(password, salt)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** How passwords are hashed and compared. */
export interface PasswordHash {
  /** Hashes a password. @returns the stored text, at most 1,000 characters, with everything that `verify` needs except the password */
  hash(password: string): string | Promise<string>
  /** Whether the password matches the stored text. */
  verify(guess: { password: string; hash: string }): boolean | Promise<boolean>
}

export const scryptHash: PasswordHash = {
  hash: hashPassword,
  verify: ({ password, hash }) => verifyPassword(password, hash),
}
