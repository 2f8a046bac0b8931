import type { Caller, Scope } from '../../identity/scope.ts'
import { newSessionToken } from '../../identity/sessions/sessions.ts'
import { completeSignIn } from '../../identity/sign-in.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import type { User } from '../../identity/users/users.table.ts'
import { type Guess, onGuess } from '../../identity/verifications/guesses.ts'
import { isUsedAlready } from '../../identity/verifications/used-records.ts'
import type { AppErrorKind } from '../../kit/errors.ts'
import { isUnmetDemand, runBatch, type Statement } from '../../platform/statements.ts'
import { clearPending, endWait, type Pending } from './pending.ts'
import { rotateSession } from './rotate-session.ts'
import type { Subject } from './subject.ts'
import { noTrust, type Trust, trustDevice } from './trusted-devices.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'
import { confirmStatements } from './two-factor.store.ts'
import type { TwoFactor } from './two-factor.table.ts'

/** What a right code leads to. */

/** A code that was judged to be right, and is not used yet. */
export interface RightCode {
  /** The record that it belongs to. */
  record: TwoFactor
  guess: Guess
  /** Uses it, in the batch of what it was given for. */
  use: readonly Statement[]
  /** What to say when another call was first. */
  late: AppErrorKind
}

export interface Wishes {
  trustDevice?: boolean | undefined
  /** For a backup code that ends a sign-in: it is used, and that is all. */
  disableSession?: boolean | undefined
}

/** `token` is missing where no session was asked for. */
export interface Verified {
  token?: string
  user: User
}

/**
 * The use of a code and all that it leads to are one batch: of any number of parallel uses one commits, and when the
 * batch fails through no fault of the person nothing is used and the guess is given back.
 * @throws INVALID_TWO_FACTOR_COOKIE when the sign-in does not wait any more; `late`; FAILED_TO_CREATE_SESSION
 */
export async function finish(scope: Scope, { user, at }: Subject, right: RightCode, wishes: Wishes): Promise<Verified> {
  const verified = await onGuess(right.guess, () => {
    if (at.kind === 'challenge') return endChallenge(scope, user, at.pending, right, wishes)
    const act = right.record.confirmed ? useInSession : endSetUp
    return act(scope, at.caller, right, wishes)
  })
  right.guess.rightly()
  return verified
}

/** The waiting sign-in goes through completeSignIn, which asks no second time. */
async function endChallenge(
  scope: Scope,
  user: User,
  pending: Pending,
  right: RightCode,
  { trustDevice: trust, disableSession }: Wishes,
): Promise<Verified> {
  const ending = [endWait(scope, pending), ...right.use]
  const refuse = refuseLate(errors.INVALID_TWO_FACTOR_COOKIE, right.late)
  if (disableSession) {
    await runBatch(scope.db, ending).catch(refuse)
    clearPending(scope)
    return { user }
  }
  const token = newSessionToken()
  const trusted = trusting(scope, user, right, token, trust)
  const result = await completeSignIn(scope, {
    user,
    method: pending.method,
    proven: 'second-factor',
    rememberMe: pending.rememberMe,
    session: { token },
    alongside: [...ending, ...trusted.statements],
  }).catch(refuse)
  if (result.kind === 'challenged') throw core.FAILED_TO_CREATE_SESSION()
  trusted.written()
  return { token, user }
}

/** Somebody who is signed in and protected already proves it again; the session stays. */
async function useInSession(
  scope: Scope,
  { user, session: { token } }: Caller,
  right: RightCode,
  { trustDevice: trust }: Wishes,
): Promise<Verified> {
  const trusted = trusting(scope, user, right, token, trust)
  await runBatch(scope.db, [...right.use, ...trusted.statements]).catch(refuseLate(right.late))
  trusted.written()
  return { token, user }
}

/** The first code of a set-up puts it in force, and the session gets a new token. */
async function endSetUp(
  scope: Scope,
  caller: Caller,
  right: RightCode,
  { trustDevice: trust }: Wishes,
): Promise<Verified> {
  const now = scope.now()
  const user = { ...caller.user, twoFactorEnabled: true, updatedAt: now }
  const token = newSessionToken()
  const trusted = trusting(scope, user, right, token, trust)
  const alongside = [...right.use, ...confirmStatements(scope.db, right.record, now), ...trusted.statements]
  await rotateSession(scope, caller, user, { session: { token }, alongside }).catch(refuseLate(right.late))
  trusted.written()
  return { token, user }
}

const trusting = (scope: Scope, user: User, { record }: RightCode, token: string, wanted = false): Trust =>
  wanted ? trustDevice(scope, user, record.id, token) : noTrust

/** Says what is wrong when a batch was ended because another call was first. */
const refuseLate =
  (used: AppErrorKind, unmet: AppErrorKind = used) =>
  (thrown: unknown): never => {
    if (isUsedAlready(thrown)) throw used()
    throw isUnmetDemand(thrown) ? unmet() : thrown
  }
