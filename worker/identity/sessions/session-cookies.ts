import { signValue } from '../../kit/cookies.ts'
import type { Session } from '../model/sessions.table.ts'
import type { User } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { needsProofs, offerKey } from './device-key.ts'
import { cacheSession, clearSessionCache } from './session-cache.ts'
import { sessionOptions } from './sessions.config.ts'

/** The session cookie. A bearer token is its signed value. */
export const tokenCookie = 'session_token'
const forgetfulCookie = 'dont_remember'

/** The token of a session cookie with our signature; null without one. */
export const readSessionToken = (scope: Scope): string | null => scope.response.cookies.getSigned(tokenCookie)

/**
 * The token that the session cookie names, without a check of its signature: only to compare it with the token of session
 * data, whose own signature proves it. Verifying both would cost a second HMAC.
 */
export function shownSessionToken(scope: Scope): string | null {
  const signed = scope.response.cookies.get(tokenCookie) ?? ''
  const dot = signed.lastIndexOf('.')
  return dot < 1 ? null : signed.slice(0, dot)
}

/** Whether the session ends with the browser's. */
export const isForgetful = (scope: Scope): boolean => scope.response.cookies.getSigned(forgetfulCookie) === 'true'

/** Stores, between the first and the second factor, that the session ends with the browser's session. */
export const setForgetful = (scope: Scope): void => {
  scope.response.cookies.setSigned(forgetfulCookie, 'true')
}

/** Passes the token of the response to the `tokenSent` steps. */
export function sendToken(scope: Scope, token: string): void {
  const signed = encodeURIComponent(signValue(scope.settings.secrets, tokenCookie, token))
  for (const react of scope.lifecycle.tokenSent) react(scope, signed)
}

/** Sets the session cookie and the session data cookie. A session whose token needs proofs has none: it ends that of another. */
export function setSessionCookies(scope: Scope, session: Session, user: User, rememberMe: boolean): void {
  if (needsProofs(session)) {
    if (scope.response.cookies.get(tokenCookie) !== undefined) clearSessionCookies(scope)
    sendToken(scope, session.token)
    return
  }
  const { expiresIn } = sessionOptions.of(scope)
  const remaining = Math.ceil((session.expiresAt.getTime() - scope.now().getTime()) / 1000)
  scope.response.cookies.setSigned(
    tokenCookie,
    session.token,
    rememberMe ? { maxAge: Math.min(expiresIn, remaining) } : {},
  )
  if (!rememberMe) scope.response.cookies.setSigned(forgetfulCookie, 'true')
  else if (scope.response.cookies.get(forgetfulCookie) !== undefined) scope.response.cookies.clear(forgetfulCookie)
  cacheSession(scope, session, user, rememberMe)
  offerKey(scope, session)
  sendToken(scope, session.token)
}

export function clearSessionCookies(scope: Scope): void {
  scope.response.cookies.clear(tokenCookie)
  clearSessionCache(scope)
  scope.response.cookies.clear(forgetfulCookie)
  // A token that was set before the session ended, because the session had just been extended.
  scope.response.headers.delete('set-auth-token')
}
