import { BoundedMap } from '../kit/bounded-map.ts'
import { minutes, ms } from '../kit/time.ts'
import { reasonOf } from '../platform/log.ts'
import type { Scope } from './scope.ts'

/**
 * Documents of other servers, cached in KV. For a minute after a write, KV may return the value before it, or none: the isolate
 * that wrote reads its own value, so that the requests of this minute do not fetch the document again.
 */

const lag = minutes(1)

interface Written {
  value: unknown
  until: number
}

/** The writes of an isolate, for each deployment that it serves. */
const written = new WeakMap<Scope['settings'], BoundedMap<string, Written>>()

/** An unreachable cache counts as empty. */
export async function readCached<T>(scope: Scope, key: string): Promise<T | null> {
  try {
    const cached = await scope.io.uncounted.kv.get<T>(key)
    const own = written.get(scope.settings)?.get(key)
    return own && own.until > scope.now().getTime() ? (own.value as T) : cached
  } catch (thrown) {
    scope.log('warn', 'cache-unreachable', { reason: reasonOf(thrown) })
    return null
  }
}

/** Stores a document after the response. @param lifetime seconds, at least one minute */
export function writeCached(scope: Scope, key: string, value: unknown, lifetime: number): void {
  const own = written.get(scope.settings) ?? new BoundedMap<string, Written>(100)
  written.set(scope.settings, own.set(key, { value, until: scope.now().getTime() + ms(lag) }))
  scope.after(() => scope.io.uncounted.kv.put(key, value, lifetime))
}
