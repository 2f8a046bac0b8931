import type { AuditActor } from '../../identity/model/audit-context.ts'
import { AlmostFull, sizeLevels } from '../../platform/database-size.ts'
import type { Endpoint, WhenFull } from '../endpoint.ts'

/** Visitors, guests and directories: what they create could fill the database. */
const isStranger = ({ access }: Endpoint, { type, isGuest }: AuditActor): boolean =>
  isGuest === true || access === 'directory' || (access === 'visitor' && (type === 'visitor' || type === 'client'))

/**
 * Why a call writes although the database is nearly full; null if it does not. An endpoint that says nothing and changes
 * something does not. Records of proofs expire within a day, and lead to a sign-in or a change of security.
 */
export function purposeOf({
  changes,
  limits: { whenFull, creates } = {},
}: Endpoint): WhenFull | 'reads' | 'proves' | null {
  if (whenFull) return whenFull
  if (creates === 'ends') return 'ends'
  if (changes.length === 0) return 'reads'
  return changes.every((change) => change === 'verification') ? 'proves' : null
}

/**
 * The one decision about calls while the database is nearly full (decision 320). From 85 % on, strangers create nothing; from
 * 95 % on, only calls with a purpose write.
 * @param fullness the used part of the maximum size
 * @param creates what a call with a purpose creates, such as the user of a first sign-in
 * @throws AlmostFull: 503 DATABASE_ALMOST_FULL
 */
export function refuseWithoutRoom(
  endpoint: Endpoint,
  actor: AuditActor,
  fullness: number,
  creates?: 'user' | 'entry',
): void {
  if (fullness < sizeLevels.shortened) return
  const mayWrite = creates === undefined && purposeOf(endpoint) !== null
  if (mayWrite) return
  const adds = creates !== undefined || endpoint.limits?.creates === undefined
  if (fullness >= sizeLevels.reserved || (adds && isStranger(endpoint, actor))) throw new AlmostFull()
}
