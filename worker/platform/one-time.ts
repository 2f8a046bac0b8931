import { faultIn } from '../kit/errors.ts'
import { hmac } from '../kit/hash.ts'
import { bounded, patience } from './bounded.ts'
import type { Judged, NewRecord, Peeked, Taken } from './durable/one-time.ts'
import type { Env } from './env.ts'
import type { IoCount } from './io.ts'

/** What a record is for. A record of one kind can never be used as another: the kind is part of its name. */
export type RecordKind = string

export interface OneTimeRecords {
  put(kind: RecordKind, id: string, record: NewRecord): Promise<void>
  peek(kind: RecordKind, id: string): Promise<Peeked>
  /** @see OneTimeRecord.judge */
  judge(kind: RecordKind, id: string, code: string, own?: boolean): Promise<Judged>
  /** @see OneTimeRecord.take; without a nonce every call is a use of its own */
  take(kind: RecordKind, id: string, options?: { code?: string; nonce?: string }): Promise<Taken>
  /** Does what a record was taken for. A fault gives the record back, so that the same call can be made again. */
  onTaken<T>(kind: RecordKind, id: string, work: () => Promise<T>): Promise<T>
  drop(kind: RecordKind, id: string): Promise<void>
}

/**
 * Records that can be used once. Their names and codes are HMACs, so that nothing that is stored can be used.
 * An object that cannot be reached is asked once more, then it is a Fault, and the use is refused.
 */
export function oneTimeRecords(namespace: Env['ONE_TIME'], secret: string, io: IoCount): OneTimeRecords {
  const stub = (kind: RecordKind, id: string) => {
    io.durable++
    return namespace.getByName(hmac(secret, `one-time:${kind}:${id}`))
  }
  const reach = <T>(work: () => Promise<T>) => bounded('one-time record', patience.necessity, work)
  /** Once more, for calls that change nothing when they come twice. */
  const again = <T>(work: () => Promise<T>) => reach(work).catch(() => reach(work))
  const sealed = (kind: RecordKind, code: string) => hmac(secret, `code:${kind}:${code}`)
  return {
    async put(kind, id, record) {
      const code = record.code === undefined ? undefined : sealed(kind, record.code)
      await again(async () => stub(kind, id).put({ ...record, ...(code === undefined ? {} : { code }) }))
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
