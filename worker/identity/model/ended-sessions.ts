import { ms } from '../../kit/time.ts'
import { maxOutage } from '../../platform/circuit.ts'
import type { EndedSince } from '../../platform/durable/ended-sessions.ts'

/** The maximum number of entries that are kept for an outage, which extends cookies. */
const keptForOutages = 100_000

type Ended = `token:${string}` | `user:${string}` | `session:${string}`

/** The ended sessions that one isolate knows: its own, and those of the feed that all isolates share. */
export class EndedSessions {
  /** Until when (Unix time, ms) something counts as ended, by the time of the entry. */
  readonly #until = new Map<Ended, number>()
  /** The place of the newest known entry of the feed. */
  place = 0
  /** Every entry that ends after this time (Unix, ms) is known. */
  completeFrom = 0
  /** The time (Unix, ms) of the newest answer of the feed, and of the last attempt that failed. */
  asOf = 0
  failedAt = 0

  /** @param until Unix time (ms) after which no session data cookie from before now is valid */
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

  /** Takes an answer of the feed, unless a concurrent request had a newer one. @param until see `note` */
  learn({ at, last, ids, completeFrom }: EndedSince, until: number): void {
    if (at < this.asOf) return
    this.asOf = at
    this.place = last
    // An object of an earlier version does not say it, and keeps nothing for an outage.
    this.completeFrom = Math.max(this.completeFrom, completeFrom ?? at)
    for (const id of ids) if (!this.#until.has(`session:${id}`)) this.note(`session:${id}`, until)
  }
}
