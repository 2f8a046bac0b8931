import { DurableObject } from 'cloudflare:workers'
import type { CounterAnswer, CounterRule, Judgement } from '../counter-rule.ts'

interface Stored {
  count: number
  windowStart: number
  lastRequest: number
}

/** Counts strictly: address limits of sensitive paths, budgets of guesses per account, steps that may be used once. */
export class Counter extends DurableObject {
  /** Counts one hit, unless the window is full. */
  async hit({ max, window }: CounterRule): Promise<CounterAnswer> {
    const now = Date.now()
    const length = window * 1000
    let stored = this.ctx.storage.kv.get<Stored>('count')
    const fresh = !stored || now - stored.windowStart >= length
    if (!stored || fresh) stored = { count: 0, windowStart: now, lastRequest: now }
    const retryAfter = Math.max(1, Math.ceil((stored.windowStart + length - now) / 1000))
    if (stored.count >= max) return { allowed: false, count: stored.count, retryAfter }
    stored = { ...stored, count: stored.count + 1, lastRequest: now }
    this.ctx.storage.kv.put('count', stored)
    if (fresh) await this.ctx.storage.setAlarm(now + length)
    return { allowed: true, count: stored.count, retryAfter }
  }

  /** Takes back one hit of this window. */
  giveBack(): void {
    const stored = this.ctx.storage.kv.get<Stored>('count')
    if (stored) this.ctx.storage.kv.put('count', { ...stored, count: Math.max(0, stored.count - 1) })
  }

  /**
   * Judges a guess at a code that belongs to a time step, in one call: the guess is counted, and a step that is
   * higher than every step before is accepted and forgets the guesses before it.
   * @param step of the right code; null where the guess was wrong
   * @param keep seconds for which the accepted step is remembered
   */
  async judge(rule: CounterRule, step: number | null, keep: number): Promise<Judgement> {
    const hit = await this.hit(rule)
    if (!hit.allowed) return { kind: 'limited', retryAfter: hit.retryAfter }
    const highest = this.ctx.storage.kv.get<number>('step')
    if (step === null || (highest !== undefined && step <= highest)) return { kind: 'wrong' }
    this.ctx.storage.kv.put('step', step)
    this.ctx.storage.kv.delete('count')
    await this.ctx.storage.setAlarm(Date.now() + keep * 1000)
    return { kind: 'right' }
  }

  /** Takes back what `judge` accepted or counted: the work behind it failed. */
  withdraw(step: number | null): void {
    if (step === null) this.giveBack()
    else if (this.ctx.storage.kv.get<number>('step') === step) this.ctx.storage.kv.put('step', step - 1)
  }

  /** Whether `step` is higher than every step before; then it becomes the highest. Forgotten after `keep` seconds. */
  async advance(step: number, keep: number): Promise<boolean> {
    const highest = this.ctx.storage.kv.get<number>('step')
    if (highest !== undefined && step <= highest) return false
    this.ctx.storage.kv.put('step', step)
    await this.ctx.storage.setAlarm(Date.now() + keep * 1000)
    return true
  }

  /** Starts from nothing. */
  async forget(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
