import type { Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { ownerOfSession, sessionsOf, withToken } from '../../identity/sessions/sessions.store.ts'
import { endSessions, forgetSession, forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { changeOf, requireSubject } from './change-user.ts'
import type { Actor } from './may-administer.ts'
import { mayActOn } from './may-administer.ts'

const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS

/** Ends one session of any user. An ended session is not an error. */
export async function revokeUserSession(scope: Scope, actor: Actor, token: string): Promise<void> {
  const owner = await ownerOfSession(scope.db, token)
  if (owner === null) return
  const subject = await requireSubject(scope, actor, owner, refusal)
  const work = changeOf(scope, actor, subject, { action: 'revoke-user-session' })
  endSessions(scope, work, withToken(token), { isPurpose: true })
  await work.commit()
  forgetSession(scope, token)
}

/** Ends all sessions of a user, and those in which they act as others. */
export async function revokeUserSessions(scope: Scope, actor: Actor, userId: string): Promise<void> {
  const subject = await findUserById(scope.db, userId)
  if (!subject) return
  if (actor && !mayActOn(scope, actor.user, subject)) throw refusal()
  const work = changeOf(scope, actor, subject, { action: 'revoke-user-sessions' })
  endSessions(scope, work, sessionsOf(userId), { isPurpose: true })
  const event = { type: 'sessions-ended', user: subject, actorId: actor?.user.id ?? null } as const
  securityEvent(scope, work, event)
  await work.commit(() => forgetSessionsOf(scope, userId))
}
