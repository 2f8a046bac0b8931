import { Buffer } from 'node:buffer'
import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'

/** SHA-256, base64url without padding: how tokens, keys and secrets are stored. */
export const sha256 = (text: string): string => hash('sha256', text, 'base64url')

/** SHA-256 in hexadecimal: the links of the audit log's chains. */
export const sha256Hex = (text: string): string => hash('sha256', text, 'hex')

/** HMAC-SHA256 of `text` with a key. A string key is its UTF-8 bytes. */
export const hmac = (
  secret: string | Uint8Array,
  text: string,
  encoding: 'base64' | 'base64url' = 'base64url',
): string => createHmac('sha256', secret).update(text).digest(encoding)

/** Compares two secrets in constant time. */
export function equalSecrets(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  if (left.length !== right.length) return false
  return timingSafeEqual(left, right)
}

/**
 * The purpose of a derived key. Two purposes never share a key, so that a value made for one is not valid for another.
 */
export type KeyPurpose =
  | 'auth-req-id'
  | 'cookie'
  | 'session-cache'
  | 'known-accounts'
  | 'known-device'
  | 'mailed-link'
  | 'trusted-device'
  | 'token-pair'
  | 'shown-invitation'
  | 'seal'
  | (string & {})

/** The keys of this isolate, by secret and purpose. A derivation costs more than the HMAC that follows it. */
const derivedKeys = new BoundedMap<string, Uint8Array>(1000)

/** 32 bytes for one purpose, derived from the application's secret (HKDF-SHA256, RFC 5869). */
export function deriveKey(secret: string, purpose: KeyPurpose): Uint8Array {
  const name = `${purpose}:${secret}`
  let key = derivedKeys.get(name)
  if (!key) {
    key = new Uint8Array(hkdfSync('sha256', secret, 'gatehouse', purpose, 32))
    derivedKeys.set(name, key)
  }
  return key
}
