import { parse, serialize } from 'hono/utils/cookie'
import { equalSecrets, hmac } from './hash.ts'

export interface CookieOptions {
  /** Seconds; without it the cookie lives as long as the browser's session. */
  maxAge?: number
  domain?: string
  path?: string
  secure?: boolean
  httpOnly?: boolean
  sameSite?: 'Lax' | 'Strict' | 'None'
  /** Kept apart for each top-level site (CHIPS); with `secure` only. */
  partitioned?: boolean
}

/** The cookies of a Cookie header. One that cannot be decoded is left out. */
export function parseCookies(header: string | null): Record<string, string> {
  if (!header) return {}
  return parse(header)
}

/** A Set-Cookie line; the value is percent-encoded. A maxAge of 0 with an empty value clears the cookie. */
export const serializeCookie = (name: string, value: string, options: CookieOptions): string =>
  serialize(name, value, { path: '/', httpOnly: true, sameSite: 'Lax', ...options })

/** `value.signature`: HMAC-SHA256 under the newest secret, in padded base64. */
export const signValue = (secrets: readonly string[], value: string): string =>
  `${value}.${hmac(secrets[0]!, value, 'base64')}`

/** The value of a signed text, or null when no secret made its signature. */
export function unsignValue(secrets: readonly string[], signed: string | undefined): string | null {
  if (!signed) return null
  const dot = signed.lastIndexOf('.')
  if (dot < 1) return null
  const value = signed.slice(0, dot)
  const signature = signed.slice(dot + 1)
  return secrets.some((secret) => equalSecrets(hmac(secret, value, 'base64'), signature)) ? value : null
}

/** The longest cookie (name and value) that every browser keeps, after RFC 6265 section 6.1, less its overhead. */
export const cookieCap = 4093

/**
 * Cuts a value that is too long for one cookie into `name.0`, `name.1`, ... It must need no percent-encoding.
 * @returns one entry under `name` itself when it fits
 */
export function chunkCookie(name: string, value: string, cap: number = cookieCap): [name: string, value: string][] {
  if (name.length + 1 + value.length <= cap) return [[name, value]]
  const size = cap - name.length - 4
  const chunks: [string, string][] = []
  for (let at = 0; at < value.length; at += size) chunks.push([`${name}.${chunks.length}`, value.slice(at, at + size)])
  return chunks
}

/** The value that `chunkCookie` cut, or undefined when there is none or a piece is missing at the front. */
export function joinCookie(cookies: Record<string, string>, name: string): string | undefined {
  if (cookies[name] !== undefined) return cookies[name]
  let value = ''
  for (let n = 0; cookies[`${name}.${n}`] !== undefined; n++) value += cookies[`${name}.${n}`]
  return value || undefined
}
