import { argon2id } from './argon2id.ts'
import { bcrypt } from './bcrypt.ts'
import { firebaseScrypt } from './firebase-scrypt.ts'
import type { ForeignHash } from './hash-format.ts'
import { pbkdf2 } from './pbkdf2.ts'
import { scrypt, scryptHex } from './scrypt.ts'

const formats = [scryptHex, bcrypt, argon2id, scrypt, firebaseScrypt, pbkdf2]

/** A stored hash by its form; null when it has none of those that are known here. */
export function readHash(stored: string): ForeignHash | null {
  for (const read of formats) {
    const hash = read(stored)
    if (hash) return hash
  }
  return null
}
