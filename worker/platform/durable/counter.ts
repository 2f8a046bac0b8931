import { DurableObject } from 'cloudflare:workers'
import type { CounterAnswer, CounterRule } from '../counter-rule.ts'

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
