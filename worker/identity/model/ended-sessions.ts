import { ms } from '../../kit/time.ts'
import { maxOutage } from '../../platform/circuit.ts'
import type { EndedSince } from '../../platform/durable/ended-sessions.ts'

/** The maximum number of entries that are kept for an outage, which extends cookies. */
const keptForOutages = 100_000

/** A session that became device-bound is `bound:`, an API key `key:`, all keys of an owner `keys-of:`, everything from before a recovery `all:`. */
export type Ended = `${'all' | 'token' | 'user' | 'session' | 'bound' | 'key' | 'keys-of' | 'server-key'}:${string}`

/** The ended sessions and changed keys that one isolate knows: its own, and those of the feed that all isolates share. */
export class KnownEndedSessions {
  /** Until when (Unix time, ms) something counts as ended, by the time of the entry. */
  readonly #until = new Map<Ended, number>()
  /** The place of the newest known entry of the feed. */
  place = 0
  /** Every entry that ends after this time (Unix, ms) is known. */
  completeFrom = 0
  /** The time (Unix, ms) of the newest answer of the feed, and of the last attempt that failed. */
  asOf = 0
  failedAt = 0

  /** @param until Unix time (ms) after which no session data cookie and no verdict from before now is valid */
  note(what: Ended, until: number): void {
    this.#until.delete(what)
    this.#until.set(what, until)
    for (const [earliest, end] of this.#until) {
      if (end > Date.now() - (this.#until.size > keptForOutages ? 0 : ms(maxOutage))) break
      this.#until.delete(earliest)
      this.completeFrom = Math.max(this.completeFrom, end)
    }
  }

  /** @param at Unix time (ms): now, or an earlier time for a cookie that is read as of then */
  has(what: Ended, at: number): boolean {
    return (this.#until.get(what) ?? 0) > at
  }

  /**
   * Takes an answer of the feed, unless a concurrent request had a newer one.
   * @param believed ms for which a cookie or a verdict is believed
   */
  learn({ at, last, ids, completeFrom }: EndedSince, believed: number): void {
    // A clock ahead of ours must not make the answer last longer.
    const asOf = Math.min(at, Date.now())
    if (asOf < this.asOf) return
    this.asOf = asOf
    this.place = last
    // An object of an earlier version does not say it, and keeps nothing for an outage.
    this.completeFrom = Math.max(this.completeFrom, completeFrom ?? at)
    this.take(ids, believed)
  }

  /** @param ids names as in the feed */
  take(ids: readonly string[], believed: number): void {
    const until = Date.now() + believed
    for (const id of ids) {
      if (!id.includes(':')) {
        if (!this.#until.has(`session:${id}`)) this.note(`session:${id}`, until)
        continue
      }
      // A session ends once, and something else can change again: its entry has the time of the change.
      const [what, changedAt] = id.split('@') as [Ended, string]
      const end = Number(changedAt) + believed
      if ((this.#until.get(what) ?? 0) < end) this.note(what, end)
    }
  }
}
