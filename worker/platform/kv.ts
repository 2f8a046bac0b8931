import { bounded, timeouts } from './bounded.ts'
import type { IoCount } from './io.ts'

export interface KeyValue {
  /** @throws Fault if KV cannot be reached; for caches see identity/read-cached.ts */
  get<T>(key: string): Promise<T | null>
  /** @param lifetime seconds; the minimum of KV is one minute */
  put(key: string, value: unknown, lifetime: number): Promise<void>
  delete(key: string): Promise<void>
}

/** KV with JSON values, counted. Reads are eventually consistent. */
export function keyValue(namespace: KVNamespace, io: IoCount, limit: number = timeouts.required): KeyValue {
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

/** Records of one page: an invocation may make 1,000 calls. */
const pageSize = 200

/** Deletes a page of records. @returns their number, and the place of the next page, or null @throws Fault */
export async function deletePage(
  namespace: KVNamespace,
  io: IoCount,
  prefix: string,
  cursor: string | null,
): Promise<{ count: number; cursor: string | null }> {
  const page = await bounded('KV', timeouts.required, () => namespace.list({ prefix, limit: pageSize, cursor }))
  io.kv += 1 + page.keys.length
  for (let at = 0; at < page.keys.length; at += 20) {
    const some = page.keys.slice(at, at + 20)
    await bounded('KV', timeouts.required, () => Promise.all(some.map(({ name }) => namespace.delete(name))))
  }
  return { count: page.keys.length, cursor: page.list_complete ? null : page.cursor }
}
