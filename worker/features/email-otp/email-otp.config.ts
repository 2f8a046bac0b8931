import type { Scope } from '../../identity/scope.ts'
import type { CodeRules } from '../../identity/verifications/one-time-codes.ts'
import { defineOptions, flag, limitOf, positive, section } from '../../kit/options.ts'
import { hours, minutes } from '../../kit/time.ts'

export const emailOtpOptions = defineOptions('emailOTP', () =>
  section({
    enabled: flag(true),
    /** Digits of a code. */
    otpLength: positive.default(6),
    /** Lifetime of a code. */
    expiresIn: positive.default(minutes(5)),
    /** Wrong guesses at one code. */
    allowedAttempts: positive.default(3),
    /** Guesses per address and type of code, for all codes together. A correct guess resets the count. */
    guesses: limitOf(10, hours(1)),
    /** Codes sign in existing users only. */
    disableSignUp: flag(false),
    /** A sign-up mails a verification code, in addition to the link of emailVerification.sendOnSignUp. */
    sendVerificationOnSignUp: flag(false),
  }),
)

export function emailCodeRules(scope: Pick<Scope, 'options'>): CodeRules {
  const { otpLength: length, expiresIn, allowedAttempts, guesses } = emailOtpOptions.of(scope)
  return { length, expiresIn, allowedAttempts, guesses }
}
