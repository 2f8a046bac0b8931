import type { AppErrorKind } from '../../kit/errors.ts'
import { type PasswordHash, scryptHash } from '../../kit/password.ts'
import { newId } from '../../kit/random.ts'
import { lengthOf } from '../../kit/text-length.ts'
import type { User } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { noteFailedSignIn } from '../security/sign-in-events.ts'
import { knownDevice } from '../sessions/known-device.ts'
import { coreErrors } from '../users/users.errors.ts'
import { type Guess, guessBeside, onGuess, spendGuess } from '../verifications/guesses.ts'
import type { Work } from '../work.ts'
import { accountOptions, emailAndPasswordOptions, passwordGuessOptions } from './accounts.config.ts'
import { findPasswordHash, rehashStatement } from './accounts.store.ts'
import { isolateCeiling } from './hash-ceiling.ts'
import { readHash } from './hash-formats/foreign-hash.ts'
import type { ForeignHash } from './hash-formats/hash-format.ts'

/**
 * Validates a new password and hashes it.
 * @throws PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, PASSWORD_TOO_COMMON, or the error of a feature
 */
export async function choosePassword(scope: Scope, password: string): Promise<string> {
  const { minPasswordLength, maxPasswordLength } = emailAndPasswordOptions.of(scope)
  const length = lengthOf(password)
  if (length < minPasswordLength) throw coreErrors.PASSWORD_TOO_SHORT()
  if (length > maxPasswordLength) throw coreErrors.PASSWORD_TOO_LONG()
  for (const check of scope.lifecycle.choosingPassword) await check(scope, password)
  return passwordHashOf(scope).hash(password)
}

/** The purpose of a password check. Each purpose has a separate budget of guesses. */
export type PasswordPurpose = 'sign-in' | 'confirm'

/**
 * Takes one guess at a password from a budget, before any hash is computed.
 * @param name the identifier of the sign-in: the budget is the same with and without an account. Budgets of
 *   an address and a username are never the same: a shared budget would reveal that they belong to one user.
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export const spendPasswordGuess = (scope: Scope, purpose: PasswordPurpose, name: string): Promise<Guess> =>
  spendGuess(scope, `password:${purpose}:${name.toLowerCase()}`, passwordGuessOptions.of(scope))

const configuredHash = (scope: Scope): PasswordHash => accountOptions.of(scope).passwordHash ?? scryptHash

/** Waits until this isolate may compute one more hash. @throws Fault if the queue is full */
const admitHash = (scope: Scope): Promise<void> => isolateCeiling(accountOptions.of(scope).hashesPerMinute).admit()

/** The hash function of passwords, limited by the isolate's hash rate. */
const passwordHashOf = (scope: Scope): PasswordHash => {
  const own = configuredHash(scope)
  return {
    hash: async (password) => {
      await admitHash(scope)
      return own.hash(password)
    },
    verify: async (guess) => {
      await admitHash(scope)
      return own.verify(guess)
    },
  }
}

/**
 * Dummy hashes by hash function, for users without a hash. An isolate computes the one of a product's function once.
 */
const dummyHashes = new WeakMap([[scryptHash, `${'0'.repeat(32)}:${'0'.repeat(128)}`]])

async function dummyHash(own: PasswordHash): Promise<string> {
  const hash = dummyHashes.get(own) ?? (await own.hash(newId()))
  dummyHashes.set(own, hash)
  return hash
}

/** A hash in an imported format, not in our own (gatehouse import). */
function importedHash(stored: string, dummy: string): ForeignHash | null {
  const hash = readHash(stored)
  return hash && hash.format !== readHash(dummy)?.format ? hash : null
}

/**
 * Whether a guess is right. It takes the same time without a hash to compare. If the configuration contains the costs
 * of imported hashes, every guess computes all of them and our own, for every user.
 */
async function judgeGuess(
  scope: Scope,
  password: string,
  stored: string | null,
): Promise<{ right: boolean; imported: boolean }> {
  const own = passwordHashOf(scope)
  const dummy = await dummyHash(configuredHash(scope))
  const known = accountOptions.of(scope).importedHashes.map((sample) => readHash(sample)!)
  const theirs = stored === null ? null : importedHash(stored, dummy)
  let right = false
  for (const hash of theirs ? [theirs, ...known.filter(({ cost }) => cost !== theirs.cost)] : known) {
    // The import skips hashes with a higher cost. Such a row from another source is not computed either.
    if (hash.tooMuch !== null) continue
    await admitHash(scope)
    if ((await hash.verify(password)) && hash === theirs) right = true
  }
  if (theirs && known.length === 0) return { right, imported: true }
  const ownRight = await own.verify({ password, hash: theirs ? dummy : (stored ?? dummy) })
  return theirs ? { right, imported: true } : { right: ownRight && stored !== null, imported: false }
}

/** A user with a verified password. */
export interface RightPassword {
  user: User
  /**
   * The hash that was verified; undefined for an imported one, which a parallel sign-in may have replaced. Then only
   * the security version shows that the password has not changed.
   */
  hash: string | undefined
  /** Replaces an imported hash by our own; does nothing for our own. */
  rehash(work: Work): void
  password: string
  guess: Guess
}

/**
 * Checks the password of a sign-in. Guesses count against the given identifier, with or without an account. Guesses
 * from browsers where the owner has signed in before share a separate budget.
 * @param name see sessions/known-device.ts
 * @param finding the user who has the name, with their hash
 * @returns null for a missing user, a missing password and a wrong one, in the same time
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export async function judgePassword(
  scope: Scope,
  name: string,
  password: string,
  finding: Promise<{ user: User; password: string | null } | null>,
): Promise<RightPassword | null> {
  // The account identifies such a browser, so it is read first. All known browsers of an account share one budget.
  const known = knownDevice(scope, name)
  const owner = known && (await finding)
  const budget = owner && known.isKnownFor(owner.user) ? `device:${owner.user.id}` : name
  const [guess, found] = await guessBeside(spendPasswordGuess(scope, 'sign-in', budget), finding)
  const stored = found?.password ?? null
  const { right, imported } = await onGuess(guess, () => judgeGuess(scope, password, stored))
  if (!right || !found || stored === null) {
    noteRefused(scope, password)
    if (found) noteFailedSignIn(scope, { user: found.user, method: 'password', isLast: guess.isLast })
    return null
  }
  guess.succeeded()
  const rest = { user: found.user, guess, password }
  if (!imported) return { ...rest, hash: stored, rehash: () => undefined }
  const next = await passwordHashOf(scope).hash(password)
  const rehash = rehashStatement(scope.db, { userId: found.user.id, current: stored, next, now: scope.now() })
  return { ...rest, hash: undefined, rehash: (work) => void work.run(rehash) }
}

/** A wrong password, also of a stolen session: what attacks are measured by. */
function noteRefused(scope: Scope, password: string): void {
  for (const react of scope.lifecycle.passwordRefused) react(scope, password)
}

/**
 * Verifies the password of the signed-in user.
 * @param none the error for a user without a password
 * @returns the hash that was verified
 * @throws CREDENTIAL_ACCOUNT_NOT_FOUND or `none` without a password, INVALID_PASSWORD for a wrong one
 */
export async function confirmPassword(
  scope: Scope,
  user: User,
  password: string,
  none: AppErrorKind = coreErrors.CREDENTIAL_ACCOUNT_NOT_FOUND,
): Promise<string> {
  const [guess, hash] = await guessBeside(
    spendPasswordGuess(scope, 'confirm', user.id),
    findPasswordHash(scope.db, user.id),
  )
  if (hash === null) throw none()
  const { right } = await onGuess(guess, () => judgeGuess(scope, password, hash))
  if (!right) {
    noteRefused(scope, password)
    throw coreErrors.INVALID_PASSWORD()
  }
  guess.succeeded()
  return hash
}
