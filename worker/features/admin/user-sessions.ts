import type { Scope } from '../../identity/scope.ts'
import { ownerOfSession } from '../../identity/sessions/sessions.store.ts'
import {
  endSessionStatements,
  endSessionsStatements,
  forgetSession,
  forgetSessionsOf,
} from '../../identity/sessions/sessions.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import { act, requireSubject } from './act.ts'
import { adminErrors as errors } from './admin.errors.ts'
import type { Actor } from './audit/audit.ts'
import { mayActOn } from './standing.ts'

const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS

/** Ends one session, whosever it is. That there is none is no error. @throws see the contract */
export async function revokeUserSession(scope: Scope, actor: Actor, token: string): Promise<void> {
  const owner = await ownerOfSession(scope.db, token)
  if (owner === null) return
  const subject = await requireSubject(scope, actor, owner, refusal)
  await act(scope, actor, subject, {
    action: 'revoke-user-session',
    statements: endSessionStatements(scope, token),
  })
  forgetSession(scope, token)
}

/** Ends all sessions of somebody, and those in which they act as others. @throws see the contract */
export async function revokeUserSessions(scope: Scope, actor: Actor, userId: string): Promise<void> {
  const subject = await findUserById(scope.db, userId)
  if (!subject) return
  if (actor && !mayActOn(scope, actor.user, subject)) throw refusal()
  await act(scope, actor, subject, {
    action: 'revoke-user-sessions',
    statements: endSessionsStatements(scope, userId),
  })
  forgetSessionsOf(scope, userId)
}
