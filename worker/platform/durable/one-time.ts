import { DurableObject } from 'cloudflare:workers'

/** How long an expired record is remembered, so that "expired" can be told from "never was". */
const remembered = 60 * 60 * 1000

interface StoredRecord {
  value: string
  /** Unix time in milliseconds. */
  expiresAt: number
  /** HMAC of the code that has to be guessed; null where knowing the record's name is the proof. */
  code: string | null
  attempts: number
  maxAttempts: number
  /** Wrong guesses from the owner's own browser, which have as many again. */
  ownAttempts?: number
  /** Others have guessed too often: for them the record has ended. */
  closed?: boolean
  /** Tells this record from others that had its name, for what is kept elsewhere about its use. */
  serial: string
  /** The nonce of the call that took the record: a repeated call gets the same answer, any other gets nothing. */
  takenBy: string | null
}

export interface NewRecord {
  value: string
  expiresAt: number
  code?: string
  maxAttempts?: number
}

export type Peeked = { kind: 'there'; value: string; expiresAt: number } | { kind: 'missing' } | { kind: 'expired' }

export type Taken =
  | { kind: 'taken'; value: string }
  /** `spent`: too many guesses have ended it, not long ago. */
  | { kind: 'missing'; spent?: boolean }
  | { kind: 'expired' }
  | { kind: 'wrong'; attemptsLeft: number }
  | { kind: 'too-many' }

/** What a guess is worth. A right one uses nothing: the batch of what it is for does (`used_records`). */
export type Judged =
  | { kind: 'right'; value: string; serial: string; expiresAt: number }
  | Exclude<Taken, { kind: 'taken' }>

/**
 * One record that can be used once: a link's token, a code with its attempts, an authorization code, a state.
 * Between reading and writing there is no `await`, which is what makes a claim atomic.
 */
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

  /** Stores the record, in place of an earlier one. */
  async put({ value, expiresAt, code, maxAttempts }: NewRecord): Promise<void> {
    this.write({
      value,
      expiresAt,
      code: code ?? null,
      attempts: 0,
      maxAttempts: maxAttempts ?? Number.MAX_SAFE_INTEGER,
      serial: crypto.randomUUID(),
      takenBy: null,
    })
    this.ctx.storage.kv.delete('spentUntil')
    await this.ctx.storage.setAlarm(expiresAt + remembered)
  }

  /** Looks without using. */
  peek(): Peeked {
    const record = this.read()
    if (!record || record.takenBy) return { kind: 'missing' }
    if (record.expiresAt <= Date.now()) return { kind: 'expired' }
    return { kind: 'there', value: record.value, expiresAt: record.expiresAt }
  }

  /**
   * Judges a guess at the record's code, and counts it when it is wrong. The guess after the last one allowed is not
   * looked at and ends the record. What strangers guess ends it for them only: the owner's own browser has attempts of
   * its own.
   * @param guess HMAC of the guessed code
   * @param own whether it comes from the owner's own browser
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
      // Both are HMACs under a secret key, so a plain comparison tells a guesser nothing.
      if (record.code !== guess) {
        this.write({ ...record, [own ? 'ownAttempts' : 'attempts']: attempts + 1 })
        return { kind: 'wrong', attemptsLeft: record.maxAttempts - attempts - 1 }
      }
    }
    return { kind: 'right', value: record.value, serial: record.serial, expiresAt: record.expiresAt }
  }

  /**
   * Uses the record, where no write in D1 follows that could: of any number of calls exactly one gets its value.
   * @param nonce of this use; the same nonce gets the same answer again
   * @param guess see `judge`
   */
  take(nonce: string, guess?: string): Taken {
    const record = this.read()
    if (record?.takenBy === nonce) return { kind: 'taken', value: record.value }
    const judged = this.judge(guess)
    if (judged.kind !== 'right') return judged
    this.write({ ...this.read()!, takenBy: nonce })
    return { kind: 'taken', value: judged.value }
  }

  /** A taken record can be taken again: what it was taken for could not be done. */
  restore(): void {
    const record = this.read()
    if (record?.takenBy) this.write({ ...record, takenBy: null })
  }

  /** Forgets the record. */
  async drop(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
