import { resetPasswordHash } from '../../identity/accounts/accounts.store.ts'
import { choosePassword } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import { forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import { speaksFor } from '../../identity/verifications/one-time-codes.ts'
import { spendGuess } from './check-code.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'
import { readAddress } from './email-otp.ts'

/**
 * Sets a new password with a mailed code, and ends the user's sessions and all that is pending. The code is used only
 * when the password will do.
 * @throws see the contract; in the strict profile a person who does not exist is a wrong code
 */
export async function resetPasswordByCode(
  scope: Scope,
  { email: address, otp, password }: { email: string; otp: string; password: string },
): Promise<void> {
  const email = readAddress(address)
  const [check, user] = await Promise.all([
    spendGuess(scope, email, 'forget-password'),
    findUserByEmail(scope.db, email),
  ])
  if (!user && scope.settings.profile !== 'strict') throw errors.USER_NOT_FOUND()
  const hash = await choosePassword(scope, password)
  const data = await check(otp)
  if (!user || !speaksFor(data, user)) throw errors.INVALID_OTP()
  if (!(await resetPasswordHash(scope.db, user.id, hash, scope.now(), user.securityVersion))) throw errors.INVALID_OTP()
  forgetSessionsOf(scope, user.id)
}
