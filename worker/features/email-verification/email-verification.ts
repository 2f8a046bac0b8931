import type { Caller, Scope } from '../../identity/scope.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { emailVerificationOptions } from '../../identity/settings.ts'
import { confirmAddress } from '../../identity/users/confirm-address.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { userChanged } from '../../identity/users/users.ts'
import { mailVerification } from '../../identity/verifications/email-mails.ts'
import { readVerificationToken } from '../../identity/verifications/email-token.ts'
import type { AppErrorKind } from '../../kit/errors.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { emailVerificationErrors as errors } from './email-verification.errors.ts'
import { moveAddress } from './email-verification.store.ts'

/**
 * Sends the verification mail again. Nothing is sent to an address that is verified.
 * @throws VERIFICATION_EMAIL_ISNT_ENABLED; USER_NOT_FOUND, but not in the strict profile, which tells nobody
 */
export async function resendVerification(scope: Scope, email: string, callbackURL?: string): Promise<void> {
  if (!emailVerificationOptions.of(scope).enabled) throw errors.VERIFICATION_EMAIL_ISNT_ENABLED()
  const user = await findUserByEmail(scope.db, email)
  if (!user) {
    if (scope.settings.profile === 'strict') return
    throw errors.USER_NOT_FOUND()
  }
  if (!user.emailVerified) await mailVerification(scope, user, callbackURL)
}

/** How a verification link ended. `user` is set after a change of address. */
export type Verified = { kind: 'verified'; user: User | null } | { kind: 'refused'; error: AppErrorKind }

const refused = (error: AppErrorKind): Verified => ({ kind: 'refused', error })

/** Follows a verification link: verifies the address, or changes it. */
export async function verifyEmail(scope: Scope, token: string, callbackURL?: string): Promise<Verified> {
  const claims = await readVerificationToken(scope, token)
  if (claims === 'expired') return refused(errors.TOKEN_EXPIRED)
  if (claims === 'invalid') return refused(errors.INVALID_TOKEN)
  if (claims.updateTo !== undefined) {
    const caller = await scope.caller()
    if (!caller || caller.user.id !== claims.userId || caller.user.email !== claims.email) {
      return refused(errors.UNAUTHORIZED)
    }
    if (caller.user.securityVersion !== claims.securityVersion) return refused(errors.INVALID_TOKEN)
    return changeAddress(scope, caller, claims.updateTo, callbackURL)
  }
  const user = await findUserByEmail(scope.db, claims.email)
  if (!user || user.id !== claims.userId) return refused(errors.TOKEN_USER_NOT_FOUND)
  if (user.securityVersion !== claims.securityVersion) return refused(errors.INVALID_TOKEN)
  if (user.emailVerified) return { kind: 'verified', user: null }
  await confirmAddress(scope, user, { by: 'link' })
  return { kind: 'verified', user: null }
}

async function changeAddress(scope: Scope, caller: Caller, email: string, callbackURL?: string): Promise<Verified> {
  let moved: User | null
  try {
    moved = await moveAddress(scope.db, caller.user, email, scope.now())
  } catch (thrown) {
    // Somebody else has taken the address since the mail was sent.
    if (isUniqueViolation(thrown)) return refused(errors.INVALID_TOKEN)
    throw thrown
  }
  if (!moved) return refused(errors.INVALID_TOKEN)
  refreshSessionCookies(scope, caller, moved)
  await mailVerification(scope, moved, callbackURL)
  await userChanged(scope, moved)
  return { kind: 'verified', user: moved }
}
