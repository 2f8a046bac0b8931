import { httpErrors } from '../../http/http.errors.ts'
import type { CallerKey } from '../../identity/caller.ts'
import type { SessionRead } from '../../identity/lifecycle.ts'
import type { Session } from '../../identity/model/sessions.table.ts'
import { contributed } from '../../identity/registry.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { readBearerToken, shownToken } from '../../identity/sessions/bearer-token.ts'
import { describeDevice } from '../../identity/sessions/describe-device.ts'
import { isKeyMissing, offerKey } from '../../identity/sessions/device-key.ts'
import { presentSession } from '../../identity/sessions/present-session.ts'
import {
  type CachedRead,
  cachePresented,
  isCached,
  readSessionCache,
  readSessionCacheInOutage,
  sessionIdOfCookie,
} from '../../identity/sessions/session-cache.ts'
import {
  clearSessionCookies,
  isForgetful,
  readSessionToken,
  shownSessionToken,
} from '../../identity/sessions/session-cookies.ts'
import { ownerOfSession, sessionsOf, someSession } from '../../identity/sessions/sessions.store.ts'
import { endSession, endSessions, extendWhenDue } from '../../identity/sessions/sessions.ts'
import { signOutOf } from '../../identity/sessions/sign-out.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { presentUser } from '../../identity/users/present-user.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { faultIn } from '../../kit/errors.ts'
import { sessionErrors } from './session.errors.ts'

/** A result of get-session and its JSON, which is also the text of the session data cookie. */
export interface ReadSession {
  read: SessionRead
  text: string
}

/**
 * The result of get-session: from the signed cookie if permitted, otherwise read from the database, extended if due,
 * and cached again. `disableRefresh` leaves a cookie that says what was read. While the database does not answer, an expired cookie is accepted for some minutes.
 */
export async function readSession(
  scope: Scope,
  { disableCookieCache = false, disableRefresh = false }: { disableCookieCache?: boolean; disableRefresh?: boolean },
): Promise<ReadSession | null> {
  if (disableCookieCache) scope.io.readPrimary()
  const shown = disableCookieCache ? null : shownSessionToken(scope)
  const cached = shown && (await readSessionCache(scope, shown))
  if (cached) return passToFeatures(scope, cached)
  let caller: Caller | null
  try {
    caller = await scope.caller()
  } catch (thrown) {
    const token = !disableCookieCache && faultIn(thrown) ? readSessionToken(scope) : null
    const kept = token && (await readSessionCacheInOutage(scope, token))
    if (!kept) throw thrown
    return passToFeatures(scope, kept)
  }
  if (!caller && isKeyMissing(scope)) throw httpErrors.SESSION_KEY_REQUIRED()
  if (!caller) return null
  const session = disableRefresh ? caller.session : extendWhenDue(scope, caller)
  const read = { session: presentSession(scope, session), user: presentUser(scope, caller.user) }
  const text = JSON.stringify(read)
  if (caller.via === 'cookie' && session === caller.session) {
    // The browser may receive this response after that to a later change, whose cookie it must not replace.
    if (!disableRefresh || !isCached(scope, text)) cachePresented(scope, text, !isForgetful(scope))
    offerKey(scope, session)
  }
  return passToFeatures(scope, { read, text }, caller.key)
}

/** Passes what was read to the features that add to it. Cached dates are ISO text; a cached session has no `key`. */
async function passToFeatures(scope: Scope, found: ReadSession | CachedRead, key?: CallerKey): Promise<ReadSession> {
  const read = found.read as SessionRead
  for (const react of scope.lifecycle.sessionRead) {
    const pending = react(scope, { ...read, key, text: found.text })
    if (pending) await pending
  }
  return { read, text: found.text }
}

/** A session in its owner's list. */
export async function describeSession(scope: Scope, session: Session) {
  const { city, country, method } = session
  return {
    ...presentSession(scope, session),
    device: await describeDevice(session.userAgent ?? ''),
    method,
    place: city || country ? { city, country } : null,
  }
}

/** @throws SESSION_NOT_FOUND for an unknown token, UNAUTHORIZED for another user's */
export async function revokeSession(scope: Scope, caller: Caller, token: string): Promise<void> {
  const owner = await ownerOfSession(scope.db, token)
  if (owner === null) throw sessionErrors.SESSION_NOT_FOUND()
  if (owner !== caller.user.id) throw coreErrors.UNAUTHORIZED()
  await endSession(scope, token)
  if (token === caller.session.token) clearSessionCookies(scope)
}

/** @param applications whether the same batch also revokes the access of applications to the account */
export async function revokeAllSessions(scope: Scope, caller: Caller, applications = false): Promise<void> {
  await endSessionsOf(scope, caller, { except: undefined, applications })
  clearSessionCookies(scope)
}

/** @param applications see `revokeAllSessions` */
export async function revokeOtherSessions(scope: Scope, caller: Caller, applications = false): Promise<void> {
  await endSessionsOf(scope, caller, { except: caller.session.token, applications })
}

/** @param except the token of a session that remains */
async function endSessionsOf(
  scope: Scope,
  { user, session }: Caller,
  { except, applications }: { except: string | undefined; applications: boolean },
): Promise<void> {
  const work = unitOfWork(scope)
  const event = { type: 'sessions-ended', user, sessionId: session.id } as const
  securityEvent(scope, work, event, someSession(sessionsOf(user.id, except)))
  endSessions(scope, work, sessionsOf(user.id, except), { isPurpose: !applications })
  if (applications) work.run(contributed(scope, 'revokes', 'applications', 'all').flatMap((end) => end(scope, user.id)))
  await work.commit()
}

/** @throws FAILED_TO_GET_SESSION without a session that has a valid signature */
export async function signOut(scope: Scope): Promise<void> {
  const token = readSessionToken(scope) ?? readBearerToken(scope)
  if (shownToken(scope)?.scheme === 'dpop') {
    const { proveToken } = await import('../../identity/sessions/dpop.ts')
    await proveToken(scope)
  }
  if (token) return signOutOf(scope, token, sessionIdOfCookie(scope, token))
  clearSessionCookies(scope)
  throw coreErrors.FAILED_TO_GET_SESSION()
}
