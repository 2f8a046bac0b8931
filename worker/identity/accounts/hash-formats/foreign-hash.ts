import { Buffer } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import { firebaseScrypt } from './firebase-scrypt.ts'
import { blank, type ForeignHash, type HashFormat, memoryBound } from './hash-format.ts'
import { pbkdf2 } from './pbkdf2.ts'
import { scrypt, scryptHex } from './scrypt.ts'

const bcryptForm = /^\$2([aby])\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** Cost 12 takes about 0.6 s; each increment doubles it. */
const maxBcryptCost = 12

/** Each implementation of bcrypt uses only the first 72 bytes of a password. */
const bcrypt: HashFormat = (stored) => {
  const [, minor, cost = ''] = bcryptForm.exec(stored) ?? []
  if (!minor || Number(cost) < 4 || Number(cost) > 31) return null
  return {
    format: 'bcrypt',
    cost: `bcrypt cost=${Number(cost)}`,
    tooMuch: Number(cost) > maxBcryptCost ? `bcrypt cost ${Number(cost)} is over ${maxBcryptCost}` : null,
    sample: () => `$2b$${cost}$${'.'.repeat(53)}`,
    async verify(password) {
      const { default: library } = await import('bcryptjs')
      return library.compareSync(password, stored)
    },
  }
}

/** The PHC string format: memory in KiB, passes, lanes (RFC 9106). */
const argon2Form =
  /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,128})={0,2}\$([A-Za-z0-9+/]{11,171})={0,2}$/

/**
 * KiB times passes: 64 MiB in three passes (RFC 9106, section 4) take about 3 s; OWASP's 19 MiB in two passes 0.6 s.
 */
const maxArgon2Work = 3 * 65_536

const argon2id: HashFormat = (stored) => {
  const [, memory, passes, lanes, salt = '', key = ''] = argon2Form.exec(stored) ?? []
  const [m, t, p] = [Number(memory), Number(passes), Number(lanes)] as const
  if (!memory || t < 1 || p < 1 || m < 8 * p) return null
  const parameters = `m=${m},t=${t},p=${p}`
  const work = m * t > maxArgon2Work ? `argon2id ${parameters} is over m × t = ${maxArgon2Work}` : null
  return {
    format: 'argon2id',
    cost: `argon2id ${parameters}`,
    tooMuch: memoryBound(m * 1024) ?? work,
    sample: () => `$argon2id$v=19$${parameters}$${blank(salt)}$${blank(key)}`,
    async verify(password) {
      const { argon2id: derive } = await import('@noble/hashes/argon2.js')
      const expected = Buffer.from(key, 'base64')
      const actual = derive(password, Buffer.from(salt, 'base64'), { m, t, p, dkLen: expected.length })
      return timingSafeEqual(actual, expected)
    },
  }
}

const formats = [scryptHex, bcrypt, argon2id, scrypt, firebaseScrypt, pbkdf2]

/** Parses a stored hash by its format; null for an unknown format. */
export function readHash(stored: string): ForeignHash | null {
  for (const read of formats) {
    const hash = read(stored)
    if (hash) return hash
  }
  return null
}
