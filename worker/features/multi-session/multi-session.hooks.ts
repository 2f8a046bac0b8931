import type { IssuedSession, SessionRead } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { forgetSession } from '../../identity/sessions/sessions.ts'
import { ms, seconds } from '../../kit/time.ts'
import { heldTokens, holdSession, holdsToken, letGo } from './device-cookies.ts'
import { multiSessionOptions } from './multi-session.config.ts'
import { deleteSessions } from './multi-session.store.ts'

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

/** An extended session keeps its token, and its cookie lives on with it. */
export function keepExtended(scope: Scope, { session }: SessionRead): void {
  // The cookie cache holds dates as text.
  const [createdAt, updatedAt, expiresAt] = [session.createdAt, session.updatedAt, session.expiresAt].map(
    (date) => new Date(date),
  ) as [Date, Date, Date]
  const justNow = scope.now().getTime() - updatedAt.getTime() < ms(seconds(10))
  if (!justNow || updatedAt.getTime() === createdAt.getTime() || !holdsToken(scope, session.token)) return
  holdSession(scope, { token: session.token, expiresAt }, true)
}

/** Who signs out of a browser signs out all who are signed in there. Cookies that are not ours are left alone. */
export async function signOutAll(scope: Scope): Promise<void> {
  const tokens = heldTokens(scope)
  if (tokens.length === 0) return
  letGo(scope, tokens)
  for (const token of tokens) forgetSession(scope, token)
  await deleteSessions(scope.db, tokens)
}
