import type { SessionRead } from '../../identity/lifecycle.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { readBearerToken } from '../../identity/sessions/bearer-token.ts'
import { describeDevice } from '../../identity/sessions/describe-device.ts'
import { presentSession } from '../../identity/sessions/present-session.ts'
import { cachePresented, readSessionCache } from '../../identity/sessions/session-cache.ts'
import { clearSessionCookies, readSessionToken } from '../../identity/sessions/session-cookies.ts'
import { ownerOfSession } from '../../identity/sessions/sessions.store.ts'
import type { Session } from '../../identity/sessions/sessions.table.ts'
import { endSession, endSessionsOf, extendWhenDue, signOutOf } from '../../identity/sessions/sessions.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { sessionErrors } from './session.errors.ts'

/** What get-session answers: from the signed cookie when it may, otherwise read, extended when due, cached again. */
export async function readSession(
  scope: Scope,
  { disableCookieCache = false, disableRefresh = false }: { disableCookieCache?: boolean; disableRefresh?: boolean },
) {
  const token = readSessionToken(scope)
  const cached = token && !disableCookieCache ? readSessionCache(scope, token) : null
  if (cached) return tell(scope, cached as unknown as SessionRead)
  const caller = await scope.caller()
  if (!caller) return null
  const session = disableRefresh ? caller.session : extendWhenDue(scope, caller)
  const read = { session: presentSession(scope, session), user: presentUser(scope, caller.user) }
  if (caller.via === 'cookie' && session === caller.session) cachePresented(scope, read)
  return tell(scope, read)
}

/** What is read is told to the features that add to it, wherever it came from. Cached dates are ISO text already. */
async function tell(scope: Scope, read: SessionRead): Promise<SessionRead> {
  for (const react of scope.lifecycle.sessionRead) await react(scope, read)
  return read
}

export type DescribedSession = Awaited<ReturnType<typeof describeSession>>

/** A session as its owner sees it in the list. */
export async function describeSession(scope: Scope, session: Session) {
  const { city, country, method } = session
  return {
    ...presentSession(scope, session),
    device: await describeDevice(session.userAgent ?? ''),
    method,
    place: city || country ? { city, country } : null,
  }
}

/** @throws SESSION_NOT_FOUND for an unknown token, UNAUTHORIZED for somebody else's */
export async function revokeSession(scope: Scope, caller: Caller, token: string): Promise<void> {
  const owner = await ownerOfSession(scope.db, token)
  if (owner === null) throw sessionErrors.SESSION_NOT_FOUND()
  if (owner !== caller.user.id) throw coreErrors.UNAUTHORIZED()
  await endSession(scope, token)
  if (token === caller.session.token) clearSessionCookies(scope)
}

export async function revokeAllSessions(scope: Scope, caller: Caller): Promise<void> {
  await endSessionsOf(scope, caller.user.id)
  clearSessionCookies(scope)
}

export const revokeOtherSessions = (scope: Scope, caller: Caller): Promise<void> =>
  endSessionsOf(scope, caller.user.id, caller.session.token)

/** @throws FAILED_TO_GET_SESSION without a validly signed session */
export async function signOut(scope: Scope): Promise<void> {
  const token = readSessionToken(scope) ?? readBearerToken(scope)
  if (token) return signOutOf(scope, token)
  clearSessionCookies(scope)
  throw coreErrors.FAILED_TO_GET_SESSION()
}
