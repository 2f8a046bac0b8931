import { randomBytes, scryptSync } from 'node:crypto'
import type { PasswordHash } from '../kit/password.ts'

const derive = (password: string, salt: string) => scryptSync(password, salt, 32, { N: 2, r: 1 }).toString('hex')

/**
 * For tests: password hashes at a thousandth of the cost, because tests hash thousands of passwords. Tests of the real
 * hash set `account: { passwordHash: null }`.
 */
export const cheapHash: PasswordHash = {
  hash(password) {
    const salt = randomBytes(8).toString('hex')
    return `cheap:${salt}:${derive(password, salt)}`
  },
  verify({ password, hash }) {
    const [, salt = '', key = ''] = hash.split(':')
    return derive(password, salt) === key
  },
}
