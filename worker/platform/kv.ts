import { bounded, patience } from './bounded.ts'
import type { IoCount } from './io.ts'

export interface KeyValue {
  /** @throws Fault where KV cannot be reached; for what is only a cache see identity/read-cached.ts */
  get<T>(key: string): Promise<T | null>
  /** @param lifetime seconds; KV keeps nothing for less than a minute */
  put(key: string, value: unknown, lifetime: number): Promise<void>
  delete(key: string): Promise<void>
}

/** KV with JSON values, counted. Written by few and read by many: it is neither strict nor at once everywhere. */
export function keyValue(namespace: KVNamespace, io: IoCount, limit: number = patience.necessity): KeyValue {
  const reach = <T>(work: () => Promise<T>): Promise<T> => {
    io.kv++
    return bounded('KV', limit, work)
  }
  return {
    get: <T>(key: string) => reach(() => namespace.get<T>(key, 'json')),
    put: (key, value, lifetime) =>
      reach(() => namespace.put(key, JSON.stringify(value), { expirationTtl: Math.max(60, Math.ceil(lifetime)) })),
    delete: (key) => reach(() => namespace.delete(key)),
  }
}
