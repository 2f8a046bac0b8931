import type { AppErrorKind } from '../../kit/errors.ts'
import { type PasswordHash, scryptHash } from '../../kit/password.ts'
import { newId } from '../../kit/random.ts'
import type { Statement } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { knownDevice } from '../sessions/known-device.ts'
import { accountOptions, emailAndPasswordOptions, passwordGuessOptions } from '../settings.ts'
import { coreErrors } from '../users/users.errors.ts'
import type { User } from '../users/users.table.ts'
import { type Guess, guessBeside, spendGuess } from '../verifications/guesses.ts'
import { findPasswordHash, rehashStatement } from './accounts.store.ts'
import { readHash } from './hash-formats/foreign-hash.ts'
import type { ForeignHash } from './hash-formats/hash-format.ts'

/**
 * Checks a newly chosen password and hashes it.
 * @throws PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, or what a feature says against it
 */
export async function choosePassword(scope: Scope, password: string): Promise<string> {
  const { minPasswordLength, maxPasswordLength } = emailAndPasswordOptions.of(scope)
  if (password.length < minPasswordLength) throw coreErrors.PASSWORD_TOO_SHORT()
  if (password.length > maxPasswordLength) throw coreErrors.PASSWORD_TOO_LONG()
  for (const check of scope.lifecycle.choosingPassword) await check(scope, password)
  return passwordHashOf(scope).hash(password)
}

/** Why a password is given. Each purpose has a budget of guesses of its own. */
export type PasswordPurpose = 'sign-in' | 'confirm'

/**
 * Takes one guess at a password from a budget, before any hash is computed.
 * @param name what the account was called by, for a sign-in: the same budget whether or not there is one. Budgets of
 *   an address and a username are never the same, or one would tell that they are one person's.
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export const spendPasswordGuess = (scope: Scope, purpose: PasswordPurpose, name: string): Promise<Guess> =>
  spendGuess(scope, `password:${purpose}:${name.toLowerCase()}`, passwordGuessOptions.of(scope))

const passwordHashOf = (scope: Scope): PasswordHash => accountOptions.of(scope).passwordHash ?? scryptHash

/** A hash for whoever has none, by way of hashing. A product's own is made with the first guess that an isolate sees. */
const nobodysHashes = new WeakMap([[scryptHash, `${'0'.repeat(32)}:${'0'.repeat(128)}`]])

async function nobodysHash(own: PasswordHash): Promise<string> {
  const hash = nobodysHashes.get(own) ?? (await own.hash(newId()))
  nobodysHashes.set(own, hash)
  return hash
}

/** A hash that was imported: of a form that is not that of our own (gatehouse import). */
function importedHash(stored: string, nobodys: string): ForeignHash | null {
  const hash = readHash(stored)
  return hash && hash.format !== readHash(nobodys)?.format ? hash : null
}

/**
 * Whether a guess is right. Takes the same time when there is nothing to compare it with. While the configuration names
 * the costs of imported hashes, every guess takes the time of them all and of our own, whatever the person has.
 */
async function judgeGuess(
  scope: Scope,
  password: string,
  stored: string | null,
): Promise<{ right: boolean; imported: boolean }> {
  const own = passwordHashOf(scope)
  const nobodys = await nobodysHash(own)
  const known = accountOptions.of(scope).importedHashes.map((sample) => readHash(sample)!)
  const theirs = stored === null ? null : importedHash(stored, nobodys)
  let right = false
  for (const hash of theirs ? [theirs, ...known.filter(({ cost }) => cost !== theirs.cost)] : known) {
    // What takes too much is refused by the import; a row that came another way is not computed either.
    if (hash.tooMuch === null && (await hash.verify(password)) && hash === theirs) right = true
  }
  if (theirs && known.length === 0) return { right, imported: true }
  const ownRight = await own.verify({ password, hash: theirs ? nobodys : (stored ?? nobodys) })
  return theirs ? { right, imported: true } : { right: ownRight && stored !== null, imported: false }
}

/** A person whose password was right. */
export interface RightPassword {
  user: User
  /**
   * The hash that was verified; undefined for an imported one, which a parallel sign-in may have replaced. Then the
   * security version alone tells that the password has not been changed.
   */
  hash: string | undefined
  /** For the batch of the sign-in: an imported hash becomes one of our own. Empty for one that is. */
  alongside: Statement[]
  guess: Guess
}

/**
 * Judges the password of a sign-in. Guesses count against the name that the account is called by, whether or not there
 * is one; those from a browser where its owner has signed in before count by themselves.
 * @param name see sessions/known-device.ts
 * @param finding whoever has the name, with their hash
 * @returns null for a missing person, a missing password and a wrong one, in one time
 * @throws TOO_MANY_REQUESTS with X-Retry-After
 */
export async function judgePassword(
  scope: Scope,
  name: string,
  password: string,
  finding: Promise<{ user: User; password: string | null } | null>,
): Promise<RightPassword | null> {
  const known = knownDevice(scope, name)
  const [guess, found] = await guessBeside(
    spendPasswordGuess(scope, 'sign-in', known ? `${name}:device:${known.id}` : name),
    finding,
  )
  // The account has passed to somebody else since: this browser is a stranger's again.
  if (known && found && !known.isKnownFor(found.user)) await spendPasswordGuess(scope, 'sign-in', name)
  const stored = found?.password ?? null
  const { right, imported } = await judgeGuess(scope, password, stored)
  if (!right || !found || stored === null) return null
  guess.rightly()
  if (!imported) return { user: found.user, hash: stored, alongside: [], guess }
  const next = await passwordHashOf(scope).hash(password)
  const rehash = rehashStatement(scope.db, { userId: found.user.id, current: stored, next, now: scope.now() })
  return { user: found.user, hash: undefined, alongside: [rehash], guess }
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
  const [guess, hash] = await guessBeside(
    spendPasswordGuess(scope, 'confirm', user.id),
    findPasswordHash(scope.db, user.id),
  )
  if (hash === null) throw none()
  if (!(await judgeGuess(scope, password, hash)).right) throw coreErrors.INVALID_PASSWORD()
  guess.rightly()
  return hash
}
