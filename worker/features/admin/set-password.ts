import { resetPasswordStatements } from '../../identity/accounts/accounts.store.ts'
import { choosePassword } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import { forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { act, requireSubject } from './act.ts'
import { adminErrors as errors } from './admin.errors.ts'
import type { Actor } from './audit/audit.ts'

/**
 * Sets somebody's password, whether or not they had one, and ends their sessions and all that is pending.
 * @throws see the contract
 */
export async function setUserPassword(scope: Scope, actor: Actor, userId: string, newPassword: string): Promise<void> {
  const subject = await requireSubject(scope, actor, userId, errors.YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD)
  const hash = await choosePassword(scope, newPassword)
  await act(scope, actor, subject, {
    action: 'set-user-password',
    statements: resetPasswordStatements(scope, subject, hash),
  })
  forgetSessionsOf(scope, userId)
  for (const react of scope.lifecycle.passwordReset) await react(scope, subject)
}
