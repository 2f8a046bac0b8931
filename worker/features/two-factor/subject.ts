import { requireAccess } from '../../http/edge/require-access.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import type { User } from '../../identity/users/users.table.ts'
import { type Guess, guessBeside } from '../../identity/verifications/guesses.ts'
import type { AppErrorKind } from '../../kit/errors.ts'
import { isWaiting, type Pending, readPending } from './pending.ts'
import { setUpsSince } from './two-factor.config.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'
import { findUserInForce, recordsOf } from './two-factor.store.ts'
import type { TwoFactor } from './two-factor.table.ts'

/**
 * Who gives a code: somebody whose sign-in waits for it, or somebody who is signed in. A waiting sign-in comes first:
 * it is what the person does now.
 */
export interface Subject {
  user: User
  /**
   * The records whose codes count: the one in force, if there is one, and then, in the person's own session alone,
   * the one that waits for its first code. A secret that was never confirmed proves nothing in a sign-in.
   */
  records: [TwoFactor, ...TwoFactor[]]
  at: { kind: 'challenge'; pending: Pending } | { kind: 'session'; caller: Caller }
}

/**
 * Finds them, in one round trip.
 * @param none what to say to somebody who has no such record
 * @throws `none`; INVALID_TWO_FACTOR_COOKIE where neither a sign-in waits nor anybody is signed in;
 *   OWN_SESSION_REQUIRED for a session that is not the person's own
 */
export async function findSubject(scope: Scope, none: AppErrorKind): Promise<Subject> {
  const pending = readPending(scope)
  const { user, records, at } = pending ? await findWaiting(scope, pending) : await findSignedIn(scope)
  const [first, ...others] = records
  if (!first) throw none()
  return { user, records: [first, ...others], at }
}

/**
 * The same, and one guess of theirs; side by side where the cookie says who.
 * @param guessing of this person, who as the holder of codes is `holder`
 */
export async function findGuesser<G extends Guess>(
  scope: Scope,
  none: AppErrorKind,
  guessing: (userId: string, holder: string) => Promise<G>,
): Promise<[G, Subject]> {
  const pending = readPending(scope)
  if (pending) return guessBeside(guessing(pending.userId, pending.id), findSubject(scope, none))
  const subject = await findSubject(scope, none)
  return [await guessing(subject.user.id, holderOf(subject)), subject]
}

/** Whose a mailed code is: the waiting sign-in's, or the session's. */
export const holderOf = ({ at }: Subject): string =>
  at.kind === 'challenge' ? at.pending.id : `session:${at.caller.session.id}`

/** The person whose sign-in waits in this browser. @throws INVALID_TWO_FACTOR_COOKIE */
export async function findWaiting(scope: Scope, pending: Pending) {
  const found = await findUserInForce(scope.db, pending.userId, isWaiting(scope, pending))
  if (found?.user.securityVersion !== pending.securityVersion) throw errors.INVALID_TWO_FACTOR_COOKIE()
  return { ...found, at: { kind: 'challenge', pending } as const }
}

/** Where no sign-in waits these endpoints are for a person in their own session, as any with that access. */
async function findSignedIn(scope: Scope) {
  const found = await scope.callerWith(({ userId }) => [recordsOf(scope.db, userId, setUpsSince(scope))])
  if (!found) throw errors.INVALID_TWO_FACTOR_COOKIE()
  const { caller, results } = found
  await requireAccess(scope, { access: 'own-session' }, async () => caller)
  return { user: caller.user, records: results[0] as TwoFactor[], at: { kind: 'session', caller } as const }
}
