import type { EndedFeed } from '../../../worker/kit/ended-feed.ts'
import type { Binding } from './binding.ts'
import { type Gatehouse, jsonOf } from './gatehouse.ts'
import { cookiesOf, forwardedCookies, type Read, readSessionData } from './local.ts'
import type { AuthenticatorOptions, Via } from './types.ts'

/** The caller of a request, who answered, and the cookies for the response. */
export interface Found {
  read: Read | null
  via: Via
  setCookies: string[]
}

type Credentials = Readonly<Record<string, string>>

/** What Gatehouse needs of the headers of a request: cookies of its own, a bearer token, the bookmark of a write. */
export function credentialsOf(headers: Headers, cookiePrefix: string): Credentials {
  const cookie = forwardedCookies(headers.get('cookie'), cookiePrefix)
  const authorization = headers.get('authorization')
  const bookmark = headers.get('x-gatehouse-bookmark')
  return {
    ...(bookmark ? { 'x-gatehouse-bookmark': bookmark } : {}),
    ...(cookie ? { cookie } : {}),
    ...(authorization && /^Bearer /i.test(authorization) ? { authorization } : {}),
  }
}

/**
 * Reads the caller of a session cookie, a session token or an API key: from the session data cookie, if its key is
 * configured, by the binding, or by a request. A caller without credentials causes none.
 */
export function sessionReader(
  { ask, operate }: Gatehouse,
  options: AuthenticatorOptions,
  feed: EndedFeed | null,
): (headers: Headers, fresh: boolean) => Promise<Found> {
  const { cookiePrefix = 'gatehouse', refreshAfter = 86_400, serverKey } = options
  const binding = options.binding as Binding | undefined
  const sessionDataKeys = [options.sessionDataKey ?? []].flat()

  /** get-session with the caller's own credentials: it extends the session and returns cookies. */
  async function askAsCaller(credentials: Credentials, fresh: boolean): Promise<Found> {
    const query = fresh ? '?disableCookieCache=true' : ''
    const answer = await ask(`/api/auth/get-session${query}`, { headers: credentials }, [401, 403])
    const read = answer.ok ? await jsonOf<Read | null>(answer) : null
    return { read, via: 'cookie', setCookies: answer.headers.getSetCookie() }
  }

  async function askGatehouse(credentials: Credentials, fresh: boolean): Promise<Found> {
    const settings = { disableCookieCache: fresh }
    if (binding) {
      try {
        return { read: await binding.getSession(credentials, settings), via: 'binding', setCookies: [] }
      } catch {
        // The other Worker is being replaced, or not there in development: it may be reachable over HTTP.
      }
    }
    if (!serverKey) return askAsCaller(credentials, fresh)
    const answer = await operate('get-session', { ...credentials, ...settings }, [])
    return { read: await jsonOf<Read | null>(answer), via: 'server-key', setCookies: [] }
  }

  /** Extends the session of a cookie, which neither the binding nor a server key can. */
  async function extended(found: Found, credentials: Credentials): Promise<Found> {
    const session = found.read?.session
    if (!session || !credentials.cookie || found.via === 'cookie' || refreshAfter === null) return found
    // A text of JSON, or a date of the binding.
    const updatedAt = new Date(session.updatedAt as string | Date).getTime()
    if (Date.now() - updatedAt < refreshAfter * 1000) return found
    try {
      return { ...(await askAsCaller(credentials, false)), via: found.via }
    } catch {
      // The session is valid; its extension can wait for the next request.
      return found
    }
  }

  return async (headers, fresh) => {
    const credentials = credentialsOf(headers, cookiePrefix)
    const cookies = cookiesOf(headers.get('cookie'), cookiePrefix)
    if (cookies.session_token === undefined && !credentials.authorization) {
      return { read: null, via: 'cookie', setCookies: [] }
    }
    const data = fresh || credentials.authorization ? null : await readSessionData(cookies, sessionDataKeys, Date.now())
    // Gatehouse decides about an ended session, and about one that the feed cannot judge.
    const isJudged = data && (!feed || (await feed.read())?.has(String(data.session?.id)) === false)
    const found: Found = isJudged
      ? { read: data, via: 'session-data', setCookies: [] }
      : await askGatehouse(credentials, fresh)
    return extended(found, credentials)
  }
}
