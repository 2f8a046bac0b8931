import type { Scope } from '../../identity/scope.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import { proveAddress } from '../../identity/users/prove-address.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { createUser } from '../../identity/users/users.ts'
import { speaksFor } from '../../identity/verifications/one-time-codes.ts'
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
  const data = await check(otp)
  if (!speaksFor(data, found)) throw errors.INVALID_OTP()
  const user = found ?? (await signUp(scope, email))
  return completeSignIn(scope, { user: await proveAddress(scope, user), method: 'email-otp' })
}

async function signUp(scope: Scope, email: string): Promise<User> {
  if (emailOtpOptions.of(scope).disableSignUp) throw errors.USER_NOT_FOUND()
  const created = await createUser(scope, { email, name: '', emailVerified: true }, null)
  // Somebody may have got the address since it was looked for; the code proves it all the same.
  const user = created ?? (await findUserByEmail(scope.db, email))
  if (!user) throw core.FAILED_TO_CREATE_USER()
  return user
}
