import { addPasswordHash, replacePasswordHash } from '../../identity/accounts/accounts.store.ts'
import { choosePassword, confirmPassword } from '../../identity/accounts/passwords.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { forgetSessionsOf, refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import { randomString } from '../../kit/random.ts'
import { emailPasswordErrors as errors } from './email-password.errors.ts'

/**
 * Changes the caller's password. With `revokeOtherSessions` all other sessions end and this one gets a new token.
 * @returns the new token, null when the session stays as it is
 * @throws see the contract
 */
export async function changePassword(
  scope: Scope,
  caller: Caller,
  change: { currentPassword: string; newPassword: string; revokeOtherSessions?: boolean | undefined },
): Promise<string | null> {
  const current = await confirmPassword(scope, caller.user, change.currentPassword)
  const next = await choosePassword(scope, change.newPassword)
  const to = change.revokeOtherSessions ? randomString(32) : null
  const replaced = await replacePasswordHash(scope.db, {
    userId: caller.user.id,
    current,
    next,
    now: scope.now(),
    ...(to ? { rotate: { from: caller.session.token, to } } : {}),
  })
  if (!replaced) throw core.INVALID_PASSWORD({ detail: 'the password has changed in the meantime' })
  if (!to) return null
  forgetSessionsOf(scope, caller.user.id)
  refreshSessionCookies(scope, { ...caller, session: { ...caller.session, token: to } }, caller.user)
  return to
}

/**
 * Gives a password to somebody who came by another way. Server-only: see worker/rpc.ts.
 * @throws USER_NOT_FOUND, USER_ALREADY_HAS_A_PASSWORD, or what is wrong with the password
 */
export async function setPassword(scope: Scope, userId: string, newPassword: string): Promise<void> {
  const user = await findUserById(scope.db, userId)
  if (!user) throw core.USER_NOT_FOUND()
  const hash = await choosePassword(scope, newPassword)
  if (!(await addPasswordHash(scope.db, user.id, hash, scope.now()))) throw errors.USER_ALREADY_HAS_A_PASSWORD()
}
