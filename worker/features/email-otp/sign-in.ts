import type { Scope } from '../../identity/scope.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import { proveAddress } from '../../identity/users/prove-address.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { draftUser, isAddressTaken, userCreated } from '../../identity/users/users.ts'
import { onGuess } from '../../identity/verifications/guesses.ts'
import { isUsedAlready } from '../../identity/verifications/used-records.ts'
import { speaksFor } from '../../identity/verifications/verifications.ts'
import type { Statement } from '../../platform/statements.ts'
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
  const [check, found] = await Promise.all([spendGuess(scope, email, 'sign-in'), findUserByEmail(scope.db, email)])
  const { data, use, guess } = await check(otp)
  if (!speaksFor(data, found)) throw errors.INVALID_OTP()
  try {
    const result = await onGuess(guess, () => (found ? enter(scope, found, use) : signUp(scope, email, use)))
    guess.rightly()
    return result
  } catch (thrown) {
    throw isUsedAlready(thrown) ? errors.INVALID_OTP() : thrown
  }
}

async function enter(scope: Scope, user: User, use: Statement): Promise<SignInResult> {
  const proven = proveAddress(scope, user)
  const result = await completeSignIn(scope, {
    user: proven.user,
    method: 'email-otp',
    proven: 'possession',
    alongside: [use, ...proven.statements],
  })
  await proven.written()
  return result
}

async function signUp(scope: Scope, email: string, use: Statement): Promise<SignInResult> {
  if (emailOtpOptions.of(scope).disableSignUp) throw errors.USER_NOT_FOUND()
  const { user, statements } = await draftUser(scope, { email, name: '', emailVerified: true }, null)
  try {
    const alongside = [use, ...statements]
    const result = await completeSignIn(scope, { user, method: 'email-otp', proven: 'creation', alongside })
    await userCreated(scope, user)
    return result
  } catch (thrown) {
    if (!isAddressTaken(thrown)) throw thrown
    // Somebody has got the address since it was looked for; the code proves it all the same.
    const holder = await findUserByEmail(scope.db, email)
    if (!holder) throw core.FAILED_TO_CREATE_USER()
    return enter(scope, holder, use)
  }
}
