import type { User } from '../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { type AmrValue, amrOf, secondFactor } from '../../identity/sessions/amr.ts'
import { newSessionToken } from '../../identity/sessions/sessions.ts'
import { completeSignIn } from '../../identity/sign-in/sign-in.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { type Guess, onGuess } from '../../identity/verifications/guesses.ts'
import type { Work } from '../../identity/work.ts'
import type { AppErrorKind } from '../../kit/errors.ts'
import type { Subject } from './code-owner.ts'
import { clearPending, type Pending, pendingUse } from './pending.ts'
import { rotateSession } from './rotate-session.ts'
import { factorEvent } from './set-up.ts'
import { trustDevice } from './trusted-devices.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'
import { confirmRecord } from './two-factor.store.ts'
import type { TwoFactor } from './two-factor.table.ts'

/** The effect of a right code. */

/** A correct code that is not used yet. */
export interface UnusedFactorCode {
  /** Its record; null for a mailed code of a user without a second factor. */
  record: TwoFactor | null
  guess: Guess
  /** Uses the code, in the unit of work of its effect. */
  use(work: Work): void
  /** The error when a concurrent call has used the code. */
  late: AppErrorKind
}

export interface Wishes {
  trustDevice?: boolean | undefined
  /** For a backup code that completes a sign-in: uses the code. */
  disableSession?: boolean | undefined
}

/** What completes a waiting sign-in: a code, or a passkey. */
export interface UnusedProof extends Omit<UnusedFactorCode, 'guess'> {
  /** See sessions/amr.ts. Default: of a code. */
  amr?: AmrValue[]
}

/** `token` is missing if no session was requested. */
export interface VerifiedFactor {
  token?: string
  user: User
}

/**
 * Commits the use of a code with its effects: of parallel uses one succeeds, and an outage uses nothing and gives the
 * guess back. @throws INVALID_TWO_FACTOR_COOKIE when the sign-in is no longer pending; `late`; FAILED_TO_CREATE_SESSION
 */
export async function finish(
  scope: Scope,
  { user, at }: Subject,
  right: UnusedFactorCode,
  wishes: Wishes,
): Promise<VerifiedFactor> {
  const verified = await onGuess(right.guess, () => {
    if (at.kind === 'challenge') return endChallenge(scope, user, at.pending, right, wishes)
    const { record } = right
    // A session has a code only for a record.
    if (!record) throw errors.OTP_NOT_ENABLED()
    const act = record.confirmed ? useInSession : endSetUp
    return act(scope, at.caller, { ...right, record }, wishes)
  })
  right.guess.succeeded()
  return verified
}

/** The pending sign-in goes through completeSignIn, which does not ask for the second factor again. */
export async function endChallenge(
  scope: Scope,
  user: User,
  pending: Pending,
  right: UnusedProof,
  { trustDevice: trust, disableSession }: Wishes,
): Promise<VerifiedFactor> {
  const work = unitOfWork(scope, right.late)
  work.use(pendingUse(pending), errors.INVALID_TWO_FACTOR_COOKIE)
  right.use(work)
  if (disableSession) {
    await work.commit()
    clearPending(scope)
    return { user }
  }
  const token = newSessionToken()
  if (trust && right.record) trustDevice(scope, work, user, right.record.id, token)
  const { method, rememberMe, shownMethod = method, risk, upstream = null } = pending
  const result = await completeSignIn(scope, work, {
    ...{ user, method, shownMethod, proven: 'second-factor', rememberMe, risk },
    // A code to a user without a second factor does not meet the rules of organizations.
    ...(right.record && !right.amr ? {} : { amr: right.amr ?? amrOf(method, shownMethod, 'password') }),
    session: { token, upstream },
  })
  if (result.kind === 'challenged') throw core.FAILED_TO_CREATE_SESSION()
  return { token, user }
}

/** A signed-in user with a second factor gives it again; the session remains. */
async function useInSession(
  scope: Scope,
  { user, session: { token } }: Caller,
  right: UnusedFactorCode & { record: TwoFactor },
  { trustDevice: trust }: Wishes,
): Promise<VerifiedFactor> {
  const work = unitOfWork(scope, right.late)
  right.use(work)
  if (trust) trustDevice(scope, work, user, right.record.id, token)
  await work.commit()
  return { token, user }
}

/** The first code of a setup enables it, and the session gets a new token. */
async function endSetUp(
  scope: Scope,
  caller: Caller,
  right: UnusedFactorCode & { record: TwoFactor },
  { trustDevice: trust }: Wishes,
): Promise<VerifiedFactor> {
  const now = scope.now()
  const user = { ...caller.user, twoFactorEnabled: true, updatedAt: now }
  const token = newSessionToken()
  const work = unitOfWork(scope, right.late)
  right.use(work)
  confirmRecord(scope.db, work, right.record, now)
  if (trust) trustDevice(scope, work, user, right.record.id, token)
  factorEvent(scope, work, caller, 'two-factor-enabled')
  const amr = [...new Set([...caller.session.amr, ...secondFactor])]
  await rotateSession(scope, work, caller, user, { session: { token, amr } })
  return { token, user }
}
