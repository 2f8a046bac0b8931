import type { Challenge, EndedAccess, SignInAttempt } from '../../identity/lifecycle.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import type { Condition } from '../../platform/statements.ts'
import { beginChallenge, clearPending } from './pending.ts'
import { renewTrust } from './trusted-devices.ts'
import { asksAfter, twoFactorOptions } from './two-factor.config.ts'
import { deleteRecordsWhen } from './two-factor.store.ts'

/**
 * Requires the second factor before a session is written, unless the device is trusted. The trust continues. A sign-in
 * from an unknown place requires a factor on trusted devices, too, and of users without one a code in their mailbox.
 */
export async function askSecondFactor(scope: Scope, attempt: SignInAttempt): Promise<Challenge | null> {
  const { user, risk, proven } = attempt
  const isEnrolled = user.twoFactorEnabled || attempt.passkeyIsSecondFactor
  const begin = () => beginChallenge(scope, attempt, mayGetCode(scope, user))
  // After the second factor, `risk` is the decision that required it.
  if (proven === 'password' && risk?.level === 'challenge' && (isEnrolled || mayGetCode(scope, user))) return begin()
  if (!isEnrolled) return null
  const enforceOn = attempt.requiresSecondFactor ? 'all' : twoFactorOptions.of(scope).enforceOn
  if (!asksAfter(proven, enforceOn)) return null
  if (attempt.requiresSecondFactor === 'each-time') return begin()
  const isTrusted = await renewTrust(scope, attempt)
  return isTrusted ? null : begin()
}

/** A code to an address that the user has not proven would lock the user out, or help another reader. */
const mayGetCode = (scope: Scope, { emailVerified, emailIsPlaceholder }: User): boolean =>
  emailVerified && !emailIsPlaceholder && !twoFactorOptions.of(scope).otpOptions.disable

/** The pending sign-in of this browser has ended. */
export const settleSecondFactor = (scope: Scope): void => clearPending(scope)

/** Deletes the second factor of an unproven account, so that it does not lock out the user who proves the address. */
export const endSecondFactor = (scope: Scope, userId: string, when: Condition): EndedAccess => ({
  columns: { twoFactorEnabled: false },
  statements: [deleteRecordsWhen(scope.db, userId, when)],
})
