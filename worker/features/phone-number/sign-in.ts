import { isRightPassword, spendPasswordGuess } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import { findUserWithPassword } from '../../identity/users/users.store.ts'
import { guessBeside, onGuess } from '../../identity/verifications/guesses.ts'
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
  const [guess, found] = await guessBeside(
    spendPasswordGuess(scope, 'sign-in', phoneNumber),
    findUserWithPassword(scope.db, 'phoneNumber', phoneNumber),
  )
  const hash = found?.password ?? null
  if (!isRightPassword(password, hash) || !found) throw errors.INVALID_PHONE_NUMBER_OR_PASSWORD()
  guess.rightly()
  if (phoneNumberOptions.of(scope).requireVerification && !found.user.phoneNumberVerified) {
    await sendCodeTo(scope, found.user)
    throw errors.PHONE_NUMBER_NOT_VERIFIED()
  }
  const { user } = found
  return onGuess(guess, () =>
    completeSignIn(scope, { user, method: 'phone-number', proven: 'password', rememberMe, passwordHash: hash }),
  )
}
