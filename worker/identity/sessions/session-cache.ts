import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { base64url, fromBase64url } from '../../kit/base64.ts'
import { deriveKey, equalSecrets, hmac } from '../../kit/hash.ts'
import { ms } from '../../kit/time.ts'
import { maxOutage } from '../../platform/circuit.ts'
import { type Session, sessions } from '../model/sessions.table.ts'
import { type User, users } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { type PresentedUser, presentUser } from '../users/present-user.ts'
import { knowsEndedSessions, refreshSoon } from './ended-sessions.ts'
import { type PresentedSession, presentSession } from './present-session.ts'
import { sessionOptions } from './sessions.config.ts'

/**
 * The session data cookie: the result of get-session for a few minutes, without I/O. Its form is fixed by the protocol:
 * base64url of `{ session: { session, user }, expiresAt, signature }`, where the signature is an HMAC over `{ session,
 * user, expiresAt }`.
 */

/** The result of get-session, with dates as ISO text. */
export interface CachedSession {
  session: {
    id: string
    token: string
    userId: string
    expiresAt: string
    createdAt: string
    updatedAt: string
    [field: string]: unknown
  }
  user: { [field: string]: unknown }
}

const cookie = 'session_data'

const cacheKey = (secret: string) => deriveKey(secret, 'session-cache')

/** @param data with at least one field. It is serialized once, because that is the main cost. */
export function encodeSessionCache(key: string | Uint8Array, data: object, expiresAt: number): string {
  const text = JSON.stringify(data)
  const signature = hmac(key, `${text.slice(0, -1)},"expiresAt":${expiresAt}}`)
  return base64url(`{"session":${text},"expiresAt":${expiresAt},"signature":"${signature}"}`)
}

/** The data of an unexpired session data cookie with a signature of one of the keys; otherwise null. */
export function decodeSessionCache(
  keys: readonly (string | Uint8Array)[],
  text: string,
  now: number,
): CachedSession | null {
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
  if (!keys.some((key) => equalSecrets(hmac(key, signed), signature))) return null
  return data as CachedSession
}

/** Writes the session data cookie from data that was just read or written. */
export function cacheSession(scope: Scope, session: Session, user: User): void {
  if (!sessionOptions.of(scope).cookieCache.enabled) return
  cachePresented(scope, { session: presentSession(scope, session), user: presentUser(scope, user) })
}

/** The same from presented data. */
export function cachePresented(scope: Scope, data: { session: PresentedSession; user: PresentedUser }): void {
  const { enabled, maxAge } = sessionOptions.of(scope).cookieCache
  if (!enabled) return
  const expiresAt = scope.now().getTime() + maxAge * 1000
  // The next request of this browser probably needs the feed.
  refreshSoon(scope)
  const text = encodeSessionCache(cacheKey(scope.settings.secrets[0]), data, expiresAt)
  // The browser keeps an expired cookie for an outage.
  scope.cookies.set(cookie, text, { maxAge: maxAge + maxOutage })
}

/**
 * The cached session, if the cookie is valid, belongs to the session cookie of the request, and the feed of ended
 * sessions is known and does not contain it.
 */
export const readSessionCache = (scope: Scope, token: string): Promise<CachedSession | null> =>
  readAsOf(scope, token, scope.now().getTime())

/**
 * The same while the database does not answer: a cookie is also valid for `maxOutage` after its expiry, but not
 * after the end of its session.
 */
export async function readSessionCacheInOutage(scope: Scope, token: string): Promise<CachedSession | null> {
  if (!(await knowsEndedSessions(scope))) return null
  const earliest = scope.now().getTime() - ms(maxOutage)
  return readAsOf(scope, token, Math.max(earliest, scope.ended.completeFrom))
}

/** @param at Unix time (ms) at which the cookie must have been valid */
async function readAsOf(scope: Scope, token: string, at: number): Promise<CachedSession | null> {
  if (!sessionOptions.of(scope).cookieCache.enabled) return null
  const text = scope.cookies.get(cookie)
  if (!text) return null
  const now = scope.now().getTime()
  const cached = decodeSessionCache(scope.settings.secrets.map(cacheKey), text, at)
  if (!cached || cached.session?.token !== token) return null
  if (Date.parse(cached.session.expiresAt) <= now) return null
  if (Date.parse(cached.session.createdAt) + ms(sessionOptions.of(scope).maxLifetime) <= now) return null
  if (!(await knowsEndedSessions(scope))) return null
  const { id, userId } = cached.session
  const names = [`token:${token}`, `user:${userId}`, `session:${id}`] as const
  return names.some((name) => scope.ended.has(name, at)) ? null : cached
}

/** A result of get-session with dates as Date, from the cookie or not. */
export const withDates = <R extends { session: object; user: object }>(read: R): R => ({
  ...read,
  session: dated(sessions, read.session),
  user: dated(users, read.user),
})

function dated(table: SQLiteTable, row: object): object {
  const columns = getTableColumns(table) as Record<string, { dataType: string }>
  const read = ([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' && columns[name]?.dataType === 'date' ? new Date(value) : value,
  ]
  return Object.fromEntries(Object.entries(row).map(read))
}

export const clearSessionCache = (scope: Scope): void => scope.cookies.clear(cookie)
