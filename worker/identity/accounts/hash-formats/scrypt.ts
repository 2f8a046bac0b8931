import { Buffer } from 'node:buffer'
import { scryptSync, timingSafeEqual } from 'node:crypto'
import { verifyPassword } from '../../../kit/password.ts'
import { blank, type HashFormat, memoryBound } from './hash-format.ts'

/** PHC string format: N as its logarithm, r, p. */
const phc =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{8,128})={0,2}\$([A-Za-z0-9+/]{20,171})={0,2}$/

export const scryptMemory = (N: number, r: number): number => 128 * N * r

/** N × r × p: eight times our own hash, about half a second. */
const maxWork = 2 ** 21

export const scryptBound = (N: number, r: number, p: number): string | null =>
  memoryBound(scryptMemory(N, r)) ?? (N * r * p > maxWork ? `scrypt N × r × p is over ${maxWork}` : null)

/** @returns `length` bytes (RFC 7914) */
export const scryptKey = (
  password: string,
  salt: Uint8Array,
  length: number,
  cost: { N: number; r: number; p: number },
): Buffer =>
  scryptSync(password, salt, length, { ...cost, maxmem: 2 * scryptMemory(cost.N, cost.r) + 2 ** 20 }) as Buffer

export const scrypt: HashFormat = (stored) => {
  const [, ln, block, lanes, salt = '', key = ''] = phc.exec(stored) ?? []
  const [logN, r, p] = [Number(ln), Number(block), Number(lanes)] as const
  if (!ln || logN < 1 || logN > 30 || r < 1 || p < 1) return null
  const parameters = `ln=${logN},r=${r},p=${p}`
  return {
    format: 'scrypt',
    cost: `scrypt ${parameters}`,
    tooMuch: scryptBound(2 ** logN, r, p),
    sample: () => `$scrypt$${parameters}$${blank(salt)}$${blank(key)}`,
    async verify(password) {
      const expected = Buffer.from(key, 'base64')
      const cost = { N: 2 ** logN, r, p }
      return timingSafeEqual(scryptKey(password, Buffer.from(salt, 'base64'), expected.length, cost), expected)
    },
  }
}

/** The format of this server and of better-auth, for a product with its own hash function. */
export const scryptHex: HashFormat = (stored) => {
  if (!/^[0-9a-f]{32}:[0-9a-f]{128}$/.test(stored)) return null
  return {
    format: 'scrypt-hex',
    cost: 'scrypt-hex',
    tooMuch: null,
    sample: () => `${'0'.repeat(32)}:${'0'.repeat(128)}`,
    verify: async (password) => verifyPassword(password, stored),
  }
}
