import type { SQL } from 'drizzle-orm'
import type { AppErrorKind } from '../../kit/errors.ts'
import type { Condition } from '../../platform/statements.ts'
import type { EventMethod, FactorMethod, SignInMethod } from '../model/method.ts'
import type { User } from '../model/users.table.ts'
import { contributed, hasSecondFactor } from '../registry.ts'
import type { Caller, Scope, StepUpFactor } from '../scope.ts'
import { securityEvent } from '../security/security-events.ts'
import { showSession } from '../sessions/sessions.ts'
import { unitOfWork } from '../unit-of-work.ts'
import type { Work } from '../work.ts'
import { callerIsUnchanged, type Means, meansStatement, recordAuthentication } from './step-up.store.ts'

/**
 * Step-up: the caller authenticates again inside the session, which keeps its id and its token. Features contribute the
 * factors (`stepUp` and `stepUpProvider` of http/feature.ts) and call completeStepUp. A user with a second factor must
 * use that one.
 */

/** The place of each factor in `methods` of an error: the strongest and quickest first. Other methods confirm nothing. */
const places: Record<FactorMethod, number> & Record<Exclude<SignInMethod, FactorMethod>, null> = {
  passkey: 1,
  password: 2,
  totp: 3,
  'email-otp': 4,
  'phone-otp': 5,
  'backup-code': 6,
  // The password confirms.
  email: null,
  username: null,
  'phone-number': null,
  'sign-up': null,
  // A code to the same mailbox confirms.
  'magic-link': null,
  'email-verification': null,
  // Linked providers confirm, too: `provider:` and the id. Cloudflare Access and connections do not (decision 215).
  social: null,
  'cloudflare-access': null,
  sso: null,
  anonymous: null,
  impersonation: null,
  rotation: null,
}

const stepUpFactors = ({ lifecycle }: Scope): StepUpFactor[] => contributed({ lifecycle }, 'wayIn', 'stepUp').flat()

/** The factors of a user: those of the second factor for a user who needs one, otherwise those of the first. */
const factorsOf = (scope: Scope, user: User, needsSecond: boolean): StepUpFactor[] => {
  const wanted = needsSecond ? 'second' : 'first'
  return stepUpFactors(scope).filter(
    ({ factor, isOffered }) => (factor === 'both' || factor === wanted) && (isOffered?.(scope, user) ?? true),
  )
}

/** The factors of the first step that are second factors of users who have them, by the configuration. */
const laterFactors = (scope: Scope): StepUpFactor[] =>
  stepUpFactors(scope).filter(({ isSecondFactor }) => isSecondFactor?.(scope))

/** Whether the user has a second factor: by the row, and by one read where the configuration has others. */
export async function needsSecondFactor(scope: Scope, user: User): Promise<boolean> {
  if (hasSecondFactor(scope, user)) return true
  const later = laterFactors(scope)
  if (later.length === 0) return false
  scope.io.declare({ d1: 1 })
  const [means] = await meansOf(scope, user.id)
  return later.some(({ method }) => (means as Means)[method] === 1)
}

/** The factor of a caller for a step-up. @returns null also for a first factor of a user with a second one */
export async function factorFor(scope: Scope, user: User, method: FactorMethod): Promise<StepUpFactor | null> {
  const factors = factorsOf(scope, user, await needsSecondFactor(scope, user))
  return factors.find((offered) => offered.method === method) ?? null
}

/** Statement: the available factors of a user. */
export const meansOf = (scope: Scope, userId: string | SQL) =>
  meansStatement(
    scope.db,
    userId,
    Object.fromEntries(stepUpFactors(scope).flatMap(({ method, has }) => (has ? [[method, has(userId)]] : []))),
  )

/** The step-up methods of a user, with their names in the protocol. @param means the row of `meansOf` */
export function methodsOf(scope: Scope, user: User, means: Means): string[] {
  const needsSecond = hasSecondFactor(scope, user) || laterFactors(scope).some(({ method }) => means[method] === 1)
  const factors = factorsOf(scope, user, needsSecond)
    .filter(({ method, has }) => !has || means[method] === 1)
    .map(({ method }) => method)
    .sort((one, other) => places[one] - places[other])
  if (needsSecond) return factors
  const linked = [...new Set(JSON.parse(means.providers) as string[])]
  const providers = linked.filter((id) =>
    contributed(scope, 'wayIn', 'stepUpProvider').some((isConfigured) => isConfigured(scope, id)),
  )
  return [...factors, ...providers.map((id) => `provider:${id}`)]
}

/** The same, read in one round trip. */
export async function readMethods(scope: Scope, user: User): Promise<string[]> {
  const [means] = await meansOf(scope, user.id)
  return methodsOf(scope, user, means as Means)
}

/** A verified proof that is not used yet. */
export interface StepUpProof {
  /** A factor, or the id of a provider. */
  method: EventMethod
  /** See sessions/amr.ts. */
  amr: readonly string[]
  /** Uses the proof, in the batch of the step-up. */
  use?(work: Work): void
  /** Further conditions of that batch, such as the password hash that was verified. */
  guard?: Condition
  /** Thrown if the proof was used, or the session or the user has changed since the read. */
  late: AppErrorKind
}

/** The last authentication of a session. */
export interface SteppedUp {
  authenticatedAt: Date
  amr: string[]
}

/**
 * Records the authentication in the caller's session, in one batch with the use of the proof. Of several parallel uses
 * one succeeds; none succeeds after the session has ended, the password was changed, or the user was banned.
 * @throws `late` of the proof
 */
export async function completeStepUp(scope: Scope, caller: Caller, proof: StepUpProof): Promise<SteppedUp> {
  const { session, user } = caller
  const stepped: SteppedUp = { authenticatedAt: scope.now(), amr: [...proof.amr] }
  const event = { type: 'step-up', user, method: proof.method, sessionId: session.id } as const
  scope.auditing.allowance = 'sign-in'
  const work = unitOfWork(scope, proof.late)
  proof.use?.(work)
  work.require(callerIsUnchanged(session, user, stepped.authenticatedAt))
  if (proof.guard) work.require(proof.guard)
  work.run(recordAuthentication(scope.db, session.id, stepped.authenticatedAt, stepped.amr))
  securityEvent(scope, work, event)
  await work.commit()
  showSession(scope, caller, stepped)
  return stepped
}
