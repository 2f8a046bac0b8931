import { serialize } from 'hono/utils/cookie'
import { deriveKey, equalSecrets, hmac } from './hash.ts'

export interface CookieOptions {
  /** Seconds. Without it the cookie lasts as long as the browser's session. */
  maxAge?: number
  domain?: string
  path?: string
  secure?: boolean
  httpOnly?: boolean
  sameSite?: 'Lax' | 'Strict' | 'None'
  /** Partitioned by top-level site (CHIPS); only with `secure`. */
  partitioned?: boolean
}

/**
 * The cookies of a Cookie header (RFC 6265, section 5.4), without those that cannot be decoded; the first of a name wins.
 * Every request runs it over kilobytes, so it looks only at separators: our values are signed or compared.
 */
export function parseCookies(header: string | null): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null)
  if (!header) return cookies
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0) continue
    const name = pair.slice(0, equals).trim()
    if (name === '' || name in cookies) continue
    let value = pair.slice(equals + 1).trim()
    if (value.startsWith('"') && value.endsWith('"')) value = value.slice(1, -1)
    if (!value.includes('%')) cookies[name] = value
    else {
      try {
        cookies[name] = decodeURIComponent(value)
      } catch {
        // Another site on the host may set anything.
      }
    }
  }
  return cookies
}

/** A Set-Cookie line; the value is percent-encoded. A maxAge of 0 with an empty value clears the cookie. */
export const serializeCookie = (name: string, value: string, options: CookieOptions): string =>
  serialize(name, value, { path: '/', httpOnly: true, sameSite: 'Lax', ...options })

const signatureOf = (secret: string, name: string, value: string): string =>
  hmac(deriveKey(secret, 'cookie'), `${name}=${value}`, 'base64')

/** The signature of versions before 0.3: with the secret as key, for any name. */
const earlierSignature = (secret: string, value: string): string => hmac(secret, value, 'base64')

/**
 * `value.signature`: HMAC-SHA256 over name and value in padded base64, so that a value is valid in one cookie only.
 * @param secrets newest first @param name without prefixes, so that `cookies.prefix` may change
 */
export const signValue = (secrets: readonly string[], name: string, value: string): string =>
  `${value}.${signatureOf(secrets[0]!, name, value)}`

/** The value of a signed text, or null. A signature of versions before 0.3 is valid until its secret is retired. */
export function unsignValue(secrets: readonly string[], name: string, signed: string | undefined): string | null {
  if (!signed) return null
  const dot = signed.lastIndexOf('.')
  if (dot < 1) return null
  const value = signed.slice(0, dot)
  const signature = signed.slice(dot + 1)
  const isOurs = (secret: string) =>
    equalSecrets(signatureOf(secret, name, value), signature) ||
    equalSecrets(earlierSignature(secret, value), signature)
  return secrets.some(isOurs) ? value : null
}
