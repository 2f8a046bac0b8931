import type { Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { emailOtpOptions } from './email-otp.config.ts'
import { mailCode } from './email-otp.ts'

export const publicEmailOtp = (scope: Scope) => ({
  features: { emailOtp: true },
  emailCode: { digits: emailOtpOptions.of(scope).otpLength },
  lifetimes: { emailCode: emailOtpOptions.of(scope).expiresIn },
})

/** Mails a verification code to who has just signed up. Placeholders of guests and phone numbers are not addresses. */
export async function mailCodeOnSignUp(scope: Scope, user: User): Promise<void> {
  if (!emailOtpOptions.of(scope).sendVerificationOnSignUp || user.emailVerified || user.emailIsPlaceholder) return
  await mailCode(scope, user.email, 'email-verification', user)
}
