import type { IssuedSession, SessionRead } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { isForgetful } from '../../identity/sessions/session-cookies.ts'
import { heldTokens, holdSession, holdsToken, letGo } from './device-cookies.ts'
import { multiSessionOptions } from './multi-session.config.ts'

/**
 * A new session gets its cookie beside the others, as long as there are not too many; one that takes another's place
 * takes its cookie too. An impersonation is nobody's account here.
 */
export function keepSession(scope: Scope, { session, replaced, inCookies, rememberMe }: IssuedSession): void {
  if (!inCookies || session.impersonatedBy) return
  if (replaced && holdsToken(scope, replaced.token)) letGo(scope, [replaced.token])
  const others = heldTokens(scope).filter((token) => token !== replaced?.token)
  if (others.length < multiSessionOptions.of(scope).maximumSessions) holdSession(scope, session, rememberMe)
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
