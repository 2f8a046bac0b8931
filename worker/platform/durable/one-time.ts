import { DurableObject } from 'cloudflare:workers'

/** How long an expired record is stored, so that "expired" can be distinguished from "never existed". */
const remembered = 60 * 60 * 1000

/** The stored number of puts of one name: one per request for a code, within the limits of requests. */
const rememberedSerials = 20

interface StoredRecord {
  value: string
  /** Unix time in milliseconds. */
  expiresAt: number
  /** HMAC of the code; null if the name of the record is the proof. */
  code: string | null
  attempts: number
  maxAttempts: number
  /** Wrong guesses from the owner's own browser, which has a separate limit of the same size. */
  ownAttempts?: number
  /** Other browsers have guessed too often. The record has ended for them. */
  closed?: boolean
  /** Distinguishes this record from earlier ones with the same name. */
  serial: string
  /** The nonce of the call that took the record. A repeated call gets the same answer; other calls get nothing. */
  takenBy: string | null
}

export interface NewRecord {
  value: string
  expiresAt: number
  code?: string
  maxAttempts?: number
  /** Identifies this record among those with the same name. A second put with the same serial changes nothing. */
  serial: string
}

export type Peeked = { kind: 'there'; value: string; expiresAt: number } | { kind: 'missing' } | { kind: 'expired' }

export type Taken =
  | { kind: 'taken'; value: string }
  /** `spent`: too many guesses have ended the record recently. */
  | { kind: 'missing'; spent?: boolean }
  | { kind: 'expired' }
  | { kind: 'wrong'; attemptsLeft: number }
  | { kind: 'too-many' }

/** The result of a guess. A right guess uses nothing: the batch of its effect does (`used_records`). */
export type Judged =
  | { kind: 'right'; value: string; serial: string; expiresAt: number }
  | Exclude<Taken, { kind: 'taken' }>

/** A record that can be used once. No `await` is between reading and writing, which makes a claim atomic. */
export class OneTimeRecord extends DurableObject {
  private read(): StoredRecord | undefined {
    return this.ctx.storage.kv.get<StoredRecord>('record')
  }

  private write(record: StoredRecord): void {
    this.ctx.storage.kv.put('record', record)
  }

  private wasSpent(): boolean {
    return (this.ctx.storage.kv.get<number>('spentUntil') ?? 0) > Date.now()
  }

  /** Stores the record. A repeated put after its use or drop is ignored: it would make a used code valid again. */
  async put({ value, expiresAt, code, maxAttempts, serial }: NewRecord): Promise<void> {
    const seen = this.ctx.storage.kv.get<string[]>('serials') ?? []
    if (seen.includes(serial)) return
    this.ctx.storage.kv.put('serials', [serial, ...seen].slice(0, rememberedSerials))
    this.write({
      value,
      expiresAt,
      code: code ?? null,
      attempts: 0,
      maxAttempts: maxAttempts ?? Number.MAX_SAFE_INTEGER,
      serial,
      takenBy: null,
    })
    this.ctx.storage.kv.delete('spentUntil')
    await this.ctx.storage.setAlarm(expiresAt + remembered)
  }

  /** Reads the record without using it. */
  peek(): Peeked {
    const record = this.read()
    if (!record || record.takenBy) return { kind: 'missing' }
    if (record.expiresAt <= Date.now()) return { kind: 'expired' }
    return { kind: 'there', value: record.value, expiresAt: record.expiresAt }
  }

  /**
   * Judges a guess at the record's code, and counts a wrong one. The guess after the last one ends the record unread;
   * guesses of strangers end it for them only (`own`: from the owner's browser). @param guess HMAC of the code
   */
  judge(guess: string | undefined, own = false): Judged {
    const record = this.read()
    if (!record) return { kind: 'missing', spent: this.wasSpent() }
    if (record.takenBy) return { kind: 'missing' }
    if (record.expiresAt <= Date.now()) return { kind: 'expired' }
    if (record.closed && !own) return { kind: 'missing', spent: true }
    if (record.code !== null) {
      const attempts = own ? (record.ownAttempts ?? 0) : record.attempts
      if (attempts >= record.maxAttempts) {
        if (own) this.ctx.storage.kv.delete('record')
        else this.write({ ...record, closed: true })
        this.ctx.storage.kv.put('spentUntil', record.expiresAt)
        return { kind: 'too-many' }
      }
      // Both are HMACs under a secret key, so the time of a comparison reveals nothing.
      if (record.code !== guess) {
        this.write({ ...record, [own ? 'ownAttempts' : 'attempts']: attempts + 1 })
        return { kind: 'wrong', attemptsLeft: record.maxAttempts - attempts - 1 }
      }
    }
    return { kind: 'right', value: record.value, serial: record.serial, expiresAt: record.expiresAt }
  }

  /** Uses the record where no write in D1 follows: one call gets its value. @param nonce gets the same answer again */
  take(nonce: string, guess?: string): Taken {
    const record = this.read()
    if (record?.takenBy === nonce) return { kind: 'taken', value: record.value }
    const judged = this.judge(guess)
    if (judged.kind !== 'right') return judged
    this.write({ ...this.read()!, takenBy: nonce })
    return { kind: 'taken', value: judged.value }
  }

  /** Restores a taken record whose effect failed. */
  restore(): void {
    const record = this.read()
    if (record?.takenBy) this.write({ ...record, takenBy: null })
  }

  /** Deletes the record; its serial remains until the alarm. */
  drop(): void {
    this.ctx.storage.kv.delete('record')
    this.ctx.storage.kv.delete('spentUntil')
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
