import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { emailOtpOptions } from './email-otp.config.ts'
import { mailCode } from './email-otp.ts'

/**
 * Mails a verification code after a sign-up. Guests and users who only have a phone number have placeholder addresses.
 */
export async function mailCodeOnSignUp(scope: Scope, user: User): Promise<void> {
  if (!emailOtpOptions.of(scope).sendVerificationOnSignUp || user.emailVerified || user.emailIsPlaceholder) return
  await mailCode(scope, user.email, 'email-verification', user)
}
