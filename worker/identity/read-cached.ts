import { reasonOf } from '../platform/log.ts'
import type { Scope } from './scope.ts'

/** Documents of other servers, cached in KV. An unreachable cache counts as empty. */
export async function readCached<T>(scope: Scope, key: string): Promise<T | null> {
  try {
    return await scope.uncounted.kv.get<T>(key)
  } catch (thrown) {
    scope.log('warn', 'cache-unreachable', { reason: reasonOf(thrown) })
    return null
  }
}
