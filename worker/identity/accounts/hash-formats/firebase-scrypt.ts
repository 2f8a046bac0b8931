import { Buffer } from 'node:buffer'
import { createCipheriv, timingSafeEqual } from 'node:crypto'
import { blank, type HashFormat } from './hash-format.ts'
import { scryptBound, scryptKey } from './scrypt.ts'

/**
 * Firebase's scrypt: the project's signer key, encrypted with the key that scrypt derives. The hash contains its
 * parameters, in the form that Supabase's Auth server also reads (`sk` the signer key, `ss` the salt separator).
 */
const base64 = '[A-Za-z0-9+/]'
const form = new RegExp(
  `^\\$fbscrypt\\$v=1,n=(\\d{1,2}),r=(\\d{1,2}),p=(\\d{1,2}),ss=(${base64}{0,16}={0,2}),sk=(${base64}{40,128}={0,2})\\$(${base64}{1,128}={0,2})\\$(${base64}{40,128}={0,2})$`,
)

/** The values of "Password hash parameters" in the console; both keys in base64. */
export interface FirebaseParameters {
  signerKey: string
  saltSeparator: string
  rounds: number
  memCost: number
}

/** @param salt and `key` in the format of `auth:export`: base64, also URL-safe */
export function writeFirebaseHash(parameters: FirebaseParameters, salt: string, key: string): string {
  const plain = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/')
  const { signerKey, saltSeparator, rounds, memCost } = parameters
  return `$fbscrypt$v=1,n=${memCost},r=${rounds},p=1,ss=${plain(saltSeparator)},sk=${plain(signerKey)}$${plain(salt)}$${plain(key)}`
}

export const firebaseScrypt: HashFormat = (stored) => {
  const [, memCost, rounds, lanes, separator = '', signer = '', salt = '', key = ''] = form.exec(stored) ?? []
  const [n, r, p] = [Number(memCost), Number(rounds), Number(lanes)] as const
  if (!memCost || n < 1 || n > 30 || r < 1 || p < 1) return null
  const parameters = `n=${n},r=${r},p=${p}`
  return {
    format: 'firebase-scrypt',
    cost: `firebase-scrypt ${parameters}`,
    tooMuch: scryptBound(2 ** n, r, p),
    sample: () => `$fbscrypt$v=1,${parameters},ss=,sk=${blank(signer)}$${blank(salt)}$${blank(key)}`,
    async verify(password) {
      const salted = Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(separator, 'base64')])
      const derived = scryptKey(password, salted, 32, { N: 2 ** n, r, p })
      const actual = createCipheriv('aes-256-ctr', derived, Buffer.alloc(16)).update(Buffer.from(signer, 'base64'))
      const expected = Buffer.from(key, 'base64')
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
  }
}
