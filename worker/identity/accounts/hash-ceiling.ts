import { Fault } from '../../kit/errors.ts'
import { minutes, ms, seconds } from '../../kit/time.ts'

/**
 * Limits the password hashes of an isolate. Each blocks it for about 60 ms, so a flood of sign-ins would delay all
 * other requests. After a burst, hashes are admitted at an even rate. A request waits for a few seconds, and one that
 * would wait longer is rejected. The queue therefore contains at most the hashes of `maxWait`.
 */

/** In s. The burst is the number of hashes that the rate allows in this time. */
const burst = seconds(10)
/** In s. */
const maxWait = seconds(5)

export interface HashCeiling {
  /**
   * Resolves when the hash may be computed.
   * @throws Fault with the pause until the next attempt, if the queue is full
   */
  admit(): Promise<void>
}

/** @param perMinute hashes per minute after the burst */
export function hashCeiling(perMinute: number): HashCeiling {
  const interval = ms(minutes(1)) / perMinute
  /** In ms since 1970: the time at which all admitted hashes would be computed at the even rate. */
  let computedAt = 0
  let askedAt = 0
  return {
    async admit() {
      const now = Date.now()
      // The clock was set back. Earlier admissions must not delay requests until the later time.
      if (now < askedAt) computedAt = 0
      askedAt = now
      const next = Math.max(computedAt, now - ms(burst)) + interval
      const wait = Math.ceil(next - now)
      if (wait > ms(maxWait)) throw new Fault('password hashing', 'the queue is full', Math.ceil(wait / 1000))
      computedAt = next
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    },
  }
}

const ceilings = new Map<number, HashCeiling>()

/** The limit of this isolate. */
export function isolateCeiling(perMinute: number): HashCeiling {
  const ceiling = ceilings.get(perMinute) ?? hashCeiling(perMinute)
  ceilings.set(perMinute, ceiling)
  return ceiling
}
