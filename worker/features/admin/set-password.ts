import { setPassword } from '../../identity/accounts/accounts.store.ts'
import { choosePassword } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { adminErrors as errors } from './admin.errors.ts'
import { changeOf, requireSubject } from './change-user.ts'
import type { Actor } from './may-administer.ts'

/** Sets a user's password, with or without an earlier one, and ends their sessions, links and codes. */
export async function setUserPassword(scope: Scope, actor: Actor, userId: string, newPassword: string): Promise<void> {
  const subject = await requireSubject(scope, actor, userId, errors.YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD)
  const hash = await choosePassword(scope, newPassword)
  const work = changeOf(scope, actor, subject, { action: 'set-user-password' })
  setPassword(scope, work, subject, hash)
  securityEvent(scope, work, { type: 'password-reset', user: subject, actorId: actor?.user.id ?? null })
  await work.commit(() => forgetSessionsOf(scope, userId))
}
