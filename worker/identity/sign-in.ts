import { eq } from 'drizzle-orm'
import { demand, isUnmetDemand, runBatch, type Statement } from '../platform/statements.ts'
import type { Caller } from './caller.ts'
import { recordSessions } from './events/record.ts'
import type { Challenge, Proof, SignInAttempt, SignInMethod } from './lifecycle.ts'
import type { Scope } from './scope.ts'
import { rememberDevice } from './sessions/known-device.ts'
import { isForgetful, setSessionCookies, tellToken } from './sessions/session-cookies.ts'
import { insertSession, insertSessionStatement, sessionExists } from './sessions/sessions.store.ts'
import { type Session, sessions } from './sessions/sessions.table.ts'
import { endSessionStatements, forgetSession, newSession, newSessionToken } from './sessions/sessions.ts'
import { coreErrors } from './users/users.errors.ts'
import { updateUserStatement } from './users/users.store.ts'
import type { User } from './users/users.table.ts'

/** A person who has proven who they are. */
export interface ProvenPerson {
  /** As they will be once `alongside` is written. */
  user: User
  method: SignInMethod
  proven: Proof
  /** What the list of sessions shows, where it is more exact than the method: a provider's id, the first factor's method. */
  shownMethod?: string
  /** false: the session ends with the browser's. A rotation keeps what was. */
  rememberMe?: boolean
  /** The password hash that was verified, or that `alongside` writes, when a password was the proof. */
  passwordHash?: string
  /** Columns of the session that the feature sets; the token where `alongside` speaks of it (newSessionToken). */
  session?: Partial<Omit<Session, 'id' | 'userId'>>
  /** What the sign-in writes besides, before the session and in the same batch: all of it, or nothing at all. */
  alongside?: readonly Statement[]
  /** The caller whose session ends with this, and whose place the new one takes: a rotation of the token. */
  replaces?: Caller
}

export type SignInResult =
  | { kind: 'signed-in'; session: Session; user: User }
  | { kind: 'challenged'; challenge: Challenge }

/**
 * The only way from "this person is proven" to "a session exists", and the only one to a new token for a session.
 * Features may refuse or ask for more before anything is written; the statement that writes the session is the last
 * judge. When it refuses, or a statement of `alongside` violates a constraint, nothing is written.
 * @throws FAILED_TO_CREATE_SESSION when the user was banned, removed or given a new password in the meantime; what a
 *   UNIQUE violation or an unmet demand of `alongside` throws, as it is
 */
export async function completeSignIn(scope: Scope, person: ProvenPerson): Promise<SignInResult> {
  const { user, method, proven, replaces } = person
  const rememberMe = person.rememberMe ?? (replaces ? !isForgetful(scope) : true)
  const token = person.session?.token ?? newSessionToken()
  const attempt: SignInAttempt = { user, method, proven, rememberMe, token, alongside: [], written: [] }
  for (const step of scope.lifecycle.signingIn) {
    const challenge = await step(scope, attempt)
    if (!challenge) continue
    // What led here is used up and done all the same; it is not what the person is still asked for.
    scope.signedIn = true
    await runBatch(scope.db, person.alongside ?? [])
    return { kind: 'challenged', challenge }
  }
  const session = {
    ...newSession(scope, user, rememberMe, person.shownMethod ?? method),
    proven,
    ...(replaces ? carriedOver(scope, replaces.session) : {}),
    ...person.session,
    token,
  }
  await writeSession(scope, session, { ...person, alongside: [...(person.alongside ?? []), ...attempt.alongside] })
  if (replaces) forgetSession(scope, replaces.session.token)
  const inCookies = replaces?.via !== 'bearer'
  if (inCookies) {
    setSessionCookies(scope, session, user, rememberMe)
    rememberDevice(scope, user, proven)
  } else tellToken(scope, session.token)
  for (const act of attempt.written) act()
  if (proven !== 'session' && proven !== 'delegated') noteLanguage(scope, user)
  scope.signedIn = true
  const issued = {
    session,
    user,
    method,
    proven,
    rememberMe,
    replaced: replaces?.session ?? null,
    inCookies,
    previous: () => scope.caller(),
  }
  for (const react of scope.lifecycle.sessionIssued) await react(scope, issued)
  return { kind: 'signed-in', session, user }
}

/** Keeps the language of the person's browser, where it is another than the one that is kept. Nothing waits for it. */
function noteLanguage(scope: Scope, { id, language }: User): void {
  const { askedLanguage } = scope
  if (askedLanguage === null || askedLanguage === language) return
  scope.after(() => updateUserStatement(scope.db, id, { language: askedLanguage }).run())
}

/** What a session that takes another's place has from it: it is the same person's, at the same work. */
const carriedOver = (scope: Scope, session: Session): Partial<Session> => ({
  ...Object.fromEntries(scope.lifecycle.shownSessionFields.map((column) => [column, session[column]])),
  additionalFields: session.additionalFields,
  method: session.method,
  proven: session.proven,
})

/** The demand that the session was written. */
const refused = 'session'

async function writeSession(scope: Scope, session: Session, person: ProvenPerson): Promise<void> {
  const { user, passwordHash, alongside = [], replaces } = person
  const created = recordSessions(scope, 'session.created', eq(sessions.id, session.id))
  const guard = {
    securityVersion: user.securityVersion,
    passwordHash,
    replaced: replaces?.session.token,
  }
  if (alongside.length === 0 && !replaces && created.length === 0) {
    if (!(await insertSession(scope.db, session, guard))) throw coreErrors.FAILED_TO_CREATE_SESSION()
    return
  }
  try {
    await runBatch(scope.db, [
      ...alongside,
      insertSessionStatement(scope.db, session, guard),
      ...created,
      ...(replaces ? endSessionStatements(scope, replaces.session.token) : []),
      demand(scope.db, sessionExists(session.id), refused),
    ])
  } catch (thrown) {
    throw isUnmetDemand(thrown, refused) ? coreErrors.FAILED_TO_CREATE_SESSION() : thrown
  }
}
