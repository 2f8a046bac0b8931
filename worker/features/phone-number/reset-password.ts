import { resetPasswordHash } from '../../identity/accounts/accounts.store.ts'
import { choosePassword } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import { forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { speaksFor, spendCodeGuess } from '../../identity/verifications/one-time-codes.ts'
import { codeRefusal } from './code-refusal.ts'
import { phoneCodeRules } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'
import { findUserByPhone } from './phone-number.store.ts'
import { resetKind } from './send-code.ts'

/**
 * Sets a new password with the code of a text message, and ends the user's sessions and all that is pending. The code
 * is used only when the password will do. A number that nobody has is a wrong code.
 * @throws see the contract
 */
export async function resetPasswordByPhone(
  scope: Scope,
  { phoneNumber, otp, newPassword }: { phoneNumber: string; otp: string; newPassword: string },
): Promise<void> {
  const [check, user] = await Promise.all([
    spendCodeGuess(scope, resetKind, phoneNumber, phoneCodeRules(scope)),
    findUserByPhone(scope.db, phoneNumber),
  ])
  const hash = await choosePassword(scope, newPassword)
  const result = await check(otp)
  if (result.kind === 'missing') throw errors.INVALID_OTP()
  if (result.kind !== 'right') throw codeRefusal(result)
  if (!user?.phoneNumberVerified || !speaksFor(result.data, user)) throw errors.INVALID_OTP()
  if (!(await resetPasswordHash(scope.db, user.id, hash, scope.now(), user.securityVersion))) throw errors.INVALID_OTP()
  forgetSessionsOf(scope, user.id)
}
