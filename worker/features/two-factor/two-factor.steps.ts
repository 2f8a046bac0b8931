import type { Challenge, EndedAccess, SignInAttempt } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import type { Condition } from '../../platform/statements.ts'
import { beginChallenge, clearPending } from './pending.ts'
import { renewTrust } from './trusted-devices.ts'
import { asksAfter, twoFactorOptions } from './two-factor.config.ts'
import { deleteRecordsWhen } from './two-factor.store.ts'

/** Requires the second factor before a session is written, unless the device is trusted. The trust continues. */
export async function askSecondFactor(scope: Scope, attempt: SignInAttempt): Promise<Challenge | null> {
  if (!attempt.user.twoFactorEnabled) return null
  const enforceOn = attempt.requiresSecondFactor ? 'all' : twoFactorOptions.of(scope).enforceOn
  if (!asksAfter(attempt.proven, enforceOn)) return null
  if (attempt.requiresSecondFactor === 'each-time') return beginChallenge(scope, attempt)
  const isTrusted = await renewTrust(scope, attempt)
  return isTrusted ? null : beginChallenge(scope, attempt)
}

/** The pending sign-in of this browser has ended. */
export const settleSecondFactor = (scope: Scope): void => clearPending(scope)

/** Deletes the second factor of an unproven account, so that it does not lock out the user who proves the address. */
export const endSecondFactor = (scope: Scope, userId: string, when: Condition): EndedAccess => ({
  columns: { twoFactorEnabled: false },
  statements: [deleteRecordsWhen(scope.db, userId, when)],
})
