import type { IssuedSession, SessionRead } from '../../../identity/lifecycle.ts'
import type { Session } from '../../../identity/model/sessions.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { isForgetful } from '../../../identity/sessions/session-cookies.ts'
import { heldTokens, holdSession, holdsToken, letGo } from './device-cookies.ts'
import { multiSessionOptions } from './multi-session.config.ts'
import { findLiveSessions } from './multi-session.store.ts'

/** A new session gets its cookie, up to the limit, and removes that of a session it replaces; no impersonation. */
export async function keepSession(scope: Scope, issued: IssuedSession): Promise<void> {
  const { session, replaced, inCookies, rememberMe } = issued
  if (!inCookies || session.impersonatedBy) return
  const { maximumSessions } = multiSessionOptions.of(scope)
  if (replaced && holdsToken(scope, replaced.token)) letGo(scope, [replaced.token])
  const others = heldTokens(scope).filter((token) => token !== replaced?.token)
  // The user is already signed in, even if the check of the other sessions fails.
  const left =
    others.length < maximumSessions ? others.length : await freePlaces(scope, session, others).catch(() => null)
  if (left !== null && left < maximumSessions) holdSession(scope, session, rememberMe)
}

/**
 * Clears the cookies of ended sessions and of earlier sessions of the same user. @returns the number of other sessions
 */
async function freePlaces(scope: Scope, { userId }: Session, others: readonly string[]): Promise<number> {
  scope.io.declare({ d1: 1 })
  const live = await findLiveSessions(scope, others)
  const left = new Set(live.filter(({ user }) => user.id !== userId).map(({ session }) => session.token))
  letGo(
    scope,
    others.filter((token) => !left.has(token)),
  )
  return left.size
}

/** Extends the cookie of an extended session. A session from the cookie cache (dates as text) was not extended. */
export function keepExtended(scope: Scope, { session }: SessionRead): void {
  const { token, createdAt, updatedAt, expiresAt } = session
  if (!(createdAt instanceof Date && updatedAt instanceof Date && expiresAt instanceof Date)) return
  if (updatedAt > createdAt && holdsToken(scope, token)) holdSession(scope, { token, expiresAt }, !isForgetful(scope))
}

/** A sign-out ends all sessions of the browser. Cookies without our signature remain. */
export function signOutAll(scope: Scope): string[] {
  const tokens = heldTokens(scope)
  letGo(scope, tokens)
  return tokens
}
