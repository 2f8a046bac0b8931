import { requireAccess } from '../../http/edge/require-access.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { type Guess, guessBeside } from '../../identity/verifications/guesses.ts'
import type { AppErrorKind } from '../../kit/errors.ts'
import { isWaiting, needsNoRecord, type Pending, readPending } from './pending.ts'
import { setUpsSince } from './two-factor.config.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'
import { findUserInForce, recordsOf } from './two-factor.store.ts'
import type { TwoFactor } from './two-factor.table.ts'

/** The user who enters a code: of the pending sign-in, which takes precedence, or of the session. */
export interface Subject {
  user: User
  at: { kind: 'challenge'; pending: Pending } | { kind: 'session'; caller: Caller }
}

export interface EnrolledSubject extends Subject {
  /**
   * The records whose codes count: the one in force, if any, and, only in the user's own session, the one that waits
   * for its first code. An unconfirmed secret proves nothing in a sign-in.
   */
  records: [TwoFactor, ...TwoFactor[]]
}

/** The recipient of a mailed code. */
export interface MailedSubject extends Subject {
  /** Null for a user without a second factor whose sign-in is from an unknown place. */
  record: TwoFactor | null
}

const find = async (scope: Scope) => {
  const pending = readPending(scope)
  return pending ? findWaiting(scope, pending) : findSignedIn(scope)
}

/**
 * Finds the user, in one round trip.
 * @throws `none` for a user without a record; INVALID_TWO_FACTOR_COOKIE without a user; OWN_SESSION_REQUIRED
 */
export async function findEnrolled(scope: Scope, none: AppErrorKind): Promise<EnrolledSubject> {
  const { user, records, at } = await find(scope)
  const [first, ...others] = records
  if (!first) throw none()
  return { user, records: [first, ...others], at }
}

/** The same for a mailed code. @throws OTP_NOT_ENABLED for a user who gets none */
export async function findMailed(scope: Scope): Promise<MailedSubject> {
  const { user, records, at } = await find(scope)
  const [record = null] = records
  if (!record && !(at.kind === 'challenge' && needsNoRecord(at.pending))) throw errors.OTP_NOT_ENABLED()
  return { user, record, at }
}

/** A user and one guess, side by side where the cookie names the user. */
export async function findGuesser<S extends Subject, G extends Guess>(
  scope: Scope,
  finding: () => Promise<S>,
  guessing: (userId: string, holder: string) => Promise<G>,
): Promise<[G, S]> {
  const pending = readPending(scope)
  if (pending) return guessBeside(guessing(pending.userId, pending.id), finding())
  const subject = await finding()
  return [await guessing(subject.user.id, holderOf(subject)), subject]
}

/** The holder of a mailed code: the pending sign-in, or the session. */
export const holderOf = ({ at }: Subject): string =>
  at.kind === 'challenge' ? at.pending.id : `session:${at.caller.session.id}`

/** The user of the pending sign-in in this browser. @throws INVALID_TWO_FACTOR_COOKIE */
export async function findWaiting(scope: Scope, pending: Pending) {
  const found = await findUserInForce(scope.db, pending.userId, isWaiting(scope, pending))
  if (found?.user.securityVersion !== pending.securityVersion) throw errors.INVALID_TWO_FACTOR_COOKIE()
  return { ...found, at: { kind: 'challenge', pending } as const }
}

/** Without a pending sign-in these endpoints require the user's own session, as others with that access. */
async function findSignedIn(scope: Scope) {
  const found = await scope.callerWith(({ userId }) => ({ records: recordsOf(scope.db, userId, setUpsSince(scope)) }))
  if (!found) throw errors.INVALID_TWO_FACTOR_COOKIE()
  const { caller, rows } = found
  await requireAccess(scope, { access: 'own-session' }, async () => caller)
  return { user: caller.user, records: rows.records, at: { kind: 'session', caller } as const }
}
