import { and, desc, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { JobRows } from '../../identity/jobs/jobs.store.ts'
import type { EventRows } from '../../identity/model/events.ts'
import type { SecurityEventType } from '../../identity/model/security-event-types.ts'
import { securityEvents } from '../../identity/model/security-events.table.ts'
import { sessions } from '../../identity/model/sessions.table.ts'
import { users } from '../../identity/model/users.table.ts'
import type { Database } from '../../platform/database.ts'
import { jsonOf } from '../../platform/json-sql.ts'
import { type Condition, deleteSome, fewerThan, type Statement } from '../../platform/statements.ts'
import { type StoredReceiver, type StreamStatus, signalEvents, signalReceivers } from './shared-signals.table.ts'
import type { SignalType } from './signal-types.ts'

/** A signal of a batch: its rows, and what its events contain beside the user. */
export interface SignalRows {
  type: SignalType
  rows: EventRows
  facts: Record<string, SQL>
}

/** @param rows of `session.ended` */
export const revokedSessions = (rows: EventRows): SignalRows => ({
  type: 'session-revoked',
  rows,
  facts: { sessionId: sql`${sessions.id}` },
})

/** @param rows of `user.updated`: those of banned users */
export const disabledAccounts = (rows: EventRows): SignalRows => ({
  type: 'account-disabled',
  rows: { ...rows, where: and(rows.where, sql`${users.banned} = 1`)! },
  facts: {},
})

/** @param rows of `security.event`: those of the types that change a credential */
export const changedCredentials = (rows: EventRows, types: readonly SecurityEventType[]): SignalRows => ({
  type: 'credential-change',
  rows: {
    ...rows,
    where: and(rows.where, sql`${securityEvents.type} in (select value from json_each(${JSON.stringify(types)}))`)!,
  },
  facts: { change: sql`${securityEvents.type}` },
})

/** The payload has ids and no other personal data. */
const payloadOf = ({ type, rows: { subject }, facts }: SignalRows): SQL =>
  jsonOf({ type: sql`${type}`, ...facts, userId: subject })

/** Jobs for configured receivers, in the order of the user. */
export const jobsOfConfigured = (signal: SignalRows, receivers: readonly string[]): JobRows => ({
  from: sql`${signal.rows.from}, json_each(${JSON.stringify(receivers)}) as receivers`,
  where: signal.rows.where,
  key: signal.rows.subject,
  target: sql`receivers.value`,
  payload: payloadOf(signal),
})

/** The rows of a signal with each registered receiver that gets it. */
const withRegistered = ({ type, rows: { from, where } }: SignalRows, isPush: boolean) => ({
  from: sql`${from}, ${signalReceivers}`,
  where: sql`${where} and ${signalReceivers.url} is ${sql.raw(isPush ? 'not null' : 'null')}
    and ${signalReceivers.status} <> 'disabled'
    and exists (select 1 from json_each(${signalReceivers.events}) wanted where wanted.value = ${type})`,
})

/** Jobs for registered receivers that get events by push. */
export const jobsOfRegistered = (signal: SignalRows): JobRows => ({
  ...withRegistered(signal, true),
  key: signal.rows.subject,
  target: sql`${registeredPrefix} || ${signalReceivers.id}`,
  payload: payloadOf(signal),
})

/** The target of a job for a registered receiver begins with it; names of configured ones cannot. */
export const registeredPrefix = '~'

/** For a batch: queues a signal for each registered receiver that polls. */
export function queueSignals(db: Database, signal: SignalRows, now: Date): Statement {
  const { from, where } = withRegistered(signal, false)
  return db
    .insert(signalEvents)
    .select(
      sql`select lower(hex(randomblob(16))), ${signalReceivers.id}, ${payloadOf(signal)}, ${now.getTime()} from ${from} where ${where}`,
    )
}

export const queueSignal = (db: Database, event: typeof signalEvents.$inferInsert) =>
  db.insert(signalEvents).values(event)

export async function findReceiver(db: Database, by: { id: string } | { tokenHash: string }) {
  const which = 'id' in by ? eq(signalReceivers.id, by.id) : eq(signalReceivers.tokenHash, by.tokenHash)
  const [found] = await db.select().from(signalReceivers).where(which)
  return found ?? null
}

/** For a batch: all receivers, newest first, with the number of events that wait for each. */
export const listReceivers = (db: Database, limit: number) =>
  db
    .select({
      receiver: signalReceivers,
      // A column of a query on one table is written without its table, and both tables have an id.
      waiting:
        sql<number>`(select count(*) from ${signalEvents} where ${signalEvents.receiverId} = ${signalReceivers}.id)`.as(
          'waiting',
        ),
    })
    .from(signalReceivers)
    .orderBy(desc(signalReceivers.createdAt), desc(signalReceivers.id))
    .limit(limit)

export const hasFewerReceivers = (limit: number): Condition => fewerThan(signalReceivers, sql`true`, limit)

export const insertReceiver = (db: Database, row: StoredReceiver) => db.insert(signalReceivers).values(row)

export const deleteReceiver = (db: Database, id: string) =>
  db.delete(signalReceivers).where(eq(signalReceivers.id, id)).returning({ name: signalReceivers.name })

export const setStatus = (db: Database, id: string, status: StreamStatus, reason: string | null) =>
  db.update(signalReceivers).set({ status, reason }).where(eq(signalReceivers.id, id))

/** Events of a disabled stream are not held (SSF 1.0, section 8.1.2). */
export const dropEvents = (db: Database, receiverId: string) =>
  db.delete(signalEvents).where(eq(signalEvents.receiverId, receiverId))

/** Changes a row unless the stream was verified after `notSince`. */
export const markVerified = (db: Database, id: string, now: Date, notSince: Date) =>
  db
    .update(signalReceivers)
    .set({ verifiedAt: now })
    .where(
      and(
        eq(signalReceivers.id, id),
        or(isNull(signalReceivers.verifiedAt), lte(signalReceivers.verifiedAt, notSince)),
      ),
    )

/** For a batch: deletes acknowledged events of a receiver. */
export const acknowledge = (db: Database, receiverId: string, ids: readonly string[]) =>
  db
    .delete(signalEvents)
    .where(
      and(
        eq(signalEvents.receiverId, receiverId),
        sql`${signalEvents.id} in (select value from json_each(${JSON.stringify(ids)}))`,
      ),
    )

/** For a batch: the oldest events of a receiver. */
export const oldestEvents = (db: Database, receiverId: string, limit: number) =>
  db
    .select()
    .from(signalEvents)
    .where(eq(signalEvents.receiverId, receiverId))
    .orderBy(sql`${signalEvents}.rowid`)
    .limit(limit)

/** Maximum number of deletions per run. */
const batchSize = 5000

/** For the cron trigger. */
export const deleteOldSignalEvents = (db: Database, before: Date) =>
  deleteSome(db, signalEvents, signalEvents.id, lte(signalEvents.createdAt, before), batchSize)

const excess = alias(signalEvents, 'excess')
const newest = alias(signalEvents, 'newest')

/** For the cron trigger: the oldest events beyond the maximum of each receiver. */
export const deleteExcessEvents = (db: Database, max: number) =>
  db.delete(signalEvents).where(
    sql`${signalEvents}.rowid in (
      select excess.rowid from ${signalReceivers}, ${signalEvents} excess
      where ${excess.receiverId} = ${signalReceivers.id} and excess.rowid <= (
        select newest.rowid from ${signalEvents} newest where ${newest.receiverId} = ${signalReceivers.id}
        order by newest.rowid desc limit 1 offset ${max}
      ) limit ${batchSize}
    )`,
  )
