import { Buffer } from 'node:buffer'
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** SHA-256, base64url without padding: how tokens, keys and secrets are stored. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** HMAC-SHA256 of `text` under the UTF-8 bytes of `secret`. */
export const hmac = (secret: string, text: string, encoding: 'base64' | 'base64url' = 'base64url'): string =>
  createHmac('sha256', secret).update(text).digest(encoding)

/** Compares two secrets without telling by its time where they differ. */
export function equalSecrets(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  if (left.length !== right.length) return false
  return timingSafeEqual(left, right)
}

/** 32 bytes for one purpose, derived from the application's secret (HKDF-SHA256, RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, 'gatehouse', purpose, 32))
