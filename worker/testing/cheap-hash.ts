import { randomBytes, scryptSync } from 'node:crypto'
import type { PasswordHash } from '../kit/password.ts'

const derive = (password: string, salt: string) => scryptSync(password, salt, 32, { N: 2, r: 1 }).toString('hex')

/**
 * For tests: passwords at a thousandth of their cost, since thousands are hashed whose strength no test is about.
 * Those that are about it say `account: { passwordHash: null }`.
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
