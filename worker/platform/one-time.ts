import { hmac } from '../kit/hash.ts'
import type { NewRecord, Peeked, Taken } from './durable/one-time.ts'
import type { Env } from './env.ts'
import type { IoCount } from './io.ts'

/** What a record is for. A record of one kind can never be used as another: the kind is part of its name. */
export type RecordKind = string

export interface OneTimeRecords {
  put(kind: RecordKind, id: string, record: NewRecord): Promise<void>
  peek(kind: RecordKind, id: string): Promise<Peeked>
  /** @see OneTimeRecord.take; without a nonce every call is a use of its own */
  take(kind: RecordKind, id: string, options?: { code?: string; nonce?: string }): Promise<Taken>
  drop(kind: RecordKind, id: string): Promise<void>
}

/**
 * Records that can be used once. Their names and codes are HMACs, so that nothing that is stored can be used.
 * When the object cannot be reached the call throws, and the use is refused.
 */
export function oneTimeRecords(namespace: Env['ONE_TIME'], secret: string, io: IoCount): OneTimeRecords {
  const stub = (kind: RecordKind, id: string) => {
    io.durable++
    return namespace.getByName(hmac(secret, `one-time:${kind}:${id}`))
  }
  const sealed = (kind: RecordKind, code: string) => hmac(secret, `code:${kind}:${code}`)
  return {
    async put(kind, id, record) {
      const code = record.code === undefined ? undefined : sealed(kind, record.code)
      await stub(kind, id).put({ ...record, ...(code === undefined ? {} : { code }) })
    },
    peek: async (kind, id) => stub(kind, id).peek(),
    take: async (kind, id, { code, nonce } = {}) =>
      stub(kind, id).take(nonce ?? crypto.randomUUID(), code === undefined ? undefined : sealed(kind, code)),
    drop: async (kind, id) => stub(kind, id).drop(),
  }
}
