import type { IssuedSession, SessionRead } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { isForgetful } from '../../identity/sessions/session-cookies.ts'
import type { Session } from '../../identity/sessions/sessions.table.ts'
import { heldTokens, holdSession, holdsToken, letGo } from './device-cookies.ts'
import { multiSessionOptions } from './multi-session.config.ts'
import { findLiveSessions } from './multi-session.store.ts'

/**
 * A new session gets its cookie beside the others, as long as there are not too many; one that takes another's place
 * takes its cookie too. An impersonation is nobody's account here.
 */
export async function keepSession(scope: Scope, issued: IssuedSession): Promise<void> {
  const { session, replaced, inCookies, rememberMe } = issued
  if (!inCookies || session.impersonatedBy) return
  const { maximumSessions } = multiSessionOptions.of(scope)
  if (replaced && holdsToken(scope, replaced.token)) letGo(scope, [replaced.token])
  const others = heldTokens(scope).filter((token) => token !== replaced?.token)
  // They are signed in by now, whatever becomes of the look at the others.
  const left =
    others.length < maximumSessions ? others.length : await makeRoom(scope, session, others).catch(() => null)
  if (left !== null && left < maximumSessions) holdSession(scope, session, rememberMe)
}

/** Lets go of sessions that have ended, and of the same person's earlier ones. @returns how many others are left */
async function makeRoom(scope: Scope, { userId }: Session, others: readonly string[]): Promise<number> {
  scope.allowed.d1 += 1
  const live = await findLiveSessions(scope.db, others, scope.now())
  const left = new Set(live.filter(({ user }) => user.id !== userId).map(({ session }) => session.token))
  letGo(
    scope,
    others.filter((token) => !left.has(token)),
  )
  return left.size
}

/**
 * The cookie of a session that has been extended lives on with it: whatever extended it, get-session is where it is
 * told, when it has been read and not taken from the cookie cache, whose dates are text.
 */
export function keepExtended(scope: Scope, { session }: SessionRead): void {
  const { token, createdAt, updatedAt, expiresAt } = session
  if (!(createdAt instanceof Date && updatedAt instanceof Date && expiresAt instanceof Date)) return
  if (updatedAt > createdAt && holdsToken(scope, token)) holdSession(scope, { token, expiresAt }, !isForgetful(scope))
}

/** Who signs out of a browser signs out all who are signed in there. Cookies that are not ours are left alone. */
export function signOutAll(scope: Scope): string[] {
  const tokens = heldTokens(scope)
  letGo(scope, tokens)
  return tokens
}
