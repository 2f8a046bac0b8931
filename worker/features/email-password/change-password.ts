import { addPasswordHash, replacePasswordStatements } from '../../identity/accounts/accounts.store.ts'
import { choosePassword, confirmPassword } from '../../identity/accounts/passwords.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { endSessionsStatements, forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { completeSignIn } from '../../identity/sign-in.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import { AppError } from '../../kit/errors.ts'
import { isUnmetDemand, runBatch } from '../../platform/statements.ts'
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
  const statements = replacePasswordStatements(scope.db, { userId: caller.user.id, current, next, now: scope.now() })
  if (!change.revokeOtherSessions) {
    await runBatch(scope.db, statements).catch(refuseChanged)
    return null
  }
  const result = await completeSignIn(scope, {
    user: { ...caller.user, securityVersion: caller.user.securityVersion + 1 },
    method: 'rotation',
    proven: 'session',
    replaces: caller,
    alongside: [...statements, ...endSessionsStatements(scope, caller.user.id, caller.session.token)],
  }).catch(refuseChanged)
  forgetSessionsOf(scope, caller.user.id)
  return result.kind === 'signed-in' ? result.session.token : null
}

/** The batch was ended because the password is no longer the one that was given, or the session is gone. */
function refuseChanged(thrown: unknown): never {
  const changed = isUnmetDemand(thrown) || (thrown instanceof AppError && thrown.code === 'FAILED_TO_CREATE_SESSION')
  throw changed ? core.INVALID_PASSWORD({ detail: 'the password or the session has changed in the meantime' }) : thrown
}

/**
 * Gives a password to somebody who came by another way. Server-only: see email-password.rpc.ts.
 * @throws USER_NOT_FOUND, USER_ALREADY_HAS_A_PASSWORD, or what is wrong with the password
 */
export async function setPassword(scope: Scope, userId: string, newPassword: string): Promise<void> {
  const user = await findUserById(scope.db, userId)
  if (!user) throw core.USER_NOT_FOUND()
  const hash = await choosePassword(scope, newPassword)
  if (!(await addPasswordHash(scope.db, user.id, hash, scope.now()))) throw errors.USER_ALREADY_HAS_A_PASSWORD()
}
