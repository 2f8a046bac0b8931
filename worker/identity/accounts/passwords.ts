import type { AppErrorKind } from '../../kit/errors.ts'
import { hashPassword, pretendToVerify, verifyPassword } from '../../kit/password.ts'
import type { Scope } from '../scope.ts'
import { emailAndPasswordOptions, passwordGuessOptions } from '../settings.ts'
import { coreErrors } from '../users/users.errors.ts'
import type { User } from '../users/users.table.ts'
import { findPasswordHash } from './accounts.store.ts'
import { passwordErrors } from './passwords.errors.ts'

/**
 * Checks a newly chosen password and hashes it.
 * @throws PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, or what a feature says against it
 */
export async function choosePassword(scope: Scope, password: string): Promise<string> {
  const { minPasswordLength, maxPasswordLength } = emailAndPasswordOptions.of(scope)
  if (password.length < minPasswordLength) throw coreErrors.PASSWORD_TOO_SHORT()
  if (password.length > maxPasswordLength) throw coreErrors.PASSWORD_TOO_LONG()
  for (const check of scope.lifecycle.choosingPassword) await check(scope, password)
  return hashPassword(password)
}

/**
 * Takes one guess from an account's budget, whatever address it comes from; before any hash is computed.
 * @param account the address of the account, or what was given in its place for a person who does not exist
 * @returns what to do after a right guess: the failures before it are forgotten
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export async function spendGuess(scope: Scope, account: string): Promise<() => void> {
  const rule = passwordGuessOptions.of(scope)
  const key = `password:${account.toLowerCase()}`
  const { allowed, count, retryAfter } = await scope.counters.hit(key, rule)
  if (!allowed) throw passwordErrors.TOO_MANY_REQUESTS({ headers: { 'x-retry-after': String(retryAfter) } })
  return () => {
    // Right guesses count as well, so they are forgotten in good time; not each time, which would cost a call each.
    if (count > rule.max / 2) scope.after(() => scope.counters.forget(key))
  }
}

/** Whether a guess is right. Takes the same time when there is nothing to compare it with. */
export function isRightPassword(guess: string, hash: string | null): hash is string {
  if (hash === null) {
    pretendToVerify(guess)
    return false
  }
  return verifyPassword(guess, hash)
}

/**
 * The signed-in person gives their password again.
 * @param none what to say to a person without a password
 * @returns the hash that was verified
 * @throws CREDENTIAL_ACCOUNT_NOT_FOUND or `none` without a password, INVALID_PASSWORD for a wrong one
 */
export async function confirmPassword(
  scope: Scope,
  user: User,
  password: string,
  none: AppErrorKind = coreErrors.CREDENTIAL_ACCOUNT_NOT_FOUND,
): Promise<string> {
  const [rightly, hash] = await Promise.all([spendGuess(scope, user.email), findPasswordHash(scope.db, user.id)])
  if (hash === null) throw none()
  if (!isRightPassword(password, hash)) throw coreErrors.INVALID_PASSWORD()
  rightly()
  return hash
}
