import { DurableObject } from 'cloudflare:workers'
import type { CounterAnswer, CounterRule, JudgedCode, Judgement, SentCode } from './counter-rule.ts'

interface Stored {
  count: number
  windowStart: number
  lastRequest: number
}

/** A stored code. `code` is an HMAC. */
interface StoredCode extends SentCode {
  attempts: number
  /** Distinguishes this code from others of its holder. */
  serial: string
}

/** Counts strictly: address limits, and guesses per account with their codes, so that one call judges a guess. */
export class Counter extends DurableObject {
  /** Counts one hit, unless the window is full. */
  async hit({ max, window, by = 1, rolling = false }: CounterRule): Promise<CounterAnswer> {
    if (rolling) return this.hitRolling({ max, window, by })
    const now = Date.now()
    const length = window * 1000
    let stored = this.ctx.storage.kv.get<Stored>('count')
    const fresh = !stored || now - stored.windowStart >= length
    if (!stored || fresh) stored = { count: 0, windowStart: now, lastRequest: now }
    const retryAfter = Math.max(1, Math.ceil((stored.windowStart + length - now) / 1000))
    if (stored.count + by > max) return { allowed: false, count: stored.count, retryAfter }
    stored = { ...stored, count: stored.count + by, lastRequest: now }
    this.ctx.storage.kv.put('count', stored)
    if (fresh) await this.keepUntil(now + length)
    return { allowed: true, count: stored.count, retryAfter }
  }

  /** Two windows that follow each other would admit twice as many hits within one. */
  private async hitRolling({ max, window, by }: Required<Omit<CounterRule, 'rolling'>>): Promise<CounterAnswer> {
    const now = Date.now()
    const length = window * 1000
    const times = (this.ctx.storage.kv.get<number[]>('times') ?? []).filter((time) => time > now - length)
    // The hit whose end admits this one.
    const blocking = times[times.length + by - max - 1]
    if (blocking !== undefined || by > max) {
      const retryAfter = Math.max(1, Math.ceil(((blocking ?? now) + length - now) / 1000))
      return { allowed: false, count: times.length, retryAfter }
    }
    times.push(...Array.from({ length: by }, () => now))
    this.ctx.storage.kv.put('times', times)
    await this.keepUntil(now + length)
    return { allowed: true, count: times.length, retryAfter: Math.ceil((times[0]! + length - now) / 1000) }
  }

  /** Takes back one hit of this window. */
  giveBack(): void {
    const stored = this.ctx.storage.kv.get<Stored>('count')
    if (stored) this.ctx.storage.kv.put('count', { ...stored, count: Math.max(0, stored.count - 1) })
  }

  /**
   * Judges a guess at a time-step code: it is counted; a step higher than all before is accepted and clears the
   * guesses.
   * @param step of the right code; null for a wrong guess @param keep seconds to remember the step
   */
  async judge(rule: CounterRule, step: number | null, keep: number): Promise<Judgement> {
    const hit = await this.hit(rule)
    if (!hit.allowed) return { kind: 'limited', retryAfter: hit.retryAfter }
    const highest = this.ctx.storage.kv.get<number>('step')
    if (step === null || (highest !== undefined && step <= highest)) {
      return { kind: 'wrong', isLast: hit.count >= rule.max }
    }
    this.ctx.storage.kv.put('step', step)
    this.ctx.storage.kv.delete('count')
    await this.keepUntil(Date.now() + keep * 1000)
    return { kind: 'right' }
  }

  /** Reverts `judge` if the work after it failed. */
  withdraw(step: number | null): void {
    if (step === null) this.giveBack()
    else if (this.ctx.storage.kv.get<number>('step') === step) this.ctx.storage.kv.put('step', step - 1)
  }

  /** Stores a code for its holder and replaces an earlier one. */
  async putCode(holder: string, code: SentCode): Promise<void> {
    const { kv } = this.ctx.storage
    for (const [name, { expiresAt }] of kv.list<StoredCode>({ prefix: 'code:' })) {
      if (expiresAt <= Date.now()) kv.delete(name)
    }
    kv.put(`code:${holder}`, { ...code, attempts: 0, serial: crypto.randomUUID() })
    await this.keepUntil(code.expiresAt)
  }

  /**
   * Checks a guess at a holder's code. The guess counts against the rule and the code, and a right guess resets the
   * count. The guess after the last allowed one is not compared and ends the code.
   */
  async judgeCode(rule: CounterRule, holder: string, guess: string): Promise<JudgedCode> {
    const hit = await this.hit(rule)
    if (!hit.allowed) return { kind: 'limited', retryAfter: hit.retryAfter }
    const isLast = hit.count >= rule.max
    const { kv } = this.ctx.storage
    const stored = kv.get<StoredCode>(`code:${holder}`)
    if (!stored || stored.expiresAt <= Date.now()) return { kind: 'gone', isLast }
    if (stored.attempts >= stored.maxAttempts) {
      kv.delete(`code:${holder}`)
      return { kind: 'too-many', isLast }
    }
    // Both are HMACs under a secret key, so the time of a comparison reveals nothing.
    if (stored.code !== guess) {
      kv.put(`code:${holder}`, { ...stored, attempts: stored.attempts + 1 })
      return { kind: 'wrong', isLast }
    }
    kv.delete('count')
    return { kind: 'right', serial: stored.serial, expiresAt: stored.expiresAt }
  }

  private async keepUntil(time: number): Promise<void> {
    if (((await this.ctx.storage.getAlarm()) ?? 0) < time) await this.ctx.storage.setAlarm(time)
  }

  /** Starts with an empty state. */
  async forget(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
