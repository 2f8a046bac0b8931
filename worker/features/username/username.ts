import { emailAndPasswordOptions, emailVerificationOptions } from '../../identity/accounts/accounts.config.ts'
import { mailVerification } from '../../identity/accounts/email-mails.ts'
import { judgePassword } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import type { SignInResult } from '../../identity/sign-in/sign-in.ts'
import { signInByPassword } from '../../identity/sign-in/sign-in-by-password.ts'
import { findUserWithPassword } from '../../identity/users/users.store.ts'
import { usernameOptions } from './username.config.ts'
import { usernameErrors as errors } from './username.errors.ts'
import { findHolder } from './username.store.ts'
import { nameByUsername, readUsername } from './username-rules.ts'

/**
 * Signs in by username and password; every failure gets the same response in the same time. Guesses count per username:
 * a budget shared with the address would reveal that both belong to one user.
 */
export async function signInByUsername(
  scope: Scope,
  given: { username: string; password: string; rememberMe?: boolean | undefined },
): Promise<SignInResult> {
  const { password, rememberMe = true } = given
  if (!given.username || !password) throw errors.INVALID_USERNAME_OR_PASSWORD()
  const username = readUsername(given.username, usernameOptions.of(scope))
  const finding = findUserWithPassword(scope.db, 'username', username)
  const right = await judgePassword(scope, nameByUsername(username), password, finding)
  if (!right) throw errors.INVALID_USERNAME_OR_PASSWORD()
  const { user } = right
  if (emailAndPasswordOptions.of(scope).requireEmailVerification && !user.emailVerified) {
    if (emailVerificationOptions.of(scope).enabled) await mailVerification(scope, user)
    throw errors.EMAIL_NOT_VERIFIED()
  }
  return signInByPassword(scope, right, { method: 'username', rememberMe })
}

/** @throws USERNAME_IS_TOO_SHORT, USERNAME_IS_TOO_LONG, USERNAME_IS_INVALID */
export async function isUsernameAvailable(scope: Scope, given: string): Promise<boolean> {
  const username = readUsername(given, usernameOptions.of(scope))
  return (await findHolder(scope.db, username)) === null
}
