import type { Scope } from '../../identity/scope.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { emailVerificationOptions } from '../../identity/settings.ts'
import { completeSignIn } from '../../identity/sign-in.ts'
import { findUserByEmail } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { speaksFor } from '../../identity/verifications/one-time-codes.ts'
import { AppError } from '../../kit/errors.ts'
import { spendGuess } from './check-code.ts'
import { emailOtpErrors as errors } from './email-otp.errors.ts'
import { markVerified } from './email-otp.store.ts'
import { readAddress } from './email-otp.ts'

/**
 * Verifies an address by a mailed code. It signs in where emailVerification.autoSignInAfterVerification says so and
 * this code was the one that verified; the password stays, for whoever verifies by code has just signed up with it.
 * @returns the token of the session that was opened, null without one, and what else the answer asks for
 * @throws see the contract
 */
export async function verifyByCode(
  scope: Scope,
  address: string,
  otp: string,
): Promise<{ token: string | null; user: User; challenge: Record<string, unknown> }> {
  const email = readAddress(address)
  const [check, found] = await Promise.all([
    spendGuess(scope, email, 'email-verification'),
    findUserByEmail(scope.db, email),
  ])
  const data = await check(otp)
  if (!found) throw errors.USER_NOT_FOUND()
  if (!speaksFor(data, found)) throw errors.INVALID_OTP()
  const user = await markVerified(scope.db, found, scope.now())
  if (!user) throw errors.INVALID_OTP()
  if (!found.emailVerified) for (const react of scope.lifecycle.userUpdated) await react(scope, user)

  const caller = await scope.caller()
  if (caller?.user.id === user.id) refreshSessionCookies(scope, caller, user)
  else if (emailVerificationOptions.of(scope).autoSignInAfterVerification && !found.emailVerified) {
    return { user, ...(await welcome(scope, user)) }
  }
  return { token: null, user, challenge: {} }
}

async function welcome(
  scope: Scope,
  user: User,
): Promise<{ token: string | null; challenge: Record<string, unknown> }> {
  try {
    const result = await completeSignIn(scope, { user, method: 'email-verification' })
    if (result.kind === 'challenged') return { token: null, challenge: result.challenge.answer }
    return { token: result.session.token, challenge: {} }
  } catch (thrown) {
    // Who may not sign in, such as a banned person, still has a verified address.
    if (thrown instanceof AppError) return { token: null, challenge: {} }
    throw thrown
  }
}
