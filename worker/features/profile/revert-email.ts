import { emailAndPasswordOptions } from '../../identity/accounts/accounts.config.ts'
import { deletePassword } from '../../identity/accounts/accounts.store.ts'
import { deleteChange } from '../../identity/accounts/address-changes.ts'
import { findRevert, spendRevert } from '../../identity/accounts/address-reverts.ts'
import { issueResetToken } from '../../identity/accounts/reset-password.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { sessionsOf } from '../../identity/sessions/sessions.store.ts'
import { endSessions, forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { announceUser } from '../../identity/users/announce.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { reasonOf } from '../../platform/log.ts'
import { profileErrors as errors } from './profile.errors.ts'
import { restoreAddress } from './profile.store.ts'

/**
 * Reverts a change of address with the link in the old mailbox, in one batch: the old address is verified again, and
 * the password, sessions and everything pending end.
 * @returns the token for a new password; null where passwords are off, or it could not be stored
 * @throws INVALID_TOKEN; EMAIL_TAKEN_BY_ANOTHER_ACCOUNT, which does not use the link up
 */
export async function revertEmailChange(scope: Scope, token: string): Promise<string | null> {
  const now = scope.now()
  const found = await findRevert(scope.db, token, now)
  if (!found) throw core.INVALID_TOKEN()
  const { revert, user } = found
  const { enabled: withPassword } = emailAndPasswordOptions.of(scope)
  const work = unitOfWork(scope, core.INVALID_TOKEN)
  const restored = work.run(restoreAddress(scope.db, user.id, revert.email, now))
  work.unique('users.email', errors.EMAIL_TAKEN_BY_ANOTHER_ACCOUNT)
  spendRevert(scope, work, revert)
  endSessions(scope, work, sessionsOf(user.id))
  if (withPassword) work.run(deletePassword(scope.db, user.id))
  work.run(deleteChange(scope.db, user.id))
  announceUser(scope, work, 'user.updated', user.id, () => restored.rows)
  securityEvent(scope, work, { type: 'email-change-reverted', user })
  await work.commit(() => forgetSessionsOf(scope, user.id))
  return withPassword ? resetTokenFor(scope, restored.row!) : null
}

async function resetTokenFor(scope: Scope, user: User): Promise<string | null> {
  try {
    return await issueResetToken(scope, user)
  } catch (thrown) {
    scope.log('error', 'reset-token-not-stored', { reason: reasonOf(thrown) })
    return null
  }
}
