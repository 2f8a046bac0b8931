import { choosePassword } from '../../identity/accounts/passwords.ts'
import { resetForgottenPassword } from '../../identity/accounts/reset-password.ts'
import type { Scope } from '../../identity/scope.ts'
import { onGuess } from '../../identity/verifications/guesses.ts'
import { speaksFor } from '../../identity/verifications/verifications.ts'
import { codeRefusal, spendGuess } from './check-code.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'
import { findUserByPhone } from './phone-number.store.ts'
import { resetKind } from './send-code.ts'

/**
 * Sets a new password with the code of a text message, and ends the user's sessions and all that is pending. The code
 * is used only when the password is acceptable, and no hash is computed before it was right. For
 * a number that nobody has, any code is wrong.
 * @throws see the contract
 */
export async function resetPasswordByPhone(
  scope: Scope,
  { phoneNumber, otp, newPassword }: { phoneNumber: string; otp: string; newPassword: string },
): Promise<void> {
  const finding = findUserByPhone(scope.db, phoneNumber)
  const check = await spendGuess(scope, resetKind, phoneNumber, finding)
  const user = await finding
  const result = await check(otp)
  if (result.kind === 'missing') throw errors.INVALID_OTP()
  if (result.kind !== 'right') throw codeRefusal(result)
  const { data, use, guess } = result
  if (!user?.phoneNumberVerified || !speaksFor(data, user)) throw errors.INVALID_OTP()
  const done = await onGuess(guess, async () => {
    const hash = await choosePassword(scope, newPassword)
    return resetForgottenPassword(scope, user, hash, { proof: 'text', use })
  })
  if (!done) throw errors.INVALID_OTP()
  guess.rightly()
}
