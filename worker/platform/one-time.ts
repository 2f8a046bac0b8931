import { faultIn } from '../kit/errors.ts'
import { hmac } from '../kit/hash.ts'
import { bounded, timeouts } from './bounded.ts'
import type { Judged, NewRecord, Peeked, Taken } from './durable/one-time.ts'
import type { Env } from './env.ts'
import type { IoCount } from './io.ts'

/** The purpose of a record. It is part of the name, so a record of one kind cannot be used as another. */
export type RecordKind = string

export interface OneTimeRecords {
  put(kind: RecordKind, id: string, record: Omit<NewRecord, 'serial'>): Promise<void>
  peek(kind: RecordKind, id: string): Promise<Peeked>
  /** @see OneTimeRecord.judge */
  judge(kind: RecordKind, id: string, code: string, own?: boolean): Promise<Judged>
  /** @see OneTimeRecord.take; without a nonce each call is a separate use */
  take(kind: RecordKind, id: string, options?: { code?: string; nonce?: string }): Promise<Taken>
  /** Runs the effect of a taken record. A Fault restores the record, so that the caller can retry. */
  onTaken<T>(kind: RecordKind, id: string, work: () => Promise<T>): Promise<T>
  drop(kind: RecordKind, id: string): Promise<void>
}

/** Records that can be used once, named by HMACs. An unreachable object is called twice; then the result is a Fault. */
export function oneTimeRecords(namespace: Env['ONE_TIME'], secret: string, io: IoCount): OneTimeRecords {
  const stub = (kind: RecordKind, id: string) => {
    io.durable++
    return namespace.getByName(hmac(secret, `one-time:${kind}:${id}`))
  }
  const reach = <T>(work: () => Promise<T>) => bounded('one-time record', timeouts.required, work)
  /** Retries once, for idempotent calls. */
  const again = <T>(work: () => Promise<T>) => reach(work).catch(() => reach(work))
  const sealed = (kind: RecordKind, code: string) => hmac(secret, `code:${kind}:${code}`)
  return {
    async put(kind, id, record) {
      const code = record.code === undefined ? undefined : sealed(kind, record.code)
      // Both attempts have the same serial, so a late first attempt does not restore a used record.
      const serial = crypto.randomUUID()
      await again(async () => stub(kind, id).put({ ...record, serial, ...(code === undefined ? {} : { code }) }))
    },
    peek: (kind, id) => again(async () => stub(kind, id).peek()),
    judge: (kind, id, code, own = false) => reach(async () => stub(kind, id).judge(sealed(kind, code), own)),
    take: (kind, id, { code, nonce = crypto.randomUUID() } = {}) =>
      again(async () => stub(kind, id).take(nonce, code === undefined ? undefined : sealed(kind, code))),
    async onTaken(kind, id, work) {
      try {
        return await work()
      } catch (thrown) {
        if (faultIn(thrown)) await again(async () => stub(kind, id).restore()).catch(() => {})
        throw thrown
      }
    },
    drop: (kind, id) => again(async () => stub(kind, id).drop()),
  }
}
