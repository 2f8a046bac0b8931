import { choosePassword } from '../../identity/accounts/passwords.ts'
import { resetForgottenPassword } from '../../identity/accounts/reset-password.ts'
import type { Scope } from '../../identity/scope.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import { onGuess } from '../../identity/verifications/guesses.ts'
import { speaksFor } from '../../identity/verifications/verifications.ts'
import { spendGuess } from './check-code.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'
import { readAddress } from './email-otp.ts'

/**
 * Sets a new password with a mailed code, and ends the user's sessions and all that is pending. The code is used only
 * when the password is acceptable, and no hash is computed before it was right.
 * @throws see the contract; in the strict profile a person who does not exist is a wrong code
 */
export async function resetPasswordByCode(
  scope: Scope,
  { email: address, otp, password }: { email: string; otp: string; password: string },
): Promise<void> {
  const email = readAddress(address)
  const finding = findUserByEmail(scope.db, email)
  const check = await spendGuess(scope, email, 'forget-password', finding)
  const user = await finding
  if (!user && scope.settings.profile !== 'strict') throw errors.USER_NOT_FOUND()
  const { data, use, guess } = await check(otp)
  if (!user || !speaksFor(data, user)) throw errors.INVALID_OTP()
  const done = await onGuess(guess, async () => {
    const hash = await choosePassword(scope, password)
    return resetForgottenPassword(scope, user, hash, { proof: 'mail', use })
  })
  if (!done) throw errors.INVALID_OTP()
  guess.rightly()
}
