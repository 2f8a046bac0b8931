/** Knows which sessions have ended, from the feed of a deployment. See decision 183. */

/** Milliseconds. An answer younger than `fresh` is used as it is, an older one is replaced in the background. */
const fresh = 1000
/** The maximum age of an answer without a new one. */
const oldest = 4000
/** Without an answer for this long, nothing is believed that the feed must judge. */
const outage = 30_000
const pause = 1000
const timeout = 1000

interface Answer {
  /** Milliseconds. */
  age: number
  last: number
  more: boolean
  /** Seconds. */
  keep: number
  ended: string[]
}

export interface EndedFeed {
  /** Whether a session has ended; null if the feed is not known. Usually without a request. */
  has(sessionId: string): Promise<boolean | null>
}

/** Workers cannot share a request between the requests that they serve. */
const sharesRequests =
  (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent !== 'Cloudflare-Workers'

/** @param background keeps a Worker alive for work after its response, as `waitUntil` does */
export function endedFeed(url: string, request: typeof fetch, background: (work: Promise<unknown>) => void): EndedFeed {
  /** First characters of ids, with the time at which they can be deleted. The earliest is first. */
  const ended = new Map<string, number>()
  let length = 0
  let place = 0
  /** Times of this clock (ms): of the newest answer, of the newest request, and of the last one that failed. */
  let asOf = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | null = null

  const age = () => Date.now() - asOf

  /** @returns the age (ms) of a complete answer; null if there are later entries */
  async function readPage(): Promise<number | null> {
    const answer = await request(`${url}/api/auth/ended-sessions?after=${place}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    if (!answer.ok) throw new Error(`the feed of ended sessions answered ${answer.status}`)
    const { age, last, more, keep, ended: ids } = (await answer.json()) as Answer
    if (!Array.isArray(ids) || ![age, last, keep].every(Number.isFinite)) throw new Error('not a feed')
    if (more && last <= place) throw new Error('the feed of ended sessions has an invalid place')
    const until = Date.now() + keep * 1000
    for (const id of ids) {
      length = id.length
      if (!ended.has(id)) ended.set(id, until)
    }
    place = last
    return more ? null : Math.max(0, age)
  }

  async function read(): Promise<void> {
    const now = Date.now()
    askedAt = now
    try {
      let known: number | null = null
      while (known === null) known = await readPage()
      asOf = Math.max(asOf, now - known)
      for (const [id, until] of ended) {
        if (until > now) break
        ended.delete(id)
      }
    } catch {
      failedAt = now
    }
  }

  function refresh(): Promise<void> {
    if (!sharesRequests) return read()
    pending ??= read().finally(() => {
      pending = null
    })
    return pending
  }

  const mayAsk = () => Date.now() - failedAt >= pause

  return {
    async has(sessionId) {
      if (age() > oldest && mayAsk()) await refresh()
      else if (age() > fresh && Date.now() - askedAt >= pause) background(refresh())
      if (age() > outage) return null
      return length > 0 && ended.has(sessionId.slice(0, length))
    },
  }
}
