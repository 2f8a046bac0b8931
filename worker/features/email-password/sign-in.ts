import { emailAndPasswordOptions, emailVerificationOptions } from '../../identity/accounts/accounts.config.ts'
import { mailVerification } from '../../identity/accounts/email-mails.ts'
import { judgePassword } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import { nameByAddress } from '../../identity/sessions/known-device.ts'
import type { SignInResult } from '../../identity/sign-in/sign-in.ts'
import { signInByPassword } from '../../identity/sign-in/sign-in-by-password.ts'
import { emailInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { findUserWithPassword } from '../../identity/users/users.store.ts'
import { comparedAddress } from '../../kit/email-address.ts'
import { emailPasswordErrors as errors } from './email-password.errors.ts'

export interface SignIn {
  email: string
  password: string
  callbackURL?: string | undefined
  rememberMe?: boolean | undefined
}

/** Signs in by address and password. Every failure gets the same response in the same time. */
export async function signIn(
  scope: Scope,
  { email, password, callbackURL, rememberMe = true }: SignIn,
): Promise<SignInResult> {
  const { enabled, requireEmailVerification } = emailAndPasswordOptions.of(scope)
  if (!enabled) throw errors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED()
  if (!emailInput.safeParse(email).success) throw core.INVALID_EMAIL()
  const finding = findUserWithPassword(scope.db, 'email', comparedAddress(email))
  const right = await judgePassword(scope, nameByAddress(email), password, finding)
  if (!right) throw core.INVALID_EMAIL_OR_PASSWORD()
  const { user } = right
  if (requireEmailVerification && !user.emailVerified) {
    if (emailVerificationOptions.of(scope).enabled) await mailVerification(scope, user, callbackURL)
    throw core.EMAIL_NOT_VERIFIED()
  }
  return signInByPassword(scope, right, { method: 'email', rememberMe })
}
