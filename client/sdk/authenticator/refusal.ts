import { GatehouseUnavailable } from './gatehouse.ts'
import { opensPage } from './return-address.ts'
import type { RequestLike } from './types.ts'

/** A response instead of the product's. */
export function refusal(asked: RequestLike, status: 401 | 403 | 503, setCookies: string[]): Response {
  const [code, message] = {
    401: ['UNAUTHORIZED', 'Sign in to continue.'],
    403: ['FORBIDDEN', 'You do not have access.'],
    503: ['UNAVAILABLE', 'The account service does not answer. Try again.'],
  }[status] as [string, string]
  const headers = new Headers({ 'cache-control': 'no-store', ...(status === 503 ? { 'retry-after': '1' } : {}) })
  for (const line of setCookies) headers.append('set-cookie', line)
  if (!opensPage(asked)) return Response.json({ code, message }, { status, headers })
  headers.set('content-type', 'text/plain; charset=utf-8')
  return new Response(message, { status, headers })
}

/**
 * The 503 for a request whose caller could not be checked; other errors are thrown again.
 *
 *     const checked = await auth.check(request).catch((thrown) => unavailable(request, thrown))
 *     if (checked instanceof Response) return checked
 */
export function unavailable(request: RequestLike, thrown: unknown): Response {
  if (!(thrown instanceof GatehouseUnavailable)) throw thrown
  return refusal(request, thrown.status, [])
}
