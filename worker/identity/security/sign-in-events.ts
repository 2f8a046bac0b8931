import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { after, hours, minutes } from '../../kit/time.ts'
import type { Condition } from '../../platform/statements.ts'
import { securityLogOptions } from '../audit/security-log.config.ts'
import { actorOf } from '../caller.ts'
import type { Challenge, Proof, SignInAttempt } from '../lifecycle.ts'
import type { FactorMethod } from '../model/method.ts'
import { type RiskDecision, riskDetails } from '../model/risk.ts'
import { securityEvents } from '../model/security-events.table.ts'
import type { Session } from '../model/sessions.table.ts'
import type { User } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { knownDevice, nameByAddress } from '../sessions/known-device.ts'
import type { Work } from '../work.ts'
import { eventRow, hasFewerEvents, noteSecurityEvent, recordRow, securityEvent } from './security-events.ts'
import { notify, notifyUnlessAnswered } from './security-notices.ts'

/**
 * Records a sign-in in the batch of its session, and notifies the owner of a new device or country. It costs no read:
 * the statement of the notice compares with the sign-ins in the log.
 */
export function recordSignIn(
  scope: Scope,
  work: Work,
  session: Session,
  { user, proven }: { user: User; proven: Proof },
  assessed?: RiskDecision,
): void {
  const { id: sessionId, method } = session
  const actorId = actorOf(session)
  if (actorId !== null) {
    securityEvent(scope, work, { type: 'impersonation-started', user, sessionId, actorId })
    return
  }
  const risk = proven === 'second-factor' ? assessed : withoutChallenge(assessed)
  const details = riskDetails(risk)
  const row = eventRow(scope, { type: 'sign-in', user, method, sessionId, details })
  // The record of the request, with the decision.
  if (details) work.audit({ after: details })
  const isNew = proven === 'creation' ? null : isSurprising(risk) ? sql`true` : newDevice(scope, user)
  if (isNew) notify(scope, work, 'sign-in', user, isNew)
  recordRow(scope, work, row)
}

/** Of a challenge that nothing can answer, such as without a verified address, a notice remains. */
const withoutChallenge = (risk: RiskDecision | undefined): RiskDecision | undefined =>
  risk?.level === 'challenge' ? { ...risk, level: 'notice' } : risk

/** Whether the owner gets a notice whatever the log contains. The log decides about new devices and countries. */
const isSurprising = (risk: RiskDecision | undefined): boolean =>
  risk?.level === 'notice' &&
  risk.reasons.some((reason) => reason === 'impossible-travel' || reason.startsWith('product:'))

/** Events of an hour. A caller with the password must not replace the whole log. */
const maxChallenges = 20

/**
 * Records that a right password from an unknown place was not enough. It creates no session, so it writes no audit record.
 * If no answer follows, someone else knows the password: the owner gets a notice, at most one a day.
 */
export function recordChallenge(
  scope: Scope,
  work: Work,
  { user, risk }: SignInAttempt,
  { lifetime }: Pick<Challenge, 'lifetime'>,
): void {
  if (risk?.level !== 'challenge') return
  const event = { type: 'sign-in-challenged', outcome: 'failure', user, method: 'password' } as const
  const when = hasFewerEvents(maxChallenges, event, after(scope.now(), -hours(1)))
  const row = eventRow(scope, { ...event, details: riskDetails(risk) })
  recordRow(scope, work, row, when)
  notifyUnlessAnswered(scope, work, row, user, lifetime + minutes(1))
  work.audit(null)
}

/**
 * Holds for a sign-in that requires a notice; null if none can. A browser with the user's device cookie is known, as is
 * one whose user agent and country (or unknown country) occur together in the log. A country that is not in the log is new
 * in both cases.
 * The first sign-in to a new account causes no notice. An older account without a sign-in in the log was not used
 * during the retention of the log.
 */
function newDevice(scope: Scope, user: User): Condition | null {
  const { userAgent, place } = scope.request
  const { country } = place
  const inCountry = sql`${securityEvents.country} is ${country}`
  if (knownDevice(scope, nameByAddress(user.email))?.isKnownFor(user)) {
    if (country === null) return null
    return and(sql`not ${hasSignedIn(user, inCountry)}`, hasSignedIn(user, isNotNull(securityEvents.country)))!
  }
  const unseen = sql`not ${hasSignedIn(user, inCountry, eq(securityEvents.userAgent, userAgent))}`
  const isOld = after(user.createdAt, securityLogOptions.of(scope).retention) < scope.now()
  return isOld ? unseen : and(unseen, hasSignedIn(user))!
}

/** Reads one entry of the index, however many sign-ins the log has. @param others its next columns */
const hasSignedIn = (user: User, ...others: SQL[]): SQL =>
  sql`exists (select 1 from ${securityEvents} indexed by security_events_sign_ins where ${and(
    eq(securityEvents.userId, user.id),
    sql`${securityEvents.type} = 'sign-in'`,
    ...others,
  )})`

/** An admitted guess of a sign-in that failed. */
export interface FailedSignIn {
  user: User
  method: FactorMethod
  /** Whether the guess was the last one of its budget in this window. */
  isLast?: boolean | undefined
}

/** Records a failed sign-in to an existing account, and with the last guess of a window the lockout. */
export function noteFailedSignIn(scope: Scope, { user, method, isLast = false }: FailedSignIn): void {
  noteSecurityEvent(scope, { type: 'sign-in-failed', outcome: 'failure', user, method })
  if (isLast) noteSecurityEvent(scope, { type: 'locked-out', outcome: 'failure', user, method })
}
