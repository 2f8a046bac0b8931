import type { Challenge, SignInMethod } from './lifecycle.ts'
import type { Scope } from './scope.ts'
import { setSessionCookies } from './sessions/session-cookies.ts'
import { insertSession } from './sessions/sessions.store.ts'
import type { Session } from './sessions/sessions.table.ts'
import { newSession } from './sessions/sessions.ts'
import { coreErrors } from './users/users.errors.ts'
import type { User } from './users/users.table.ts'

/** A person who has proven who they are. */
export interface ProvenPerson {
  user: User
  method: SignInMethod
  /** false: the session ends with the browser's. */
  rememberMe?: boolean
  /** The password hash that was verified, when a password was the proof. */
  passwordHash?: string
  /** Columns of the session that the feature sets. */
  session?: Partial<Pick<Session, 'activeOrganizationId' | 'impersonatedBy' | 'expiresAt'>>
}

export type SignInResult =
  | { kind: 'signed-in'; session: Session; user: User }
  | { kind: 'challenged'; challenge: Challenge }

/**
 * The only way from "this person is proven" to "a session exists". Features may refuse or ask for more
 * before anything is written; the statement that writes the session is the last judge.
 * @throws FAILED_TO_CREATE_SESSION when the user was banned, removed or given a new password in the meantime
 */
export async function completeSignIn(scope: Scope, person: ProvenPerson): Promise<SignInResult> {
  const { user, method, rememberMe = true, passwordHash } = person
  for (const step of scope.lifecycle.signingIn) {
    const challenge = await step(scope, { user, method, rememberMe })
    if (challenge) return { kind: 'challenged', challenge }
  }
  const session = { ...newSession(scope, user.id, rememberMe), ...person.session }
  if (!(await insertSession(scope.db, session, { securityVersion: user.securityVersion, passwordHash }))) {
    throw coreErrors.FAILED_TO_CREATE_SESSION()
  }
  const signedToken = setSessionCookies(scope, session, user, rememberMe)
  const previous = () => scope.caller()
  for (const react of scope.lifecycle.sessionIssued) {
    await react(scope, { session, user, method, rememberMe, signedToken, previous })
  }
  return { kind: 'signed-in', session, user }
}
