import type { Challenge, EndedAccess, IssuedSession, SignInAttempt } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { reasonOf } from '../../platform/log.ts'
import type { Condition } from '../../platform/statements.ts'
import { beginChallenge, clearPending } from './pending.ts'
import { isTrustedDevice, renewTrust } from './trusted-devices.ts'
import { asksAfter, twoFactorOptions } from './two-factor.config.ts'
import { deleteRecordsWhen } from './two-factor.store.ts'

/** Asks for the second factor before a session is written, unless the device is trusted. */
export async function askSecondFactor(scope: Scope, attempt: SignInAttempt): Promise<Challenge | null> {
  if (!attempt.user.twoFactorEnabled) return null
  if (!asksAfter(attempt.proven, twoFactorOptions.of(scope).enforceOn)) return null
  if (await isTrustedDevice(scope, attempt.user)) return null
  return beginChallenge(scope, attempt)
}

/** A sign-in that waited on this browser has ended one way or another, and a trusted device goes on being trusted. */
export async function settleSecondFactor(scope: Scope, { session, user, proven }: IssuedSession): Promise<void> {
  clearPending(scope)
  if (!user.twoFactorEnabled || !asksAfter(proven, twoFactorOptions.of(scope).enforceOn)) return
  try {
    await renewTrust(scope, user, session.token)
  } catch (thrown) {
    // The session is written. At worst the device has to give the second factor once more.
    scope.log('error', 'trust-not-renewed', { reason: reasonOf(thrown) })
  }
}

/** Whoever made the account without a proof of its address leaves no second factor in the way of who has one. */
export const endSecondFactor = (scope: Scope, userId: string, when: Condition): EndedAccess => ({
  columns: { twoFactorEnabled: false },
  statements: [deleteRecordsWhen(scope.db, userId, when)],
})

/** What the hosted screens are told. */
export function twoFactorFeatures(scope: Scope) {
  const { totpOptions, otpOptions, trustDeviceMaxAge } = twoFactorOptions.of(scope)
  return {
    features: { twoFactor: true },
    twoFactor: {
      totp: totpOptions.disable ? null : { digits: totpOptions.digits },
      otp: otpOptions.disable ? null : { digits: otpOptions.digits },
      trustDeviceMaxAge,
    },
    lifetimes: { secondFactorCode: otpOptions.period },
  }
}
