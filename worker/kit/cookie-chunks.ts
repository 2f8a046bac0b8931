/**
 * The maximum length of a cookie (name and value) that every browser stores (RFC 6265, section 6.1), less its overhead.
 */
export const cookieCap = 4093

/** Cuts a value that needs no percent-encoding into `name.0`, `name.1`, ...; one that fits is under `name`. */
export function chunkCookie(name: string, value: string, cap: number = cookieCap): [name: string, value: string][] {
  if (name.length + 1 + value.length <= cap) return [[name, value]]
  const size = cap - name.length - 4
  const chunks: [string, string][] = []
  for (let at = 0; at < value.length; at += size) chunks.push([`${name}.${chunks.length}`, value.slice(at, at + size)])
  return chunks
}

/** The value that `chunkCookie` split; undefined if the cookie or one of its chunks is missing. */
export function joinCookie(cookies: Record<string, string>, name: string): string | undefined {
  if (cookies[name] !== undefined) return cookies[name]
  let value = ''
  for (let n = 0; cookies[`${name}.${n}`] !== undefined; n++) value += cookies[`${name}.${n}`]
  return value || undefined
}
