import { and, notInArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { ms, seconds } from '../../kit/time.ts'
import { bounded, timeouts } from '../../platform/bounded.ts'
import type { EndedQuery, EndedSince } from '../../platform/durable/ended-sessions.ts'
import { jsonOf } from '../../platform/json-sql.ts'
import { reasonOf } from '../../platform/log.ts'
import type { Condition, Statement } from '../../platform/statements.ts'
import type { JobRows } from '../jobs/jobs.store.ts'
import { jobStatementsFor } from '../jobs/jobs.ts'
import type { KnownEndedSessions } from '../model/ended-sessions.ts'
import { sessions } from '../model/sessions.table.ts'
import type { Scope } from '../scope.ts'

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

/** How much later than a change (s) a read may still return the state before it: a batch in flight, a replica. */
const slack = seconds(60)

type Registered = Pick<Scope, 'lifecycle' | 'options'>

/** The maximum time (s) for which something is believed after the end of its session, by what believes it; 0: nothing is. */
function maxOutlived(scope: Registered, by: 'here' | 'elsewhere'): number {
  const times = scope.lifecycle.registry('outlivesSession').map((outlives) => outlives(scope)[by] ?? 0)
  return Math.max(0, ...times)
}

/** How long (ms) an isolate remembers an entry. */
export const believedFor = (scope: Registered): number => ms(maxOutlived(scope, 'here') + slack)

/** How long (ms) the feed keeps an entry; 0: nothing outlives a session. */
export function keptFor(scope: Registered): number {
  const time = Math.max(maxOutlived(scope, 'here'), maxOutlived(scope, 'elsewhere'))
  return time === 0 ? 0 : ms(time + slack)
}

/** An entry other than a session: a session that became device-bound, a key that has changed, or all keys of an owner. */
type Changed = `${'bound' | 'key' | 'keys-of' | 'server-key'}:`

/** The rows of a batch that get an entry each. */
export type FeedRows = Pick<JobRows, 'from' | 'where' | 'key'> & { id: SQL | SQLiteColumn }

const none = (): string[] => []

/** Sessions that the request has added to the feed itself. */
export const fedSessions = (scope: Scope): string[] => scope.once(none)

/** The condition without those sessions. */
export function whereNotFed(scope: Scope, where: Condition): Condition {
  const fed = fedSessions(scope)
  return fed.length === 0 ? where : and(where, notInArray(sessions.id, fed))!
}

/** Statements of a batch that add entries to the feed, as jobs that the session feature runs. */
export function feedStatements(
  scope: Scope,
  { from, where, key, id, prefix = '' }: FeedRows & { prefix?: Changed | '' },
): Statement[] {
  if (keptFor(scope) === 0) return []
  // With the time, two changes of one key are two entries.
  const name = prefix ? sql`${prefix} || ${id} || ${`@${scope.now().getTime()}`}` : sql`${id}`
  return jobStatementsFor(scope, 'ended-session', { from, where, key, payload: jsonOf({ id: name }) })
}

/** Makes this isolate forget a changed key at once. */
export const noteChange = (scope: Scope, prefix: Changed, id: string): void =>
  scope.shared.ended.note(`${prefix}${id}`, scope.now().getTime() + believedFor(scope))

/** Readers ask from a multiple of this number of entries, so that the isolates of a location ask for the same. */
const block = 512

const age = (scope: Scope): number => scope.now().getTime() - scope.shared.ended.asOf

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
  if (age(scope) > ms(fresh)) scope.after(() => refresh(scope), 'nothing')
}

// Requests cannot share the I/O of one of them, so each reads for itself until one has an answer.
async function refresh(scope: Scope): Promise<void> {
  const { ended } = scope.shared
  const now = scope.now().getTime()
  if (now - ended.asOf <= ms(fresh) || now - ended.failedAt < ms(pause)) return
  try {
    const answer = await bounded('the feed of ended sessions', timeouts.optional, () => read(scope))
    ended.learn(answer, believedFor(scope))
  } catch (thrown) {
    ended.failedAt = scope.now().getTime()
    scope.log('error', 'ended-sessions-unreachable', { reason: reasonOf(thrown) })
  }
}

function read(scope: Scope): Promise<EndedSince> {
  const from = scope.shared.ended.place - (scope.shared.ended.place % block)
  return readShared(scope, 'all', from, { shorter: keptFor(scope) - believedFor(scope) })
}

/** The object of a feed: `all` has sessions and keys, `tokens` access tokens, which live longer. */
export type Feed = 'all' | 'tokens'

/** Reads a feed through the Cache API. @param from the isolates of a location share answers from the same place */
async function readShared(scope: Scope, feed: Feed, from: number, query: Partial<EndedQuery>): Promise<EndedSince> {
  const name = feed === 'all' ? 'ended-sessions' : `ended-${feed}`
  const address = `${scope.settings.baseUrl}/${name}/${from}?limit=${query.limit ?? ''}`
  const cache = await caches.open('ended-sessions')
  const stored = await (await cache.match(address))?.json<EndedSince>()
  if (stored && Math.abs(scope.now().getTime() - stored.at) <= ms(fresh)) return stored
  const answer = await scope.env.ENDED_SESSIONS.getByName(feed).since(from, query)
  const body = Response.json(answer, { headers: { 'cache-control': `max-age=${fresh}` } })
  scope.after(() => cache.put(address, body), 'nothing')
  return answer
}

/** Servers that are far behind read from a multiple of this, so that visitors cannot ask for many different answers. */
const largeBlock = 100 * block

/**
 * The feed for servers that verify tokens: the sessions that ended after a place, by the first characters of their ids.
 * @param limit of the entries; more than `largeBlock`, so that a reader gets on
 * @throws Fault if it does not answer
 */
export async function endedSessionsAfter(scope: Scope, place: number, limit: number) {
  await knowsEndedSessions(scope)
  const { ids, ...answer } = await answerAfter(scope, 'all', { place, known: scope.shared.ended.place, limit })
  const ended = ids.filter((id) => !id.includes(':')).map((id) => id.slice(0, shownLength))
  return { ...answer, keep: keptFor(scope) / 1000, ended }
}

/** The newest place of another feed that this isolate knows. */
const knownPlaces = new WeakMap<KnownEndedSessions, number>()

/** The feed of access tokens after a place. @param limit more than `largeBlock` @throws Fault if it does not answer */
export async function endedTokensAfter(scope: Scope, place: number, limit: number) {
  const known = knownPlaces.get(scope.shared.ended) ?? 0
  const { ids, ...answer } = await answerAfter(scope, 'tokens', { place, known, limit })
  knownPlaces.set(scope.shared.ended, Math.max(known, answer.last))
  return { ...answer, ended: ids }
}

async function answerAfter(
  scope: Scope,
  feed: Feed,
  { place, known, limit }: { place: number; known: number; limit: number },
) {
  // The reader may know a newer answer than this isolate.
  const isNear = Math.abs(known - place) < largeBlock
  const unit = isNear ? block : largeBlock
  const from = isNear || place < known ? place - (place % unit) : 0
  scope.io.used.durable += 1
  const { at, last, more, ids } = await bounded('the feed of ended sessions', timeouts.optional, () =>
    readShared(scope, feed, from, { limit }),
  )
  return { age: Math.max(0, scope.now().getTime() - at), last, more, ids }
}

/** Calls of one run: the next run may be minutes later. */
const maxCalls = 3

/** Adds entries to a feed. @param keep ms */
export async function addToFeed(scope: Scope, feed: Feed, ids: readonly string[], keep: number): Promise<void> {
  for (let call = 1; ; call++) {
    try {
      return await bounded('the feed of ended sessions', timeouts.required, () =>
        scope.env.ENDED_SESSIONS.getByName(feed).add(ids, keep),
      )
    } catch (thrown) {
      if (call === maxCalls) throw thrown
    }
  }
}

/** Characters of a random id that identify an ended session (95 bits) without publishing the id. */
const shownLength = 16
