import { and, asc, desc, eq, gt, inArray, lt, lte, notExists, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { EventRows, EventType } from '../../identity/events/events.ts'
import { ms } from '../../kit/time.ts'
import type { Database } from '../../platform/database.ts'
import { jsonOf } from '../../platform/json-sql.ts'
import type { Statement } from '../../platform/statements.ts'
import { webhookDeliveries as deliveries, type WebhookDelivery } from './webhooks.table.ts'

/** Queries about messages to receivers. Every function is one round trip, or part of one. */

/** For the batch of what they tell of: a message for each event and each endpoint. */
export const insertDeliveries = (
  db: Database,
  type: EventType,
  events: EventRows,
  endpoints: readonly string[],
  now: Date,
): Statement => {
  const parts = Object.entries(events.data).map(([name, part]) => [name, sql`json(${part})`] as const)
  const row: Record<keyof WebhookDelivery, SQL> = {
    seq: sql`null`,
    id: sql`'msg_' || lower(hex(randomblob(16)))`,
    endpoint: sql`endpoints.value`,
    type: sql`${type}`,
    subject: events.subject,
    data: jsonOf(Object.fromEntries(parts)),
    createdAt: sql`${now.getTime()}`,
    state: sql`'pending'`,
    attempts: sql`0`,
    nextAt: sql`${now.getTime()}`,
    pendingSince: sql`${now.getTime()}`,
    settledAt: sql`null`,
    lastError: sql`null`,
  }
  const names = sql`json_each(${JSON.stringify(endpoints)}) as endpoints`
  return db
    .insert(deliveries)
    .select(sql`select ${sql.join(Object.values(row), sql`, `)} from ${events.from}, ${names} where ${events.where}`)
}

const earlier = alias(deliveries, 'earlier')
const candidate = alias(deliveries, 'candidate')

export interface Claim {
  /** Names of the endpoints that may be tried. */
  endpoints: readonly string[]
  /** Only this subject's. */
  subject?: string | undefined
  limit: number
  newestFirst: boolean
  now: Date
  /** How long (s) a message rests after its first, second, ... try. */
  pauses: readonly number[]
}

/**
 * Takes messages for one try: those that are due and that no earlier one of the same subject keeps waiting. Whoever
 * asks at the same time gets others; a claim whose holder dies lapses with the pause.
 */
export function claimDeliveries(db: Database, claim: Claim): Promise<WebhookDelivery[]> {
  const now = claim.now.getTime()
  const first = notExists(
    db
      .select({ one: sql`1` })
      .from(earlier)
      .where(
        and(
          eq(earlier.state, 'pending'),
          eq(earlier.endpoint, candidate.endpoint),
          eq(earlier.subject, candidate.subject),
          lt(earlier.seq, candidate.seq),
        ),
      ),
  )
  const due = db
    .select({ seq: candidate.seq })
    .from(candidate)
    .where(
      and(
        eq(candidate.state, 'pending'),
        lte(candidate.nextAt, claim.now),
        inArray(candidate.endpoint, valuesOf(claim.endpoints)),
        claim.subject === undefined ? undefined : eq(candidate.subject, claim.subject),
        first,
      ),
    )
    .orderBy(claim.newestFirst ? desc(candidate.seq) : asc(candidate.seq))
    .limit(claim.limit)
  const pauses = JSON.stringify(claim.pauses.map(ms))
  // A number that is bound may arrive as 4.0, which is not an index.
  const last = sql`cast(${claim.pauses.length - 1} as integer)`
  const pause = sql`json_extract(${pauses}, '$[' || min(${deliveries.attempts}, ${last}) || ']')`
  return db
    .update(deliveries)
    .set({ attempts: sql`${deliveries.attempts} + 1`, nextAt: sql`${now} + ${pause}` })
    .where(inArray(deliveries.seq, due))
    .returning()
}

/** A list as one parameter. */
const valuesOf = (list: readonly string[]): SQL => sql`(select value from json_each(${JSON.stringify(list)}))`

/** For a batch. */
export const deliveredStatement = (db: Database, { seq }: WebhookDelivery, now: Date): Statement =>
  db
    .update(deliveries)
    .set({ state: 'delivered', settledAt: now, lastError: null })
    .where(and(eq(deliveries.seq, seq), eq(deliveries.state, 'pending')))

/** For a batch: notes why a try failed, unless somebody else is at it by now. */
export const failedStatement = (
  db: Database,
  { seq, attempts }: WebhookDelivery,
  lastError: string,
  givenUpAt: Date | null,
): Statement =>
  db
    .update(deliveries)
    .set({ lastError, ...(givenUpAt ? { state: 'failed' as const, settledAt: givenUpAt } : {}) })
    .where(and(eq(deliveries.seq, seq), eq(deliveries.state, 'pending'), eq(deliveries.attempts, attempts)))

/** Gives up what waits for endpoints that there are no more. */
export const giveUpOrphans = (db: Database, endpoints: readonly string[], since: Date, now: Date): Statement =>
  db
    .update(deliveries)
    .set({ state: 'failed', settledAt: now, lastError: 'the endpoint is not configured any more' })
    .where(
      and(
        eq(deliveries.state, 'pending'),
        notInArray(deliveries.endpoint, valuesOf(endpoints)),
        lte(deliveries.pendingSince, since),
      ),
    )

/** Deletes what was delivered, or given up, before. */
export const deleteOld = (db: Database, before: { delivered: Date; failed: Date }): Statement =>
  db
    .delete(deliveries)
    .where(
      or(
        and(eq(deliveries.state, 'delivered'), lte(deliveries.settledAt, before.delivered)),
        and(eq(deliveries.state, 'failed'), lte(deliveries.settledAt, before.failed)),
      ),
    )

/** Messages that were given up, or that failed and wait for another try; newest first. */
export const listUndelivered = (db: Database, limit: number): Promise<WebhookDelivery[]> =>
  db
    .select()
    .from(deliveries)
    .where(or(eq(deliveries.state, 'failed'), and(eq(deliveries.state, 'pending'), gt(deliveries.attempts, 0))))
    .orderBy(desc(deliveries.seq))
    .limit(limit)

/** Makes a message that is not delivered due again. @returns null when there is none */
export async function reviveDelivery(db: Database, id: string, now: Date): Promise<WebhookDelivery | null> {
  const [row] = await db
    .update(deliveries)
    .set({ state: 'pending', settledAt: null, nextAt: now, pendingSince: now, attempts: 0 })
    .where(and(eq(deliveries.id, id), inArray(deliveries.state, ['pending', 'failed'])))
    .returning()
  return row ?? null
}

export async function stateOf(db: Database, id: string): Promise<WebhookDelivery['state'] | null> {
  const [row] = await db.select({ state: deliveries.state }).from(deliveries).where(eq(deliveries.id, id))
  return row?.state ?? null
}
