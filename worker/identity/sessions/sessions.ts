import { eq, inArray, type SQL } from 'drizzle-orm'
import { randomString } from '../../kit/random.ts'
import { after, ms } from '../../kit/time.ts'
import { defaultsOf } from '../../platform/statements.ts'
import { type Claim, defineClaim, isOwnSession } from '../caller.ts'
import type { SessionMethod } from '../model/method.ts'
import { type Session, sessions } from '../model/sessions.table.ts'
import type { User } from '../model/users.table.ts'
import { isForbidden } from '../registry.ts'
import type { Caller, Scope } from '../scope.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { announceSessions } from '../users/announce.ts'
import type { Handle, Work } from '../work.ts'
import { admits, isCopied, isFirstProof, needsProofs, sendChallenge } from './device-key.ts'
import { knowsEndedSessions } from './ended-sessions.ts'
import { clearSessionCookies, isForgetful, readSessionToken, setSessionCookies } from './session-cookies.ts'
import { defaultSessionFields } from './session-fields.ts'
import { sessionOptions } from './sessions.config.ts'
import * as store from './sessions.store.ts'

/** Most requests need it for nothing. */
const dpop = () => import('./dpop.ts')

/** The token of a new session. */
export const newSessionToken = (): string => randomString(32)

/** The absolute end of a session, independent of extensions. */
const lastMoment = (scope: Pick<Scope, 'options'>, createdAt: Date): Date =>
  after(createdAt, sessionOptions.of(scope).maxLifetime)

/** Sessions that began before this time have exceeded their absolute lifetime. */
export const beganAtEarliest = (scope: Pick<Scope, 'options' | 'now'>): Date =>
  after(scope.now(), -sessionOptions.of(scope).maxLifetime)

/** The session with an expiry within its absolute lifetime, which counts from the sign-in. */
export function withinLifetime(scope: Pick<Scope, 'options'>, session: Session): Session {
  const end = lastMoment(scope, session.createdAt)
  return session.expiresAt > end ? { ...session, expiresAt: end } : session
}

/** A session before the insertion. Only completeSignIn inserts one. */
export function newSession(scope: Scope, user: User, rememberMe: boolean, method: SessionMethod): Session {
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
    authenticatedAt: now,
    amr: [],
    method,
    city: scope.request.place.city,
    country: scope.request.place.country,
    additionalFields: defaultSessionFields(scope, user),
  }
}

/** For the reads of a session: a row if a rule of an organization does not allow it. */
function forbiddenRead(scope: Scope, token: string) {
  const forbidden = isForbidden(scope, sessions)
  return (forbidden ? { forbidden: store.forbiddenSession(scope.db, token, forbidden) } : {}) as {
    forbidden: ReturnType<typeof store.forbiddenSession>
  }
}

/**
 * The claim of a session token with a valid signature.
 * @param onDead called if the session has ended
 * @param needsKey false: also without the key of a device-bound session, only to renew its proof
 */
export function claimByToken(
  scope: Scope,
  token: string,
  via: 'cookie' | 'bearer',
  { onDead = () => {}, needsKey = true }: { onDead?: () => void; needsKey?: boolean } = {},
): Claim {
  return defineClaim({
    get own() {
      return store.ownByToken(token, scope.now(), beganAtEarliest(scope))
    },
    reads: { sessions: store.sessionByToken(scope.db, token), ...forbiddenRead(scope, token) },
    async accept({ sessions: [read], forbidden = [] }) {
      let found: typeof read | undefined = read
      // A replica may return a session that has ended or become device-bound, which only the feed knows.
      if (
        found &&
        scope.io.readsReplica &&
        (!(await knowsEndedSessions(scope)) || isBoundSince(scope, found.session))
      ) {
        scope.io.readPrimary()
        found = (await store.sessionByToken(scope.db, token))[0]
      }
      // A rule of an organization does not allow the session, whatever led to it.
      if (found && forbidden.length > 0) {
        scope.after(() => endSession(scope, token))
        onDead()
        return null
      }
      const isLive = found && withinLifetime(scope, found.session).expiresAt > scope.now()
      if (found && isLive && !scope.shared.ended.has(`session:${found.session.id}`, scope.now().getTime())) {
        if (needsProofs(found.session)) return acceptProved(scope, { ...found, via })
        if (!needsKey) return { ...found, via }
        if (admits(scope, found.session)) return proved(scope, { ...found, via })
        if (via === 'cookie' && isCopied(scope, found.session)) {
          for (const react of scope.lifecycle.keyChecked) react(scope, found, 'copied')
          onDead()
        }
        return null
      }
      // An expired session is deleted after the response.
      if (found) scope.after(() => store.deleteSession(scope.db, token), 'nothing')
      onDead()
      return null
    },
  })
}

/** The session of a program, whose token is worth nothing in a cookie, and nothing without a proof of its key. */
async function acceptProved(scope: Scope, caller: Caller): Promise<Caller | null> {
  if (caller.via === 'bearer') await (await dpop()).proveToken(scope, caller.session)
  return admits(scope, caller.session) && caller.via === 'bearer' ? caller : null
}

/** Whether a row is from before the session became device-bound. */
const isBoundSince = (scope: Scope, { id, deviceKey }: Session): boolean =>
  !deviceKey?.since && scope.shared.ended.has(`bound:${id}`, scope.now().getTime())

/** The caller whose first proof of a registered key makes the session device-bound. */
function proved(scope: Scope, caller: Caller): Caller {
  const { session } = caller
  if (!isFirstProof(scope, session)) return caller
  const deviceKey = { ...session.deviceKey!, since: scope.now().getTime() }
  // The first refresh needs no round trip for its challenge (section 9.2.1 forbids it in the answer to a registration).
  sendChallenge(scope, deviceKey.id)
  const bound = { ...caller, session: { ...session, deviceKey } }
  for (const react of scope.lifecycle.keyChecked) react(scope, bound, 'proved')
  return bound
}

/** The session cookie. A cookie of an ended session is cleared. */
export function claimByCookie(scope: Scope): Claim | null {
  const token = readSessionToken(scope)
  return token ? claimByToken(scope, token, 'cookie', { onDead: () => clearSessionCookies(scope) }) : null
}

/**
 * Extends a session whose last extension is older than the update age, unless its owner has chosen not to be
 * remembered. The response contains the new expiry and does not wait for the write.
 */
export function extendWhenDue(scope: Scope, caller: Caller): Session {
  const { session, user, via } = caller
  const { expiresIn, updateAge, disableSessionRefresh } = sessionOptions.of(scope)
  const now = scope.now()
  if (disableSessionRefresh || !isOwnSession(caller) || isForgetful(scope)) return session
  if (now.getTime() - session.updatedAt.getTime() < ms(updateAge)) return session
  const extended = withinLifetime(scope, { ...session, expiresAt: after(now, expiresIn), updatedAt: now })
  scope.after(() => store.extendSession(scope.db, session, now, extended.expiresAt).run(), 'nothing')
  if (via === 'cookie') setSessionCookies(scope, extended, user, true)
  return extended
}

/**
 * Whether the last authentication is recent enough for sensitive operations: the sign-in or a step-up is younger than
 * `session.freshAge`.
 */
export function isFresh(scope: Scope, session: Session): boolean {
  const { freshAge } = sessionOptions.of(scope)
  return freshAge === 0 || scope.now().getTime() - session.authenticatedAt.getTime() < ms(freshAge)
}

const whenCachesAreGone = (scope: Scope) => scope.now().getTime() + ms(sessionOptions.of(scope).cookieCache.maxAge)

/** Makes this isolate reject the token in a cookie cache. Other isolates know an ended session from the feed. */
export const forgetSession = (scope: Scope, token: string): void =>
  scope.shared.ended.note(`token:${token}`, whenCachesAreGone(scope))

/**
 * Ends sessions. After the commit this isolate rejects their tokens in a cookie cache, other isolates within seconds
 * (ended-sessions.ts).
 * @param which a condition on the sessions' table
 * @returns the sessions that ended
 */
export function endSessions(
  scope: Scope,
  work: Work,
  which: SQL,
  { isPurpose = false }: { isPurpose?: boolean } = {},
): Handle<Session> {
  announceSessions(scope, work, 'session.ended', which, () => ended.rows)
  const ended = work.run(scope.db.delete(sessions).where(which).returning(), {
    ...(isPurpose && { unlessAlready: store.noSession(which) }),
    afterCommit(rows) {
      for (const { token } of rows) forgetSession(scope, token)
    },
  })
  return ended
}

/**
 * After the response to a sign-in: ends the oldest sessions of a user beyond `session.maxPerUser`. The number of the new
 * session is at least that of the user's sessions, so that most sign-ins need no count. What fails here, the next sign-in
 * does.
 * @param session the new one
 */
export function endSurplusSessions(scope: Scope, session: Session): void {
  const { userId, number } = session
  const { maxPerUser } = sessionOptions.of(scope)
  if (number !== null && number <= maxPerUser) return
  scope.after(async () => {
    const surplus = await store.surplusOf(scope.db, userId, maxPerUser)
    const work = unitOfWork(scope)
    if (surplus.length > 0)
      endSessions(
        scope,
        work,
        inArray(
          sessions.id,
          surplus.map(({ id }) => id),
        ),
      )
    const isKnown = surplus.length > 0 && surplus.length < store.maxSurplus
    work.run(store.numberSession(scope.db, session, isKnown ? maxPerUser : undefined))
    await work.commit()
  })
}

export async function endSession(scope: Scope, token: string): Promise<void> {
  const work = unitOfWork(scope)
  endSessions(scope, work, eq(sessions.token, token))
  await work.commit()
  forgetSession(scope, token)
}

/** For all sessions of a user that ended. */
export const forgetSessionsOf = (scope: Scope, userId: string): void =>
  scope.shared.ended.note(`user:${userId}`, whenCachesAreGone(scope))

/**
 * Sends the caller's session cookies again after a change of the user or the session. A bearer token remains unchanged,
 * and a response to one sets no cookie, because it would replace the session of the browser.
 */
export function refreshSessionCookies(scope: Scope, { session, via }: Caller, user: User): void {
  if (via === 'cookie') setSessionCookies(scope, session, user, !isForgetful(scope))
}

/** Updates the caller and the cookies after a change of session columns. */
export function showSession(scope: Scope, caller: Caller, changes: Partial<Session>): void {
  caller.session = { ...caller.session, ...changes }
  refreshSessionCookies(scope, caller, caller.user)
}
