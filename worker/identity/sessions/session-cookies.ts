import { signValue } from '../../kit/cookies.ts'
import type { Scope } from '../scope.ts'
import { sessionOptions } from '../settings.ts'
import type { User } from '../users/users.table.ts'
import { cacheSession, clearSessionCache } from './session-cache.ts'
import type { Session } from './sessions.table.ts'

const tokenCookie = 'session_token'
const forgetfulCookie = 'dont_remember'

/** The token of a session cookie that carries our signature; null without one. */
export const readSessionToken = (scope: Scope): string | null => scope.cookies.getSigned(tokenCookie)

/** Whether the session ends with the browser's. */
export const isForgetful = (scope: Scope): boolean => scope.cookies.getSigned(forgetfulCookie) === 'true'

/** Remembers, between the first factor and the second, that the session is to end with the browser's. */
export const setForgetful = (scope: Scope): void => {
  scope.cookies.setSigned(forgetfulCookie, 'true')
}

/** Tells whoever steps in that the answer carries this token. */
export function tellToken(scope: Scope, token: string): void {
  const signed = encodeURIComponent(signValue(scope.settings.secrets, token))
  for (const react of scope.lifecycle.tokenSent) react(scope, signed)
}

/** Sets the session cookies, and the session data beside them. */
export function setSessionCookies(scope: Scope, session: Session, user: User, rememberMe: boolean): void {
  const { expiresIn } = sessionOptions.of(scope)
  const remaining = Math.ceil((session.expiresAt.getTime() - scope.now().getTime()) / 1000)
  scope.cookies.setSigned(tokenCookie, session.token, rememberMe ? { maxAge: Math.min(expiresIn, remaining) } : {})
  if (!rememberMe) scope.cookies.setSigned(forgetfulCookie, 'true')
  else if (scope.cookies.get(forgetfulCookie) !== undefined) scope.cookies.clear(forgetfulCookie)
  cacheSession(scope, session, user)
  tellToken(scope, session.token)
}

export function clearSessionCookies(scope: Scope): void {
  scope.cookies.clear(tokenCookie)
  clearSessionCache(scope)
  scope.cookies.clear(forgetfulCookie)
  // A token that was told before it ended, because its session had just been extended.
  scope.headers.delete('set-auth-token')
}
