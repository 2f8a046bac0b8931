import { Buffer } from 'node:buffer'
import { pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { blank, type HashFormat } from './hash-format.ts'

/** `pbkdf2_sha256$iterations$salt$key`, the format of Django; the salt is text. */
const django = /^pbkdf2_(sha1|sha256|sha512)\$(\d{1,8})\$([\x21-\x23\x25-\x7e]{1,128})\$([A-Za-z0-9+/]{20,171}={0,2})$/
/** PHC string format. passlib writes only the number of iterations, and `.` for `+`. */
const phc =
  /^\$pbkdf2-(sha1|sha256|sha512)\$(?:i=)?(\d{1,8})(?:,l=\d{1,3})?\$([A-Za-z0-9+/.]{4,171})={0,2}\$([A-Za-z0-9+/.]{20,171})={0,2}$/

/** The maximum of Cloudflare's native PBKDF2. The JavaScript library takes about six times as long. */
const maxNative = 100_000
/** About two seconds. */
const maxIterations = { sha1: 720_000, sha256: 720_000, sha512: 210_000 }

type Digest = keyof typeof maxIterations

/**
 * @param dkLen bytes
 * @param native whether the platform computes it
 */
export async function derivePbkdf2(
  digest: Digest,
  password: string,
  salt: Buffer,
  { c, dkLen, native = c <= maxNative }: { c: number; dkLen: number; native?: boolean },
): Promise<Uint8Array> {
  if (native) return pbkdf2Sync(password, salt, c, dkLen, digest) as Buffer
  const [{ pbkdf2: library }, { sha256, sha512 }, { sha1 }] = await Promise.all([
    import('@noble/hashes/pbkdf2.js'),
    import('@noble/hashes/sha2.js'),
    import('@noble/hashes/legacy.js'),
  ])
  return library({ sha1, sha256, sha512 }[digest], password, salt, { c, dkLen })
}

export const pbkdf2: HashFormat = (stored) => {
  const byDjango = django.exec(stored)
  const [, digest, count, salt = '', key = ''] = byDjango ?? phc.exec(stored) ?? []
  const iterations = Number(count)
  if (!digest || iterations < 1) return null
  const most = maxIterations[digest as Digest]
  const saltBytes = byDjango ? Buffer.from(salt) : Buffer.from(salt.replaceAll('.', '+'), 'base64')
  return {
    format: 'pbkdf2',
    cost: `pbkdf2-${digest} i=${iterations}`,
    tooMuch: iterations > most ? `pbkdf2-${digest} with ${iterations} iterations is over ${most}` : null,
    sample: () => `$pbkdf2-${digest}$i=${iterations}$${blank(salt)}$${blank(key.replaceAll('=', ''))}`,
    async verify(password) {
      const expected = Buffer.from(key.replaceAll('.', '+'), 'base64')
      const cost = { c: iterations, dkLen: expected.length }
      return timingSafeEqual(await derivePbkdf2(digest as Digest, password, saltBytes, cost), expected)
    },
  }
}
