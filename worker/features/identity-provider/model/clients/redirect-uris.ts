import type { Client } from './client.ts'

/** The loopback interface, by exactly these names (RFC 8252, sections 7.3 and 8.3). */
const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/** Schemes that a browser handles itself, instead of passing them to an application. */
const dangerous = [
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'view-source:',
  'ws:',
  'wss:',
  'ftp:',
]

/**
 * Validates a redirect URI for a registration: an https address, http on the loopback interface, or a private scheme
 * with a dot in it (RFC 8252, sections 7 and 8.4); no fragment (RFC 6749, section 3.1.2), no userinfo, no comma, no
 * wildcard.
 * @returns the error, or null
 */
export function redirectUriFault(text: string): string | null {
  if (text.length > 2000) return 'is too long'
  // URIs are compared as texts, so characters that the URL parser drops or replaces are not allowed.
  if (/[\s,\\*#]|\p{Cc}/u.test(text)) return 'has a character that it must not have'
  if (!URL.canParse(text)) return 'is not an absolute URI'
  // Without its slashes it is relative to the current page (WHATWG URL, section 4.4).
  if (/^https?:/i.test(text) && !/^https?:\/\/[^/]/i.test(text)) return 'has no host'
  const url = new URL(text)
  if (url.username || url.password) return 'has user information'
  if (url.protocol === 'https:') return url.hostname ? null : 'has no host'
  if (url.protocol === 'http:') return loopbackHosts.includes(url.hostname) ? null : 'must be https'
  if (dangerous.includes(url.protocol)) return 'has a scheme that is not allowed'
  return url.protocol.includes('.') ? null : 'needs a private scheme with a dot, such as com.example.app'
}

/** Whether a redirect URI has a private-use scheme (RFC 8252, section 7.1). @param uri one without a fault */
export const isPrivateUse = (uri: string): boolean => !/^https?:/i.test(uri)

/**
 * The common host of redirect URIs, which identifies the owner (OpenID Connect Core, section 8.1); null for several hosts,
 * and for private schemes and loopback addresses, which have no owner.
 */
export function sectorOf(uris: readonly string[]): string | null {
  const hosts = new Set(uris.map((uri) => (/^https:/i.test(uri) ? new URL(uri).host : null)))
  return hosts.size === 1 ? [...hosts][0]! : null
}

/** Every spelling of the common host, in lower case; empty without a common host. */
export function authoritiesOf(uris: readonly string[]): string[] {
  const sector = sectorOf(uris)
  if (sector === null) return []
  const spelled = uris.map((uri) =>
    /^https:\/\/([^/?]*)/i.exec(uri)![1]!.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  )
  return [...new Set([sector, ...spelled])]
}

/** Whether an address belongs to the user's machine, where any program may listen. */
export function isLoopback(text: string): boolean {
  return URL.canParse(text) && loopbackHosts.includes(new URL(text).hostname)
}

const withoutPort = (text: string): string | null => {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'http:' || !loopbackHosts.includes(url.hostname)) return null
  url.port = ''
  return url.href
}

/**
 * Whether a client registered a redirect URI: exactly this text (RFC 9700, section 2.1). Only a native client at a loopback
 * address may use another port (RFC 8252, section 7.3).
 */
export function isRegisteredRedirectUri(client: Client, given: string): boolean {
  if (client.redirectURLs.includes(given)) return true
  if (client.registration.application_type !== 'native' || redirectUriFault(given) !== null) return false
  const wanted = withoutPort(given)
  return wanted !== null && client.redirectURLs.some((registered) => withoutPort(registered) === wanted)
}
