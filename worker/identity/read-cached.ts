import { reasonOf } from '../platform/log.ts'
import type { Scope } from './scope.ts'

/** What KV remembers of documents that others publish. A cache that cannot be read is an empty one. */
export async function readCached<T>(scope: Scope, key: string): Promise<T | null> {
  try {
    return await scope.uncounted.kv.get<T>(key)
  } catch (thrown) {
    scope.log('warn', 'cache-unreachable', { reason: reasonOf(thrown) })
    return null
  }
}
