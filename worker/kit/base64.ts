import { Buffer } from 'node:buffer'

/** Base64url without padding (RFC 4648, section 5). */
export const base64url = (bytes: Uint8Array | string): string =>
  (typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : Buffer.from(bytes)).toString('base64url')

/** The text behind a base64url string; other characters are skipped, so check the result. */
export const fromBase64url = (text: string): string => Buffer.from(text, 'base64url').toString('utf8')
