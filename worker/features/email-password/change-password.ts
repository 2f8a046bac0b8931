import { insertPassword, replacePassword } from '../../identity/accounts/accounts.store.ts'
import { choosePassword, confirmPassword } from '../../identity/accounts/passwords.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { rememberDevice } from '../../identity/sessions/known-device.ts'
import { sessionsOf } from '../../identity/sessions/sessions.store.ts'
import { endSessions, forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { completeSignIn } from '../../identity/sign-in/sign-in.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import { AppError } from '../../kit/errors.ts'
import { emailPasswordErrors as errors } from './email-password.errors.ts'

/** Changes the caller's password. `revokeOtherSessions` ends the others. @returns this session's new token, or null */
export async function changePassword(
  scope: Scope,
  caller: Caller,
  change: { currentPassword: string; newPassword: string; revokeOtherSessions?: boolean | undefined },
): Promise<string | null> {
  const current = await confirmPassword(scope, caller.user, change.currentPassword)
  const next = await choosePassword(scope, change.newPassword)
  // The call has the password, which a thief of the session has not.
  scope.auditing.allowance = 'proven'
  const { session } = caller
  const work = unitOfWork(scope, changed)
  replacePassword(scope, work, { userId: caller.user.id, current, next })
  securityEvent(scope, work, { type: 'password-changed', user: caller.user, sessionId: session.id })
  const user = { ...caller.user, securityVersion: caller.user.securityVersion + 1 }
  // The change removes the marks of known browsers. This browser has just proven the password.
  const remember = () => caller.via === 'cookie' && rememberDevice(scope, user, 'password')
  if (!change.revokeOtherSessions) {
    await work.commit()
    remember()
    return null
  }
  endSessions(scope, work, sessionsOf(caller.user.id, session.token))
  const rotation = { user, method: 'rotation', proven: 'session', replaces: caller } as const
  const result = await completeSignIn(scope, work, rotation).catch((thrown) => {
    throw thrown instanceof AppError && thrown.code === core.FAILED_TO_CREATE_SESSION.code ? changed() : thrown
  })
  forgetSessionsOf(scope, caller.user.id)
  remember()
  return result.kind === 'signed-in' ? result.session.token : null
}

const changed = () => core.INVALID_PASSWORD({ detail: 'the password or the session has changed in the meantime' })

/** Sets a password for a user without one. @throws USER_NOT_FOUND, USER_ALREADY_HAS_A_PASSWORD */
export async function setFirstPassword(scope: Scope, userId: string, newPassword: string): Promise<void> {
  const user = await findUserById(scope.db, userId)
  if (!user) throw core.USER_NOT_FOUND()
  const hash = await choosePassword(scope, newPassword)
  const work = unitOfWork(scope)
  work.run(insertPassword(scope.db, user.id, hash, scope.now())).orFail(errors.USER_ALREADY_HAS_A_PASSWORD)
  securityEvent(scope, work, { type: 'password-set', user })
  await work.commit()
}
