/**
 * The headers that a checked request adds to its response: the cookies, and `Cache-Control` for a response that depends on the
 * caller, so that no shared cache stores it.
 */
export function headersFor({ caller, setCookies }: { caller: object | null; setCookies: string[] }): {
  setCookies: string[]
  cacheControl: string | null
} {
  return { setCookies, cacheControl: caller || setCookies.length > 0 ? 'private, no-cache' : null }
}
