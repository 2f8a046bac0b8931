import type { Runtime } from '../../http/open-scope.ts'
import { Operations, type Portable, type RpcAnswer, requireUserId, run, within } from '../../http/operations.ts'
import type { PresentedSession } from '../../identity/sessions/present-session.ts'
import { withDates } from '../../identity/sessions/session-cache.ts'
import { setSessionFields } from '../../identity/sessions/session-fields.ts'
import { listSessions } from '../../identity/sessions/sessions.store.ts'
import { beganAtEarliest } from '../../identity/sessions/sessions.ts'
import type { PresentedUser } from '../../identity/users/present-user.ts'
import { AppError } from '../../kit/errors.ts'
import type { FieldValue } from '../../kit/field-rules.ts'
import { keyHeadersOf } from '../api-key/api-key.config.ts'
import { sessionContract } from './session.contract.ts'
import { type DescribedSession, describeSession, readSession } from './session.ts'

/** The parts of a request that identify its caller. */
export interface Credentials {
  /** The Cookie header. */
  cookie?: string
  /** The Authorization header: `Bearer` and a signed token. */
  authorization?: string
  apiKey?: string
}

export class SessionOperations extends Operations {
  /**
   * Returns the session and the user of a request, by the cookie, a bearer token or an API key; null for a visitor. It
   * counts the use of a key. It returns null for a key that is rejected or has the access level `verify-only`;
   * verifyApiKey returns the reason.
   * @param credentials the headers of the request, or the values that identify the caller
   */
  async getSession(
    credentials: HeadersInit | Credentials,
    options: { disableCookieCache?: boolean } = {},
  ): Promise<{ session: Portable<PresentedSession>; user: Portable<PresentedUser> } | null> {
    // An extension of the session could not reach the browser.
    const query = { disableCookieCache: options.disableCookieCache === true, disableRefresh: true }
    try {
      const headers = headersOf(this.runtime, credentials)
      const { getSession: endpoint } = sessionContract
      const read = await this[within]((scope) => readSession(scope, query), { headers, endpoint })
      return (read && withDates(read)) as { session: Portable<PresentedSession>; user: Portable<PresentedUser> } | null
    } catch (thrown) {
      if (thrown instanceof AppError) return null
      throw thrown
    }
  }

  /** Lists the active sessions of a user, newest first, each with the known facts about its device and place. */
  listSessions(input: { userId: string }): Promise<RpcAnswer<DescribedSession[]>> {
    return this[run](async (scope) => {
      const sessions = await listSessions(scope.db, requireUserId(input), scope.now(), beganAtEarliest(scope))
      return Promise.all(sessions.map((session) => describeSession(scope, session)))
    })
  }

  /**
   * Sets fields of a session (session.additionalFields); null removes a field.
   * @param input `sessionToken`: as in get-session, without its signature
   * @returns all fields after the update
   */
  setSessionFields(input: {
    sessionToken: string
    fields: Record<string, FieldValue>
  }): Promise<RpcAnswer<Record<string, FieldValue>>> {
    return this[run]((scope) => setSessionFields(scope, String(input.sessionToken), Object(input.fields)))
  }
}

/** The headers for the given credentials. */
function headersOf(runtime: Runtime, credentials: HeadersInit | Credentials): HeadersInit {
  if (credentials instanceof Headers || Array.isArray(credentials) || !('apiKey' in credentials)) {
    return credentials as HeadersInit
  }
  const { apiKey, ...headers } = credentials as Credentials
  const [name = ''] = keyHeadersOf(runtime)
  return { ...headers, ...(apiKey ? { [name]: apiKey } : {}) }
}
