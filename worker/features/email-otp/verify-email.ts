import type { Scope } from '../../identity/scope.ts'
import { confirmAddress } from '../../identity/users/confirm-address.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { onGuess } from '../../identity/verifications/guesses.ts'
import { isUsedAlready } from '../../identity/verifications/used-records.ts'
import { speaksFor } from '../../identity/verifications/verifications.ts'
import { runBatch } from '../../platform/statements.ts'
import { spendGuess } from './check-code.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'
import { readAddress } from './email-otp.ts'

/**
 * Verifies an address by a mailed code. It signs in where emailVerification.autoSignInAfterVerification says so and
 * this code was the one that verified.
 * @returns the token of the session that was opened, null without one, and what else the answer asks for
 * @throws see the contract
 */
export async function verifyByCode(
  scope: Scope,
  address: string,
  otp: string,
): Promise<{ token: string | null; user: User; challenge: Record<string, unknown> }> {
  const email = readAddress(address)
  const finding = findUserByEmail(scope.db, email)
  const check = await spendGuess(scope, email, 'email-verification', finding)
  const found = await finding
  const { data, use, guess } = await check(otp)
  if (!found) throw errors.USER_NOT_FOUND()
  if (!speaksFor(data, found)) throw errors.INVALID_OTP()
  try {
    if (found.emailVerified) {
      await onGuess(guess, () => runBatch(scope.db, [use]))
      return { token: null, user: found, challenge: {} }
    }
    const confirmed = await onGuess(guess, () => confirmAddress(scope, found, { by: 'code', use: [use] }))
    if (!confirmed) throw errors.INVALID_OTP()
    guess.rightly()
    const { user, signIn } = confirmed
    return {
      user,
      token: signIn?.kind === 'signed-in' ? signIn.session.token : null,
      challenge: signIn?.kind === 'challenged' ? signIn.challenge.answer : {},
    }
  } catch (thrown) {
    throw isUsedAlready(thrown) ? errors.INVALID_OTP() : thrown
  }
}
