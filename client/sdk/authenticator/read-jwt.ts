import type { EndedFeed } from '../../../worker/kit/ended-feed.ts'
import { type Gatehouse, GatehouseUnavailable, jsonOf } from './gatehouse.ts'
import { publishedKeys, type Read, readJwt } from './local.ts'
import type { AuthenticatorOptions } from './types.ts'

/** Reads the caller of a JWT: verified with the published keys, and of a session that has not ended. */
export function jwtReader(
  { url, request, ask }: Gatehouse,
  options: AuthenticatorOptions,
  feed: EndedFeed | null,
): (token: string) => Promise<Read | null> {
  const { issuer = url, audience = url, algorithm = 'EdDSA' } = options.jwt || {}
  const keys = publishedKeys(url, request)

  /** Whether the session of a token has not ended: by the feed, or by Gatehouse while the feed is not known. */
  async function isLive(token: string, { sessionId }: Read): Promise<boolean> {
    if (!feed || sessionId === undefined) return true
    const known = await feed.read()
    if (known) return !known.has(sessionId)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) }
    return (await jsonOf<{ active: boolean }>(await ask('/api/auth/token/status', init, []))).active === true
  }

  return async (token) => {
    let found: Read | null
    try {
      found = await readJwt(token, keys, { issuer, audience, algorithm })
    } catch (cause) {
      throw new GatehouseUnavailable(`The keys of ${url} could not be read`, { cause })
    }
    return found && (await isLive(token, found)) ? found : null
  }
}
