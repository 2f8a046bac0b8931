/** The origin of an absolute http(s) URL without userinfo; null for everything else. */
export function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username || url.password) return null
  // A literal `*` is a pattern, never a host.
  if (url.host.includes('*')) return null
  return url.origin
}

/**
 * Whether `origin` is `pattern`. A pattern is an origin (`https://app.example.com`) or has `*` for whole labels of
 * the host: `https://*.example.com`, or `*.example.com` for both schemes. One `*` matches one label or more.
 */
export function matchesOrigin(origin: string, pattern: string): boolean {
  if (!pattern.includes('*')) return originOf(pattern) === origin
  const { protocol, host } = new URL(origin)
  const [scheme, hostPattern] = pattern.includes('://') ? (pattern.split('://') as [string, string]) : [null, pattern]
  if (scheme && `${scheme}:` !== protocol) return false
  // No host name is longer (RFC 1035, section 2.3.4), with a port.
  if (host.length > 260) return false
  const expression = hostPattern
    .split('.')
    .map((label) => (label === '*' ? '[^.]+(?:\\.[^.]+)*' : label.replace(/[^\w:-]/g, (c) => `\\${c}`)))
    .join('\\.')
  return new RegExp(`^${expression}$`, 'i').test(host)
}

// One slash, then no slash, backslash or encoded form of one; no control characters and no backslashes.
const relativePath = /^\/(?![/\\]|%2f|%5c)[^\\\p{Cc}]*$/iu

/** Whether a text is a path of our own origin that no browser parses as another origin. */
export function isRelativePath(text: string): boolean {
  if (!relativePath.test(text)) return false
  const base = 'https://gatehouse.invalid'
  if (!URL.canParse(text, base)) return false
  const { origin, pathname } = new URL(text, base)
  // `/.//host` normalizes to `//host`, which a router that gets only the path parses as another origin.
  return origin === base && relativePath.test(pathname)
}

/** A path below the base URL becomes absolute; an absolute URL stays as it is. */
export const resolve = (target: string, base: string): string => new URL(target, base).toString()

/** Adds parameters to the query of a relative or absolute URL and keeps the rest of its text. */
export function withQuery(target: string, parameters: Record<string, string | undefined>): string {
  const [beforeHash, ...hash] = target.split('#') as [string, ...string[]]
  const query = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
  if (!query) return target
  const joint = beforeHash.includes('?') ? '&' : '?'
  return [`${beforeHash}${joint}${query}`, ...hash].join('#')
}

/** Almost every path needs no decoding and contains no empty segments and no dots. */
const plainPath = /^(?:\/[A-Za-z0-9_-]+)+$/

/**
 * The canonical form of a path for all comparisons: no empty segments, no trailing slash, no unnecessary
 * percent-encoding. Null if a segment contains an encoded slash, a backslash, a dot segment or a control character.
 */
export function canonicalPath(pathname: string): string | null {
  if (plainPath.test(pathname)) return pathname
  const segments: string[] = []
  for (const raw of pathname.split('/')) {
    if (raw === '') continue
    let segment: string
    try {
      segment = decodeURIComponent(raw)
    } catch {
      return null
    }
    if (segment === '.' || segment === '..' || /[/\\]|\p{Cc}/u.test(segment)) return null
    segments.push(encodeURIComponent(segment))
  }
  return `/${segments.join('/')}`
}
