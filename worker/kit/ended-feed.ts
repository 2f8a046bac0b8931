/**
 * Knows what has ended, from a feed of a deployment that is read again and again. The reader gives the clock and the request, so
 * that it works in servers, in Workers and in tests. See decisions 183 and 213.
 */

/** Milliseconds. An answer younger than `fresh` is used as it is, an older one is replaced in the background. */
const fresh = 1000
/** The maximum age of an answer without a new one. */
const oldest = 4000
/** Without an answer for this long, nothing is believed that the feed must judge. */
const outage = 30_000
const pause = 1000

/** An answer of the feed. */
export interface EndedAnswer {
  /** Milliseconds. */
  age: number
  last: number
  more: boolean
  /** Seconds. */
  keep: number
  /** Names, or names with `@` and a time (ms) until which what they name is void. */
  ended: string[]
}

/** What has ended. */
export interface KnownEnds {
  /** Whether an entry is the beginning of this name. */
  has(name: string): boolean
  /** Unix time (ms) before which everything of this name is void; 0 if the feed does not name it. */
  endedAt(name: string): number
}

export interface EndedFeed {
  /** Usually without a request; null if the feed is not known. */
  read(): Promise<KnownEnds | null>
}

interface Reader {
  /** Requests the entries after a place. */
  request(place: number): Promise<EndedAnswer>
  /** Unix time (ms). */
  now(): number
  /** Keeps a Worker alive for work after its response, as `waitUntil` does. */
  background(work: Promise<unknown>): void
  /** Whether requests to the server can share a request of it; Workers cannot. */
  shares: boolean
}

/** @throws Error for an invalid body */
export function asAnswer(body: unknown): EndedAnswer {
  const answer = body as EndedAnswer
  if (!Array.isArray(answer?.ended) || ![answer.age, answer.last, answer.keep].every(Number.isFinite)) {
    throw new Error('not a feed')
  }
  return answer
}

export function endedFeed({ request, now, background, shares }: Reader): EndedFeed {
  /** By name: when the entry can be deleted, and the time until which what it names is void. The earliest is first. */
  const ended = new Map<string, { until: number; at: number }>()
  let length = 0
  let place = 0
  /** Times of the clock: of the newest answer, of the newest request, and of the last one that failed. */
  let asOf = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | null = null

  const age = () => now() - asOf

  /** @returns the age (ms) of a complete answer; null if there are later entries */
  async function readPage(): Promise<number | null> {
    const { age, last, more, keep, ended: entries } = await request(place)
    if (more && last <= place) throw new Error('the feed has an invalid place')
    const until = now() + keep * 1000
    for (const entry of entries) {
      const [name = '', time] = entry.split('@')
      if (time === undefined) length = name.length
      if (time === undefined && ended.has(name)) continue
      const at = Math.max(Number(time ?? Number.POSITIVE_INFINITY), ended.get(name)?.at ?? 0)
      ended.delete(name)
      ended.set(name, { until, at })
    }
    place = last
    return more ? null : Math.max(0, age)
  }

  async function readAll(): Promise<void> {
    const started = now()
    askedAt = started
    try {
      let known: number | null = null
      while (known === null) known = await readPage()
      asOf = Math.max(asOf, started - known)
      for (const [name, { until }] of ended) {
        if (until > started) break
        ended.delete(name)
      }
    } catch {
      failedAt = started
    }
  }

  function refresh(): Promise<void> {
    if (!shares) return readAll()
    pending ??= readAll().finally(() => {
      pending = null
    })
    return pending
  }

  const known: KnownEnds = {
    has: (name) => length > 0 && ended.has(name.slice(0, length)),
    endedAt: (name) => ended.get(name)?.at ?? 0,
  }
  const mayAsk = () => now() - failedAt >= pause

  return {
    async read() {
      if (age() > oldest && mayAsk()) await refresh()
      else if (age() > fresh && now() - askedAt >= pause) background(refresh())
      return age() > outage ? null : known
    },
  }
}
