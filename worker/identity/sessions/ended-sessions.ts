import { ms, seconds } from '../../kit/time.ts'
import { bounded, timeouts } from '../../platform/bounded.ts'
import type { EndedSince } from '../../platform/durable/ended-sessions.ts'
import { reasonOf } from '../../platform/log.ts'
import type { Scope } from '../scope.ts'
import { sessionOptions } from './sessions.config.ts'

/**
 * Reads the feed of ended sessions. A session data cookie may outlive its session by minutes; an isolate believes one
 * only while it knows the feed, which all isolates share (platform/durable/ended-sessions.ts). Decision 163 has the
 * figures.
 */

/** Seconds for which an answer of the feed is used without a refresh, also by the other isolates of a location. */
const fresh = seconds(2)
/** The maximum age (s) of an answer: the bound of a revocation is this and the time of its job. */
export const oldestAnswer = seconds(4)
/** Seconds without an answer after which no session data cookie is believed. */
const outage = seconds(30)
/** Seconds between attempts during an outage. */
const pause = seconds(1)

/** Readers ask from a multiple of this number of entries, so that the isolates of a location ask for the same. */
const block = 512

const age = (scope: Scope): number => scope.now().getTime() - scope.ended.asOf

/**
 * Whether a session data cookie may be believed that no entry refuses. Usually without I/O; an isolate without a recent
 * answer waits for one.
 */
export async function knowsEndedSessions(scope: Scope): Promise<boolean> {
  if (age(scope) > ms(oldestAnswer)) await refresh(scope)
  else refreshSoon(scope)
  return age(scope) <= ms(outage)
}

/** Reads the feed after the response, unless this isolate has a fresh answer. */
export function refreshSoon(scope: Scope): void {
  if (age(scope) > ms(fresh)) scope.after(() => refresh(scope))
}

// Requests cannot share the I/O of one of them, so each reads for itself until one has an answer.
async function refresh(scope: Scope): Promise<void> {
  const { ended } = scope
  const now = scope.now().getTime()
  if (now - ended.asOf <= ms(fresh) || now - ended.failedAt < ms(pause)) return
  try {
    const answer = await bounded('the feed of ended sessions', timeouts.optional, () => read(scope))
    ended.learn(answer, scope.now().getTime() + ms(sessionOptions.of(scope).cookieCache.maxAge))
  } catch (thrown) {
    ended.failedAt = scope.now().getTime()
    scope.log('error', 'ended-sessions-unreachable', { reason: reasonOf(thrown) })
  }
}

async function read(scope: Scope): Promise<EndedSince> {
  const from = scope.ended.place - (scope.ended.place % block)
  const address = `${scope.settings.baseUrl}/ended-sessions/${from}`
  const cache = await caches.open('ended-sessions')
  const stored = await (await cache.match(address))?.json<EndedSince>()
  if (stored && Math.abs(scope.now().getTime() - stored.at) <= ms(fresh)) return stored
  const answer = await scope.env.ENDED_SESSIONS.getByName('all').since(from)
  const body = Response.json(answer, { headers: { 'cache-control': `max-age=${fresh}` } })
  scope.after(() => cache.put(address, body))
  return answer
}
