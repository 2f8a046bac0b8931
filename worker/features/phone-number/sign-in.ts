import { judgePassword } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import { findUserWithPassword } from '../../identity/users/users.store.ts'
import { onGuess } from '../../identity/verifications/guesses.ts'
import { nameByNumber } from './check-code.ts'
import { isPhoneNumber, phoneNumberOptions } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'
import { sendCodeTo } from './send-code.ts'

export interface PhoneSignIn {
  phoneNumber: string
  password: string
  rememberMe?: boolean | undefined
}

/**
 * Signs in by number and password. An unknown number, a missing password and a wrong one are one answer, in one time.
 * Guesses count against the number, apart from those at the address: see signInByUsername.
 * @throws see the contract
 */
export async function signInByPhone(
  scope: Scope,
  { phoneNumber, password, rememberMe = true }: PhoneSignIn,
): Promise<SignInResult> {
  if (!(await isPhoneNumber(scope, phoneNumber))) throw errors.INVALID_PHONE_NUMBER()
  const finding = findUserWithPassword(scope.db, 'phoneNumber', phoneNumber)
  const right = await judgePassword(scope, nameByNumber(phoneNumber), password, finding)
  if (!right) throw errors.INVALID_PHONE_NUMBER_OR_PASSWORD()
  const { user, hash, alongside, guess } = right
  if (phoneNumberOptions.of(scope).requireVerification && !user.phoneNumberVerified) {
    await sendCodeTo(scope, user)
    throw errors.PHONE_NUMBER_NOT_VERIFIED()
  }
  return onGuess(guess, () =>
    completeSignIn(scope, {
      user,
      method: 'phone-number',
      proven: 'password',
      rememberMe,
      passwordHash: hash,
      alongside,
    }),
  )
}
