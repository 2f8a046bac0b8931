import { judgePassword } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import type { SignInResult } from '../../identity/sign-in/sign-in.ts'
import { signInByPassword } from '../../identity/sign-in/sign-in-by-password.ts'
import { findUserWithPassword } from '../../identity/users/users.store.ts'
import { nameByNumber, sendCodeTo } from './codes.ts'
import { isPhoneNumber, phoneNumberOptions } from './phone-number.config.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'

export interface PhoneSignIn {
  phoneNumber: string
  password: string
  rememberMe?: boolean | undefined
}

/** Signs in by number and password. As in signInByUsername, every failure gets the same response in the same time. */
export async function signInByPhone(
  scope: Scope,
  { phoneNumber, password, rememberMe = true }: PhoneSignIn,
): Promise<SignInResult> {
  if (!(await isPhoneNumber(scope, phoneNumber))) throw errors.INVALID_PHONE_NUMBER()
  const finding = findUserWithPassword(scope.db, 'phoneNumber', phoneNumber)
  const right = await judgePassword(scope, nameByNumber(phoneNumber), password, finding)
  if (!right) throw errors.INVALID_PHONE_NUMBER_OR_PASSWORD()
  const { user } = right
  if (phoneNumberOptions.of(scope).requireVerification && !user.phoneNumberVerified) {
    await sendCodeTo(scope, user)
    throw errors.PHONE_NUMBER_NOT_VERIFIED()
  }
  return signInByPassword(scope, right, { method: 'phone-number', rememberMe })
}
