import { base64url, fromBase64url } from '../../kit/base64.ts'
import { equalSecrets, hmac } from '../../kit/hash.ts'
import type { Scope } from '../scope.ts'
import { sessionOptions } from '../settings.ts'
import { type PresentedUser, presentUser } from '../users/present-user.ts'
import type { User } from '../users/users.table.ts'
import { type PresentedSession, presentSession } from './present-session.ts'
import { wasRevoked } from './revoked.ts'
import type { Session } from './sessions.table.ts'

/**
 * The session data cookie: what get-session answers, for a few minutes, without asking anybody. Its form is the
 * protocol's: base64url of `{ session: { session, user }, expiresAt, signature }`, where the signature is an HMAC
 * over `{ session, user, expiresAt }`.
 */

/** What get-session answers, dates as ISO text. */
export interface CachedSession {
  session: { token: string; userId: string; expiresAt: string; updatedAt: string; [field: string]: unknown }
  user: { [field: string]: unknown }
}

const cookie = 'session_data'

/** @param data with one field at least. It is written as JSON once: that is most of what this costs. */
export function encodeSessionCache(secret: string, data: object, expiresAt: number): string {
  const text = JSON.stringify(data)
  const signature = hmac(secret, `${text.slice(0, -1)},"expiresAt":${expiresAt}}`)
  return base64url(`{"session":${text},"expiresAt":${expiresAt},"signature":"${signature}"}`)
}

/** The data of a session data cookie that one of the secrets signed and that has not expired; otherwise null. */
export function decodeSessionCache(secrets: readonly string[], text: string, now: number): CachedSession | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(fromBase64url(text))
  } catch {
    return null
  }
  const { session: data, expiresAt, signature } = (parsed ?? {}) as Record<string, unknown>
  if (typeof data !== 'object' || data === null || typeof expiresAt !== 'number' || typeof signature !== 'string') {
    return null
  }
  if (expiresAt <= now) return null
  const signed = JSON.stringify({ ...data, expiresAt })
  if (!secrets.some((secret) => equalSecrets(hmac(secret, signed), signature))) return null
  return data as CachedSession
}

/** Puts what was just read or written into the session data cookie. */
export function cacheSession(scope: Scope, session: Session, user: User): void {
  if (!sessionOptions.of(scope).cookieCache.enabled) return
  cachePresented(scope, { session: presentSession(scope, session), user: presentUser(scope, user) })
}

/** The same of what is shown of them already. */
export function cachePresented(scope: Scope, data: { session: PresentedSession; user: PresentedUser }): void {
  const { enabled, maxAge } = sessionOptions.of(scope).cookieCache
  if (!enabled) return
  const expiresAt = scope.now().getTime() + maxAge * 1000
  scope.cookies.set(cookie, encodeSessionCache(scope.settings.secrets[0], data, expiresAt), { maxAge })
}

/**
 * The cached session, when the cookie is sound, belongs to the session cookie beside it, and this isolate has not
 * heard of its end.
 */
export function readSessionCache(scope: Scope, token: string): CachedSession | null {
  if (!sessionOptions.of(scope).cookieCache.enabled) return null
  const text = scope.cookies.get(cookie)
  if (!text) return null
  const now = scope.now().getTime()
  const cached = decodeSessionCache(scope.settings.secrets, text, now)
  if (!cached || cached.session?.token !== token) return null
  if (Date.parse(cached.session.expiresAt) <= now) return null
  return wasRevoked(token, cached.session.userId, now) ? null : cached
}

export const clearSessionCache = (scope: Scope): void => scope.cookies.clear(cookie)
