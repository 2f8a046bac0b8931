import type { Scope } from '../../identity/scope.ts'
import type { CodeRules } from '../../identity/verifications/one-time-codes.ts'
import { defineOptions } from '../../kit/options.ts'
import { hours, minutes } from '../../kit/time.ts'

export const emailOtpOptions = defineOptions('emailOTP', {
  enabled: true,
  /** Digits of a code. */
  otpLength: 6,
  expiresIn: minutes(5),
  /** Wrong guesses at one code. */
  allowedAttempts: 3,
  /** Guesses per address and type of code, at however many codes. A right one forgets those before it. */
  guesses: { max: 10, window: hours(1) },
  /** Nobody signs up by a code. */
  disableSignUp: false,
  /** A verification code is mailed to who signs up, beside the link of emailVerification.sendOnSignUp. */
  sendVerificationOnSignUp: false,
})

export function emailCodeRules(scope: Pick<Scope, 'options'>): CodeRules {
  const { otpLength: length, expiresIn, allowedAttempts, guesses } = emailOtpOptions.of(scope)
  return { length, expiresIn, allowedAttempts, guesses }
}
