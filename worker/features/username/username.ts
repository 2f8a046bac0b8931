import { judgePassword } from '../../identity/accounts/passwords.ts'
import type { Scope } from '../../identity/scope.ts'
import { emailAndPasswordOptions, emailVerificationOptions } from '../../identity/settings.ts'
import { completeSignIn, type SignInResult } from '../../identity/sign-in.ts'
import { findUserWithPassword } from '../../identity/users/users.store.ts'
import { mailVerification } from '../../identity/verifications/email-mails.ts'
import { onGuess } from '../../identity/verifications/guesses.ts'
import { usernameOptions } from './username.config.ts'
import { usernameErrors as errors } from './username.errors.ts'
import { findHolder } from './username.store.ts'
import { nameByUsername, readUsername } from './username-rules.ts'

/**
 * Signs in by username and password. A missing person, a missing password and a wrong one are one answer, in one
 * time. Guesses count against the username, apart from those at the address: one budget for both would tell that
 * they are one person's.
 * @throws see the contract
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
  const { user, hash, alongside, guess } = right
  if (emailAndPasswordOptions.of(scope).requireEmailVerification && !user.emailVerified) {
    if (emailVerificationOptions.of(scope).enabled) await mailVerification(scope, user)
    throw errors.EMAIL_NOT_VERIFIED()
  }
  return onGuess(guess, () =>
    completeSignIn(scope, { user, method: 'username', proven: 'password', rememberMe, passwordHash: hash, alongside }),
  )
}

/** Whether nobody has the username. @throws what is wrong with it */
export async function isUsernameAvailable(scope: Scope, given: string): Promise<boolean> {
  const username = readUsername(given, usernameOptions.of(scope))
  return (await findHolder(scope.db, username)) === null
}
