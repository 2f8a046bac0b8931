import { getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { base64url, fromBase64url } from '../../kit/base64.ts'
import { equalSecrets, hmac } from '../../kit/hash.ts'
import { ms } from '../../kit/time.ts'
import { maxOutage } from '../../platform/circuit.ts'
import type { Ended } from '../model/ended-sessions.ts'
import { type Session, sessions } from '../model/sessions.table.ts'
import { type User, users } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { type PresentedUser, presentUser } from '../users/present-user.ts'
import { noteMissingKey, sessionDataKey, showsKey } from './device-key.ts'
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
    boundKey?: string
    [field: string]: unknown
  }
  user: { [field: string]: unknown }
}

const cookie = 'session_data'

const dataKeys = (scope: Scope) => scope.settings.secrets.map(sessionDataKey)

/** The text that is signed. */
const signedText = (text: string, expiresAt: number | string) => `${text.slice(0, -1)},"expiresAt":${expiresAt}}`

/** @param text the JSON of the data, with at least one field */
export function encodeSessionCache(key: string | Uint8Array, text: string, expiresAt: number): string {
  const signature = hmac(key, signedText(text, expiresAt))
  return base64url(`{"session":${text},"expiresAt":${expiresAt},"signature":"${signature}"}`)
}

const start = '{"session":'
const end = /,"expiresAt":(\d{1,16}),"signature":"([\w-]{43})"\}$/

/**
 * The JSON of an unexpired session data cookie with a signature of one of the keys; otherwise null. The text is verified
 * as it was written: parsing it and writing it again to verify it would cost more than the rest of a cached get-session.
 */
export function decodeSessionCache(keys: readonly (string | Uint8Array)[], cookie: string, now: number): string | null {
  const whole = fromBase64url(cookie)
  const [ending, expiresAt = '', signature = ''] = end.exec(whole.slice(-100)) ?? []
  if (!ending || !whole.startsWith(start) || Number(expiresAt) <= now) return null
  const text = whole.slice(start.length, -ending.length)
  const signed = signedText(text, expiresAt)
  return keys.some((key) => equalSecrets(hmac(key, signed), signature)) ? text : null
}

/** Writes the session data cookie from data that was just read or written. */
export function cacheSession(scope: Scope, session: Session, user: User, rememberMe: boolean): void {
  if (!sessionOptions.of(scope).cookieCache.enabled) return
  const data: PresentedData = { session: presentSession(scope, session), user: presentUser(scope, user) }
  cachePresented(scope, JSON.stringify(data), rememberMe)
}

/** The data of get-session. */
export interface PresentedData {
  session: PresentedSession
  user: PresentedUser
}

/**
 * The same from the JSON of PresentedData.
 * @param rememberMe false: the cookie, which contains the user's name and address, ends with the browser's session
 */
export function cachePresented(scope: Scope, text: string, rememberMe: boolean): void {
  const { enabled, maxAge } = sessionOptions.of(scope).cookieCache
  if (!enabled) return
  const expiresAt = scope.now().getTime() + maxAge * 1000
  // The next request of this browser probably needs the feed.
  refreshSoon(scope)
  const value = encodeSessionCache(sessionDataKey(scope.settings.secrets[0]), text, expiresAt)
  // The browser keeps an expired cookie for an outage.
  scope.response.cookies.set(cookie, value, rememberMe ? { maxAge: maxAge + maxOutage } : {})
}

/** Whether the cookie of the request is valid and says this. @param text the JSON of PresentedData */
export function isCached(scope: Scope, text: string): boolean {
  const value = scope.response.cookies.get(cookie)
  return value !== undefined && decodeSessionCache(dataKeys(scope), value, scope.now().getTime()) === text
}

/** A cached result and its JSON. */
export interface CachedRead {
  read: CachedSession
  text: string
}

/**
 * The cached session, if the cookie is valid, belongs to the session cookie of the request, and the feed of ended
 * sessions is known and does not contain it.
 */
export const readSessionCache = (scope: Scope, token: string): Promise<CachedRead | null> =>
  readAsOf(scope, token, scope.now().getTime())

/**
 * The same while the database does not answer: a cookie is also valid for `maxOutage` after its expiry, but not
 * after the end of its session.
 */
export async function readSessionCacheInOutage(scope: Scope, token: string): Promise<CachedRead | null> {
  if (!(await knowsEndedSessions(scope))) return null
  const earliest = scope.now().getTime() - ms(maxOutage)
  return readAsOf(scope, token, Math.max(earliest, scope.shared.ended.completeFrom))
}

/** @param at Unix time (ms) at which the cookie must have been valid */
async function readAsOf(scope: Scope, token: string, at: number): Promise<CachedRead | null> {
  if (!sessionOptions.of(scope).cookieCache.enabled) return null
  const value = scope.response.cookies.get(cookie)
  if (!value) return null
  const now = scope.now().getTime()
  const text = decodeSessionCache(dataKeys(scope), value, at)
  if (text === null) return null
  const cached = JSON.parse(text) as CachedSession
  if (cached.session?.token !== token) return null
  if (Date.parse(cached.session.expiresAt) <= now) return null
  if (Date.parse(cached.session.createdAt) + ms(sessionOptions.of(scope).maxLifetime) <= now) return null
  if (!(await knowsEndedSessions(scope))) return null
  const { id, userId, boundKey } = cached.session
  if (boundKey && !showsKey(scope, token, boundKey)) {
    noteMissingKey(scope, boundKey)
    return null
  }
  const names: Ended[] = ['all:', `token:${token}`, `user:${userId}`, `session:${id}`]
  // From before the session was bound.
  if (!boundKey) names.push(`bound:${id}`)
  return names.some((name) => scope.shared.ended.has(name, at)) ? null : { read: cached, text }
}

/** The id of the session of a token, from a session data cookie of any age with a valid signature. */
export function sessionIdOfCookie(scope: Scope, token: string): string | null {
  const value = scope.response.cookies.get(cookie)
  const text = value ? decodeSessionCache(dataKeys(scope), value, 0) : null
  const session = text === null ? null : (JSON.parse(text) as CachedSession).session
  return session?.token === token ? session.id : null
}

/** A result of get-session with dates as Date, from the cookie or not. */
export const withSessionDates = <R extends { session: object; user: object }>(read: R): R => ({
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

export const clearSessionCache = (scope: Scope): void => scope.response.cookies.clear(cookie)
