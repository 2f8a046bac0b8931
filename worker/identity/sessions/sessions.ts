import { eq, inArray } from 'drizzle-orm'
import { randomString } from '../../kit/random.ts'
import { after, ms } from '../../kit/time.ts'
import { defaultsOf, runBatch, type Statement } from '../../platform/statements.ts'
import { type Claim, isOwnSession } from '../caller.ts'
import { recordSessions } from '../events/record.ts'
import type { Caller, Scope } from '../scope.ts'
import { sessionOptions } from '../settings.ts'
import type { User } from '../users/users.table.ts'
import { rememberRevokedToken, rememberRevokedUser } from './revoked.ts'
import { clearSessionCookies, isForgetful, readSessionToken, setSessionCookies } from './session-cookies.ts'
import { defaultSessionFields } from './session-fields.ts'
import * as store from './sessions.store.ts'
import { type Session, sessions } from './sessions.table.ts'

/** The token of a session to come. */
export const newSessionToken = (): string => randomString(32)

/** A session that is not written yet. Only completeSignIn writes one. */
export function newSession(scope: Scope, user: User, rememberMe: boolean, method: string): Session {
  const { expiresIn, shortLived } = sessionOptions.of(scope)
  const now = scope.now()
  return {
    ...defaultsOf(sessions),
    id: randomString(32),
    userId: user.id,
    token: newSessionToken(),
    expiresAt: after(now, rememberMe ? expiresIn : Math.min(shortLived, expiresIn)),
    ipAddress: scope.request.ip ?? '',
    userAgent: scope.request.userAgent,
    createdAt: now,
    updatedAt: now,
    method,
    city: scope.request.place.city,
    country: scope.request.place.country,
    additionalFields: defaultSessionFields(scope, user),
  }
}

type Found = { session: Session; user: User }

/**
 * The claim of a session token whose signature is ours.
 * @param dead what to do when its session has ended
 */
export function claimByToken(scope: Scope, token: string, via: 'cookie' | 'bearer', dead = () => {}): Claim {
  const accept = (found: Found | undefined | null): Caller | null => {
    if (found && found.session.expiresAt > scope.now()) return { ...found, via }
    // An expired session is deleted; the answer does not wait for that.
    if (found) scope.after(() => store.deleteSessionsByToken(scope.db, [token]))
    dead()
    return null
  }
  return {
    get own() {
      return store.ownByToken(token, scope.now())
    },
    find: async () => accept(await store.findSession(scope.db, token)),
    get statements() {
      return [store.sessionByTokenStatement(scope.db, token)]
    },
    accept: ([rows]) => accept((rows as Found[])[0]),
  }
}

/** The session cookie. One whose session has ended is cleared. */
export function claimByCookie(scope: Scope): Claim | null {
  const token = readSessionToken(scope)
  return token ? claimByToken(scope, token, 'cookie', () => clearSessionCookies(scope)) : null
}

/**
 * Extends a session whose last extension is older than the update age, unless its owner does not want to be
 * remembered. The answer carries the new expiry and does not wait for it to be written.
 */
export function extendWhenDue(scope: Scope, caller: Caller): Session {
  const { session, user, via } = caller
  const { expiresIn, updateAge, disableSessionRefresh } = sessionOptions.of(scope)
  const now = scope.now()
  if (disableSessionRefresh || !isOwnSession(caller) || isForgetful(scope)) return session
  if (now.getTime() - session.updatedAt.getTime() < ms(updateAge)) return session
  const extended = { ...session, expiresAt: after(now, expiresIn), updatedAt: now }
  scope.after(() => store.extendSession(scope.db, session, now, extended.expiresAt).run())
  if (via === 'cookie') setSessionCookies(scope, extended, user, true)
  return extended
}

/** Whether the person signed in recently enough for what a stolen, long-lived session must not do. */
export function isFresh(scope: Scope, session: Session): boolean {
  const { freshAge } = sessionOptions.of(scope)
  return freshAge === 0 || scope.now().getTime() - session.createdAt.getTime() < ms(freshAge)
}

const whenCachesAreGone = (scope: Scope) => scope.now().getTime() + ms(sessionOptions.of(scope).cookieCache.maxAge)

/** For a session that has ended with a batch of other writes. */
export const forgetSession = (scope: Scope, token: string): void =>
  rememberRevokedToken(token, whenCachesAreGone(scope))

/** For a batch: ends a session. */
export const endSessionStatements = (scope: Scope, token: string): Statement[] => [
  ...recordSessions(scope, 'session.ended', eq(sessions.token, token)),
  store.deleteSessionStatement(scope.db, token),
]

/** For a batch: ends all sessions of a user, and those in which they act as others. @param except the token of one that stays */
export const endSessionsStatements = (scope: Scope, userId: string, except?: string): Statement[] => {
  const those = store.sessionsOf(userId, except)
  return [...recordSessions(scope, 'session.ended', those), store.deleteSessions(scope.db, those)]
}

/** For a batch: ends the sessions in which somebody acts as others. */
export const endImpersonationsBy = (scope: Scope, userId: string): Statement[] => {
  const those = eq(sessions.impersonatedBy, userId)
  return [...recordSessions(scope, 'session.ended', those), store.deleteSessions(scope.db, those)]
}

export async function endSession(scope: Scope, token: string): Promise<void> {
  await endSessions(scope, [token])
}

/** @returns the sessions that have ended */
async function endSessions(scope: Scope, tokens: readonly string[]): Promise<Session[]> {
  const recorded = recordSessions(scope, 'session.ended', inArray(sessions.token, [...tokens]))
  const ended = await store.deleteSessionsByToken(scope.db, tokens, recorded)
  for (const token of tokens) forgetSession(scope, token)
  return ended
}

/** Somebody signs out of this browser: their session ends, and those that features keep there beside it, in one batch. */
export async function signOutOf(scope: Scope, token: string): Promise<void> {
  const others = scope.lifecycle.signingOut.flatMap((step) => step(scope))
  const ended = await endSessions(scope, [...new Set([token, ...others])])
  clearSessionCookies(scope)
  for (const react of scope.lifecycle.signedOut) await react(scope, ended)
}

/** @param except the token of a session that stays */
export async function endSessionsOf(scope: Scope, userId: string, except?: string): Promise<void> {
  const results = await runBatch(scope.db, endSessionsStatements(scope, userId, except))
  for (const { token } of results.at(-1) as { token: string }[]) rememberRevokedToken(token, whenCachesAreGone(scope))
}

/** For sessions that ended with their user, or in a batch of other writes. */
export const forgetSessionsOf = (scope: Scope, userId: string): void =>
  rememberRevokedUser(userId, whenCachesAreGone(scope))

/**
 * Sends the caller's session cookies again, after the user or the session has changed. A bearer token stays as it is,
 * and an answer to one sets no cookie: it would replace the session of the browser that it may have come from.
 */
export function refreshSessionCookies(scope: Scope, { session, via }: Caller, user: User): void {
  if (via === 'cookie') setSessionCookies(scope, session, user, !isForgetful(scope))
}

/** Columns of the session have been changed: the caller and the cookies learn of it. */
export function showSession(scope: Scope, caller: Caller, changes: Partial<Session>): void {
  caller.session = { ...caller.session, ...changes }
  refreshSessionCookies(scope, caller, caller.user)
}
