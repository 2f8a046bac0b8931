import type { Scope } from '../../identity/scope.ts'
import { knowsEndedSessions, refreshSoon } from '../../identity/sessions/ended-sessions.ts'
import { ms } from '../../kit/time.ts'
import { maxOutage } from '../../platform/circuit.ts'
import { apiKeyOptions } from './api-key.config.ts'
import type { OwnedKey } from './api-key.store.ts'

/**
 * Keys that this isolate has read and accepted, for uses without I/O. The feed of ended sessions also names changed keys,
 * and owners who have changed. Only keys whose uses are not counted are remembered (decision 182).
 */

/** A key as it was read. */
interface Verdict {
  owned: OwnedKey
  /** Unix time (ms) of its expiry here. */
  until: number
}

/** An owner has about a kilobyte. */
const maxEntries = 5000

/** By the memory of the isolate that reads the feed. */
const isolates = new WeakMap<object, Map<string, Verdict>>()

function verdictsOf({ shared: { ended } }: Scope): Map<string, Verdict> {
  const known = isolates.get(ended) ?? new Map<string, Verdict>()
  isolates.set(ended, known)
  return known
}

/** @param at Unix time (ms): now, or an earlier time for a verdict that is read as of then */
const hasChanged = ({ shared: { ended } }: Scope, { key }: OwnedKey, at: number): boolean =>
  ended.has('all:', at) ||
  ended.has(`key:${key.id}`, at) ||
  ended.has(`keys-of:${key.userId ?? key.organizationId}`, at)

/** Whether the feed is known and names neither the key nor its owner. */
export const isCurrent = async (scope: Scope, owned: OwnedKey): Promise<boolean> =>
  (await knowsEndedSessions(scope)) && !hasChanged(scope, owned, scope.now().getTime())

/** @param readAt a time before the read */
export function rememberKey(scope: Scope, hash: string, owned: OwnedKey, readAt: Date): void {
  const { enabled, maxAge } = apiKeyOptions.of(scope).cache
  const verdicts = verdictsOf(scope)
  verdicts.delete(hash)
  // A replica may have returned the state before a change.
  if (!enabled || hasChanged(scope, owned, scope.now().getTime())) return
  if (verdicts.size >= maxEntries) verdicts.delete(verdicts.keys().next().value!)
  // The next use needs the feed.
  refreshSoon(scope)
  verdicts.set(hash, { owned, until: readAt.getTime() + ms(maxAge) })
}

export const forgetKey = (scope: Scope, hash: string): void => void verdictsOf(scope).delete(hash)

/** Whether `knownKey` may have an answer, also for an outage. */
export const isRemembered = (scope: Scope, hash: string): boolean => verdictsOf(scope).has(hash)

/** The key as it was read, if that is recent and the feed is known and names neither the key nor its owner. */
export const knownKey = (scope: Scope, hash: string): Promise<OwnedKey | null> =>
  asOf(scope, hash, () => scope.now().getTime())

/** The same while the database does not answer: for `maxOutage` longer. */
export const knownKeyInOutage = (scope: Scope, hash: string): Promise<OwnedKey | null> =>
  asOf(scope, hash, () => Math.max(scope.now().getTime() - ms(maxOutage), scope.shared.ended.completeFrom))

async function asOf(scope: Scope, hash: string, time: () => number): Promise<OwnedKey | null> {
  if (!isRemembered(scope, hash) || !(await knowsEndedSessions(scope))) return null
  const verdict = verdictsOf(scope).get(hash)
  const at = time()
  return verdict && verdict.until > at && !hasChanged(scope, verdict.owned, at) ? verdict.owned : null
}
