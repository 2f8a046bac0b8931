import { asAnswer, type EndedFeed, endedFeed } from '../../../worker/kit/ended-feed.ts'

/** Knows which sessions have ended, from the feed of a deployment. See decision 183. */

/** Milliseconds. */
const timeout = 1000

/** Workers cannot share a request between the requests that they serve. */
const sharesRequests =
  (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent !== 'Cloudflare-Workers'

/** @param background keeps a Worker alive for work after its response, as `waitUntil` does */
export const feedOfSessions = (
  url: string,
  request: typeof fetch,
  background: (work: Promise<unknown>) => void,
): EndedFeed =>
  endedFeed({
    async request(place) {
      const answer = await request(`${url}/api/auth/ended-sessions?after=${place}`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      if (!answer.ok) throw new Error(`the feed of ended sessions answered ${answer.status}`)
      return asAnswer(await answer.json())
    },
    now: Date.now,
    background,
    shares: sharesRequests,
  })
