import { eq } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import type { Challenge, Proof, SessionMethod, SignInAttempt, SignInMethod } from '../lifecycle.ts'
import type { RiskDecision } from '../model/risk.ts'
import { type Session, sessions } from '../model/sessions.table.ts'
import type { User } from '../model/users.table.ts'
import { sessionFieldsWhenSet, shownSessionFields } from '../registry.ts'
import type { Scope } from '../scope.ts'
import { recordChallenge, recordSignIn } from '../security/sign-in-events.ts'
import { type AmrValue, amrOf } from '../sessions/amr.ts'
import { needsProofs, setKeyCookies } from '../sessions/device-key.ts'
import { rememberDevice } from '../sessions/known-device.ts'
import { isForgetful, sendToken, setSessionCookies } from '../sessions/session-cookies.ts'
import { insertSessionStatement, sessionExists } from '../sessions/sessions.store.ts'
import { endSessions, endSurplusSessions, newSession, newSessionToken, withinLifetime } from '../sessions/sessions.ts'
import { announceSessions } from '../users/announce.ts'
import { isGuest } from '../users/guests.ts'
import { coreErrors } from '../users/users.errors.ts'
import { updateUserStatement } from '../users/users.store.ts'
import type { Work } from '../work.ts'
import { signInOutcome } from './outcome.ts'

/** An authenticated user. */
export interface ProvenUser {
  /** The row after the commit. */
  user: User
  method: SignInMethod
  proven: Proof
  /**
   * The value for the list of sessions, if it is more exact than the method: the id of a provider or connection, or the
   * method of the first factor.
   */
  shownMethod?: SessionMethod
  /** Of a passkey. */
  credentialId?: string
  /** The kind of a passkey. For other methods the method determines it (sessions/amr.ts). */
  amr?: AmrValue[]
  /** false: the session ends with the browser's session. A rotation keeps the value. */
  rememberMe?: boolean
  /** The password hash that was verified or that the unit of work writes, if a password was the proof. */
  passwordHash?: string
  /** Columns of the session that the feature sets; the token if the unit of work refers to it (newSessionToken). */
  session?: Partial<Omit<Session, 'id' | 'userId'>>
  /** See SignInAttempt. */
  password?: string
  /** The assessment of the first factor, after the second. */
  risk?: RiskDecision | undefined
  /** The caller whose session the new one replaces: a rotation of the token. */
  replaces?: Caller
}

export type SignInResult =
  | { kind: 'signed-in'; session: Session; user: User }
  | { kind: 'challenged'; challenge: Challenge }

/**
 * The only way from "this user is authenticated" to "a session exists", and the only one to a new token for a session.
 * Adds the session to the unit of work and commits it. Features may reject or request more before the write; the INSERT
 * of the session is the final check.
 * @throws FAILED_TO_CREATE_SESSION if the user was banned, removed or given a new password since the read; the errors
 *   of the unit of work
 */
export async function completeSignIn(scope: Scope, work: Work, person: ProvenUser): Promise<SignInResult> {
  const { user, method, proven, replaces } = person
  const rememberMe = person.rememberMe ?? (replaces ? !isForgetful(scope) : true)
  const token = person.session?.token ?? newSessionToken()
  // A rotation keeps the method of the session that it replaces; a sign-in at a provider or connection names it.
  const shownMethod = person.shownMethod ?? (method as SessionMethod)
  // Of an impersonation, the administrator is the actor; a rotation is a part of another change.
  if (proven !== 'delegated' && !replaces) scope.auditing.allowance = 'sign-in'
  if (scope.auditing.actor.type === 'visitor')
    scope.auditing.actor = { type: 'user', id: user.id, isGuest: isGuest(user) }
  const upstream = person.session?.upstream ?? null
  const { password, risk } = person
  const attempt: SignInAttempt = {
    ...{ user, method, shownMethod, proven, rememberMe, token, upstream, writes: [] },
    ...{ password, risk },
  }
  for (const step of scope.lifecycle.signingIn) {
    const challenge = await step(scope, attempt)
    if (!challenge) continue
    // Uses the first factor. The second one is still missing.
    signInOutcome(scope).isSignedIn = true
    recordChallenge(scope, work, attempt, challenge)
    await work.commit()
    return { kind: 'challenged', challenge }
  }
  const session = withinLifetime(scope, {
    ...newSession(scope, user, rememberMe, shownMethod),
    proven,
    amr: person.amr ?? amrOf(method, shownMethod, proven),
    // An administrator who impersonates the user has not authenticated as the user.
    ...(proven === 'delegated' ? { authenticatedAt: new Date(0) } : {}),
    deviceKey: attempt.deviceKey ?? null,
    ...(replaces ? carriedOver(scope, replaces.session) : {}),
    ...person.session,
    token,
  })
  for (const write of attempt.writes) write(work)
  addSession(scope, work, session, person, attempt.risk)
  await work.commit(() => present(scope, session, person, rememberMe))
  return { kind: 'signed-in', session, user }
}

/** Sets the cookies of a new session and runs the steps that react to it. */
async function present(scope: Scope, session: Session, person: ProvenUser, rememberMe: boolean): Promise<void> {
  const { user, method, proven, replaces } = person
  const inCookies = replaces?.via !== 'bearer' && !needsProofs(session)
  if (replaces?.via === 'bearer') sendToken(scope, session.token)
  else setSessionCookies(scope, session, user, rememberMe)
  if (inCookies) {
    if (session.deviceKey) setKeyCookies(scope, session, session.deviceKey.id, rememberMe)
    rememberDevice(scope, user, proven)
  }
  if (proven !== 'session' && proven !== 'delegated') noteLanguage(scope, user)
  signInOutcome(scope).isSignedIn = true
  const issued = {
    session,
    user,
    method,
    proven,
    rememberMe,
    replaced: replaces?.session ?? null,
    credentialId: person.credentialId ?? null,
    inCookies,
    previous: () => scope.caller(),
  }
  for (const react of scope.lifecycle.sessionIssued) await react(scope, issued)
}

/** Stores the language of the user's browser, after the response. */
function noteLanguage(scope: Scope, { id, language }: User): void {
  const { language: askedLanguage } = scope.request
  if (askedLanguage === null || askedLanguage === language) return
  scope.after(() => updateUserStatement(scope.db, id, { language: askedLanguage }).run())
}

/** The columns that a rotated session keeps. */
const carriedOver = (scope: Scope, session: Session): Partial<Session> => ({
  ...Object.fromEntries(
    [...shownSessionFields(scope), ...sessionFieldsWhenSet(scope)].map((column) => [column, session[column]]),
  ),
  additionalFields: session.additionalFields,
  method: session.method,
  proven: session.proven,
  createdAt: session.createdAt,
  authenticatedAt: session.authenticatedAt,
  amr: session.amr,
  upstream: session.upstream,
  deviceKey: session.deviceKey,
})

function addSession(scope: Scope, work: Work, session: Session, person: ProvenUser, risk?: RiskDecision): void {
  const { user, passwordHash, replaces } = person
  const guard = { securityVersion: user.securityVersion, passwordHash, replaced: replaces?.session.token }
  const starts = replaces ? [] : scope.lifecycle.registry('startsSession')
  const computed = Object.assign({}, ...starts.map((columnsOf) => columnsOf(scope, user)))
  work.run(insertSessionStatement(scope.db, session, guard, computed), {
    afterCommit([inserted]) {
      Object.assign(session, inserted)
      if (!replaces) endSurplusSessions(scope, session)
    },
  })
  announceSessions(scope, work, 'session.created', eq(sessions.id, session.id), session)
  if (replaces) endSessions(scope, work, eq(sessions.token, replaces.session.token))
  else recordSignIn(scope, work, session, person, risk)
  work.require(sessionExists(session.id), coreErrors.FAILED_TO_CREATE_SESSION)
}
