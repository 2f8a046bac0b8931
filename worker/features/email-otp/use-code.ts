import { choosePassword } from '../../identity/accounts/passwords.ts'
import { resetForgottenPassword } from '../../identity/accounts/reset-password.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { confirmAddress } from '../../identity/sign-in/confirm-address.ts'
import type { SignInResult } from '../../identity/sign-in/sign-in.ts'
import { signInByAddress } from '../../identity/sign-in/sign-in-by-address.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import { speaksFor } from '../../identity/verifications/verifications.ts'
import { emailOtpOptions } from './email-otp.config.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'
import { requireAddress, spendEmailGuess } from './email-otp.ts'

/** Signs in by a mailed code, or creates a user with an empty name. */
export async function signInByCode(scope: Scope, address: string, otp: string): Promise<SignInResult> {
  const email = requireAddress(address)
  const finding = findUserByEmail(scope.db, email)
  const check = await spendEmailGuess(scope, email, 'sign-in', finding)
  const found = await finding
  const { data, use, complete } = await check(otp)
  if (!speaksFor(data, found)) throw errors.INVALID_OTP()
  if (!found && emailOtpOptions.of(scope).disableSignUp) throw errors.USER_NOT_FOUND()
  const proof = { email, name: '', method: 'email-otp', use, stale: errors.INVALID_OTP } as const
  return complete(() => signInByAddress(scope, found, proof))
}

/** Verifies an address by a mailed code; the first one may also sign in. @returns the new session's token, or null */
export async function verifyByCode(
  scope: Scope,
  address: string,
  otp: string,
): Promise<{ token: string | null; user: User; challenge: Record<string, unknown> }> {
  const email = requireAddress(address)
  const finding = findUserByEmail(scope.db, email)
  const check = await spendEmailGuess(scope, email, 'email-verification', finding)
  const found = await finding
  const { data, use, complete } = await check(otp)
  if (!found) throw errors.USER_NOT_FOUND()
  if (!speaksFor(data, found)) throw errors.INVALID_OTP()
  const stale = errors.INVALID_OTP
  if (found.emailVerified) {
    const work = unitOfWork(scope, stale)
    work.use(use)
    await complete(() => work.commit())
    return { token: null, user: found, challenge: {} }
  }
  const { user, signIn } = await complete(() => confirmAddress(scope, found, { by: 'code', use, stale }))
  return {
    user,
    token: signIn?.kind === 'signed-in' ? signIn.session.token : null,
    challenge: signIn?.kind === 'challenged' ? signIn.challenge.answer : {},
  }
}

/** Sets a new password with a mailed code: verified before the hash, used only with an acceptable password. */
export async function resetPasswordByCode(
  scope: Scope,
  { email: address, otp, password }: { email: string; otp: string; password: string },
): Promise<void> {
  const email = requireAddress(address)
  const finding = findUserByEmail(scope.db, email)
  const check = await spendEmailGuess(scope, email, 'forget-password', finding)
  const user = await finding
  if (!user && scope.settings.profile !== 'strict') throw errors.USER_NOT_FOUND()
  const { data, use, complete } = await check(otp)
  if (!user || !speaksFor(data, user)) throw errors.INVALID_OTP()
  await complete(async () => {
    const hash = await choosePassword(scope, password)
    await resetForgottenPassword(scope, user, hash, { proof: 'mail', use, stale: errors.INVALID_OTP })
  })
}
