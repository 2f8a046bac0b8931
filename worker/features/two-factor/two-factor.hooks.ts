import type { Challenge, EndedAccess, SignInAttempt } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import type { Condition } from '../../platform/statements.ts'
import { beginChallenge, clearPending } from './pending.ts'
import { renewTrust } from './trusted-devices.ts'
import { asksAfter, twoFactorOptions } from './two-factor.config.ts'
import { deleteRecordsWhen } from './two-factor.store.ts'

/** Asks for the second factor before a session is written, unless the device is trusted, which it goes on being. */
export async function askSecondFactor(scope: Scope, attempt: SignInAttempt): Promise<Challenge | null> {
  if (!attempt.user.twoFactorEnabled) return null
  if (!asksAfter(attempt.proven, twoFactorOptions.of(scope).enforceOn)) return null
  const trust = await renewTrust(scope, attempt.user, attempt.token)
  if (!trust) return beginChallenge(scope, attempt)
  attempt.alongside.push(...trust.statements)
  attempt.written.push(trust.written)
  return null
}

/** A sign-in that waited on this browser has ended one way or another. */
export const settleSecondFactor = (scope: Scope): void => clearPending(scope)

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
