import type { Scope } from '../../identity/scope.ts'
import { knowsEndedSessions, refreshSoon } from '../../identity/sessions/ended-sessions.ts'
import { faultIn } from '../../kit/errors.ts'
import { ms, seconds } from '../../kit/time.ts'
import { maxOutage } from '../../platform/circuit.ts'
import { rememberedFor } from './server-keys.config.ts'
import { findKeyByHash } from './server-keys.store.ts'
import type { ServerKey } from './server-keys.table.ts'

/**
 * Server keys that this isolate has read. A busy back end costs one read in some seconds, and one that was verified in
 * the last minutes goes on while the database does not answer (decision 219).
 */

/** Seconds for which a key is used without a read: also a key that the command line deletes from D1 ends within 5. */
const usedFor = seconds(4)
const maxEntries = 1000

interface Known {
  key: ServerKey
  /** Unix time (ms) before the read. */
  readAt: number
}

/** By the memory of the isolate that reads the feed. */
const isolates = new WeakMap<object, Map<string, Known>>()

function keysOf({ shared: { ended } }: Scope): Map<string, Known> {
  const known = isolates.get(ended) ?? new Map<string, Known>()
  isolates.set(ended, known)
  return known
}

/** The key with this hash as it was read within the last seconds, or in an outage within the last minutes. */
export async function findServerKey(scope: Scope, hash: string): Promise<ServerKey | null> {
  const keys = keysOf(scope)
  const known = keys.get(hash)
  const now = scope.now().getTime()
  if (known && now - known.readAt < ms(usedFor) && !isRevoked(scope, known, now)) return known.key
  try {
    const key = await findKeyByHash(scope.db, hash)
    keys.delete(hash)
    if (!key) return null
    if (keys.size >= maxEntries) keys.delete(keys.keys().next().value!)
    keys.set(hash, { key, readAt: now })
    // An outage needs the feed.
    refreshSoon(scope)
    return key
  } catch (thrown) {
    if (known && faultIn(thrown) && (await goesOn(scope, known))) return known.key
    throw thrown
  }
}

const isRevoked = ({ shared: { ended } }: Scope, { key }: Known, at: number): boolean =>
  ended.has('all:', at) || ended.has(`server-key:${key.id}`, at)

async function goesOn(scope: Scope, known: Known): Promise<boolean> {
  if (!(await knowsEndedSessions(scope))) return false
  const at = Math.max(scope.now().getTime() - ms(maxOutage), scope.shared.ended.completeFrom)
  return known.readAt + ms(rememberedFor) > at && !isRevoked(scope, known, at)
}
