import type { IoCount } from './io.ts'

export interface KeyValue {
  get<T>(key: string): Promise<T | null>
  /** @param lifetime seconds; KV keeps nothing for less than a minute */
  put(key: string, value: unknown, lifetime: number): Promise<void>
  delete(key: string): Promise<void>
}

/** KV with JSON values, counted. Written by few and read by many: it is neither strict nor at once everywhere. */
export function keyValue(namespace: KVNamespace, io: IoCount): KeyValue {
  const counting = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return (...args: A) => {
      io.kv++
      return call(...args)
    }
  }
  return {
    get: counting((key: string) => namespace.get(key, 'json')) as KeyValue['get'],
    put: counting((key: string, value: unknown, lifetime: number) =>
      namespace.put(key, JSON.stringify(value), { expirationTtl: Math.max(60, Math.ceil(lifetime)) }),
    ),
    delete: counting((key: string) => namespace.delete(key)),
  }
}
