import type { PresentedSession } from '../identity/sessions/present-session.ts'
import type { PresentedUser } from '../identity/users/present-user.ts'
import type { Portable } from './rpc-answer.ts'

/** The method of operations that has a signature of its own: its input are the headers of another request. */

/** The parts of a request that identify its caller. */
export interface Credentials {
  /** The Cookie header. */
  cookie?: string
  /** The Authorization header: `Bearer` and a signed token. */
  authorization?: string
  apiKey?: string
}

export interface GetSessionOptions {
  /** Reads the database, so that an ended session is rejected immediately. */
  disableCookieCache?: boolean
}

export interface SessionOfRequest {
  session: Portable<PresentedSession>
  user: Portable<PresentedUser>
}

/** The input of the operation. */
export function inputOfGetSession(
  credentials: HeadersInit | Credentials,
  { disableCookieCache = false }: GetSessionOptions = {},
): object {
  if (credentials instanceof Headers || Array.isArray(credentials) || !('apiKey' in credentials)) {
    return { headers: Object.fromEntries(new Headers(credentials as HeadersInit)), disableCookieCache }
  }
  return { ...credentials, disableCookieCache }
}
