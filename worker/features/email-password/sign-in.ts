import { isRightPassword, spendPasswordGuess } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import { emailAndPasswordOptions, emailVerificationOptions } from '../../identity/settings.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import { emailInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { findUserWithPassword } from '../../identity/users/users.store.ts'
import { mailVerification } from '../../identity/verifications/email-mails.ts'
import { guessBeside, onGuess } from '../../identity/verifications/guesses.ts'
import { emailPasswordErrors as errors } from './email-password.errors.ts'

export interface SignIn {
  email: string
  password: string
  callbackURL?: string | undefined
  rememberMe?: boolean | undefined
}

/**
 * Signs in by email and password. A missing person, a missing password and a wrong one are one answer, in one time.
 * @throws see the contract
 */
export async function signIn(
  scope: Scope,
  { email, password, callbackURL, rememberMe = true }: SignIn,
): Promise<SignInResult> {
  const { enabled, requireEmailVerification } = emailAndPasswordOptions.of(scope)
  if (!enabled) throw errors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED()
  if (!emailInput.safeParse(email).success) throw core.INVALID_EMAIL()
  const [guess, found] = await guessBeside(
    spendPasswordGuess(scope, 'sign-in', email),
    findUserWithPassword(scope.db, 'email', email.toLowerCase()),
  )
  const hash = found?.password ?? null
  if (!isRightPassword(password, hash) || !found) throw core.INVALID_EMAIL_OR_PASSWORD()
  guess.rightly()
  if (requireEmailVerification && !found.user.emailVerified) {
    if (emailVerificationOptions.of(scope).enabled) await mailVerification(scope, found.user, callbackURL)
    throw core.EMAIL_NOT_VERIFIED()
  }
  const { user } = found
  return onGuess(guess, () =>
    completeSignIn(scope, { user, method: 'email', proven: 'password', rememberMe, passwordHash: hash }),
  )
}
