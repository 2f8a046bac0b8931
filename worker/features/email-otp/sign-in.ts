import type { Scope } from '../../identity/scope.ts'
import type { SignInResult } from '../../identity/sign-in.ts'
import { signInByAddress } from '../../identity/users/sign-in-by-address.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import { onGuess } from '../../identity/verifications/guesses.ts'
import { isUsedAlready } from '../../identity/verifications/used-records.ts'
import { speaksFor } from '../../identity/verifications/verifications.ts'
import { isUnmetDemand } from '../../platform/statements.ts'
import { spendGuess } from './check-code.ts'
import { emailOtpOptions } from './email-otp.config.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'
import { readAddress } from './email-otp.ts'

/**
 * Signs in by a mailed code; who is new is created, with an empty name.
 * @throws see the contract
 */
export async function signInByCode(scope: Scope, address: string, otp: string): Promise<SignInResult> {
  const email = readAddress(address)
  const finding = findUserByEmail(scope.db, email)
  const check = await spendGuess(scope, email, 'sign-in', finding)
  const found = await finding
  const { data, use, guess } = await check(otp)
  if (!speaksFor(data, found)) throw errors.INVALID_OTP()
  if (!found && emailOtpOptions.of(scope).disableSignUp) throw errors.USER_NOT_FOUND()
  try {
    const proof = { email, name: '', method: 'email-otp', use } as const
    const result = await onGuess(guess, () => signInByAddress(scope, found, proof))
    guess.rightly()
    return result
  } catch (thrown) {
    // Another proof of the address was first, and ended whatever was pending.
    throw isUsedAlready(thrown) || isUnmetDemand(thrown) ? errors.INVALID_OTP() : thrown
  }
}
