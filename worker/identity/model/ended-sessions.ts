import type { EndedSince } from '../../platform/durable/ended-sessions.ts'

type Ended = `token:${string}` | `user:${string}` | `session:${string}`

/** The ended sessions that one isolate knows: its own, and those of the feed that all isolates share. */
export class EndedSessions {
  /** Until when (Unix time, ms) something counts as ended, by the time of the entry. */
  readonly #until = new Map<Ended, number>()
  /** The place of the newest known entry of the feed. */
  place = 0
  /** The time (Unix, ms) of the newest answer of the feed, and of the last attempt that failed. */
  asOf = 0
  failedAt = 0

  /** @param until Unix time (ms) after which no session data cookie from before now is valid */
  note(what: Ended, until: number): void {
    this.#until.delete(what)
    this.#until.set(what, until)
    for (const [earliest, end] of this.#until) {
      if (end > Date.now()) break
      this.#until.delete(earliest)
    }
  }

  has(what: Ended, now: number): boolean {
    return (this.#until.get(what) ?? 0) > now
  }

  /** Takes an answer of the feed, unless a concurrent request had a newer one. @param until see `note` */
  learn({ at, last, ids }: EndedSince, until: number): void {
    if (at < this.asOf) return
    this.asOf = at
    this.place = last
    for (const id of ids) if (!this.#until.has(`session:${id}`)) this.note(`session:${id}`, until)
  }
}
