import { and, asc, desc, eq, getTableColumns, gt, inArray, lt, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { deploymentChain } from '../../kit/audit-chain.ts'
import { newId } from '../../kit/random.ts'
import { after, days } from '../../kit/time.ts'
import type { Database } from '../../platform/database.ts'
import { insertWhere, read, type Statement } from '../../platform/statements.ts'
import { auditChains, auditRecords } from '../audit/audit-records.table.ts'
import { jobs } from '../jobs/jobs.table.ts'
import type { RestoredRows } from '../lifecycle.ts'
import type { AuditValues } from '../model/audit-context.ts'
import { type Recovery, type RecoveryOrder, recoverAction, recoverKind } from './recovery-job.ts'

/** Every table has SQLite's rowid. */
const rowid = sql<number>`rowid`

/** The last row of a table; 0 without rows. */
export async function lastRow(db: Database, table: SQLiteTable): Promise<number> {
  const [found] = await db.select({ last: sql<number | null>`max(rowid)` }).from(table)
  return found?.last ?? 0
}

const between = (from: number, to: number): SQL => and(gt(rowid, from), lte(rowid, to))!

/** The next rows up to `to`: the last of them, or null, and how many of them a rule ends. */
export async function nextRows(
  db: Database,
  { table, where = sql`true` }: RestoredRows,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<{ last: number | null; count: number }> {
  const rows = sql`(select *, rowid as seq from ${table} where ${between(from, to)} order by rowid limit ${limit})`
  const [found] = await db
    .select({
      last: sql<number | null>`max(seq)`,
      count: sql<number>`coalesce(sum(case when ${where} then 1 else 0 end), 0)`,
    })
    .from(sql`${rows} as ${table}`)
  return found!
}

/** For a batch: ends the rows of a rule between two places. */
export function endRows(db: Database, { table, set, where }: RestoredRows, from: number, to: number): Statement {
  const which = and(between(from, to), where)
  return set ? db.update(table).set(set).where(which) : db.delete(table).where(which)
}

/** Chains of organizations after a place, in the order of their rows. */
export const nextChains = (db: Database, from: number, limit: number) =>
  db
    .select({ ...getTableColumns(auditChains), rowid })
    .from(auditChains)
    .where(and(gt(rowid, from), sql`${auditChains.chain} <> ${deploymentChain}`))
    .orderBy(asc(rowid))
    .limit(limit)

/** The state of the deployment's chain, and the last record before a number. */
export async function chainBefore(db: Database, seq: number) {
  const found = await read(db, {
    chains: db.select().from(auditChains).where(eq(auditChains.chain, deploymentChain)),
    records: db
      .select({ seq: auditRecords.seq, hash: auditRecords.hash })
      .from(auditRecords)
      .where(lt(auditRecords.seq, seq))
      .orderBy(desc(auditRecords.seq))
      .limit(1),
  })
  return { chain: found.chains[0], record: found.records[0] }
}

/** Numbers that lost records may have had. */
const skipped = 1_000_000_000

const recordOf = (after: AuditValues, createdAt: Date) => ({
  ...{ id: newId(), createdAt, action: recoverAction, actorType: 'system' as const, subjectType: 'deployment', after },
})

/** For a batch: the first record of a recovery, after all numbers that the lost records may have had. */
export const insertFirstRecord = (db: Database, values: AuditValues, now: Date) =>
  db
    .insert(auditRecords)
    .values({
      ...recordOf(values, now),
      seq: sql`(select ${skipped} + coalesce(max(seq), 0) from sqlite_sequence where name = 'audit_records')` as never,
    })
    .returning({ seq: auditRecords.seq })

/** For a batch: the last record of a recovery. */
export const insertLastRecord = (db: Database, values: AuditValues, now: Date): Statement =>
  db.insert(auditRecords).values(recordOf(values, now))

/** For a batch: the progress of the job. @param next replaced by the number of the newest record */
export const saveProgress = (db: Database, jobId: string, recovery: Recovery, setsNext: boolean): Statement => {
  const text = JSON.stringify(recovery)
  const payload = setsNext ? sql`json_set(${text}, '$.next', (select max(seq) from ${auditRecords}))` : sql`${text}`
  return db.update(jobs).set({ payload }).where(eq(jobs.id, jobId))
}

/** Jobs whose repetition has no effect outside of the deployment, or one that its receiver recognizes. */
const repeatable = [
  ...['ended-session', 'ended-token', 'audit-stream', 'social:store-tokens', recoverKind],
  ...['billing-inbox', 'billing-usage', 'billing-customer', 'billing-customer-update', 'billing-customer-deletion'],
]

const handler = sql<string>`substr(${jobs.kind}, 1, instr(${jobs.kind} || '/', '/') - 1)`

/** Jobs of the restored state that may have been done before the restore. @param time of the restored state */
const mayBeDone = (time: Date): SQL =>
  and(inArray(jobs.state, ['pending', 'held']), lte(jobs.createdAt, after(time, 60)), notInArray(handler, repeatable))!

export const countWaiting = (db: Database, time: Date) =>
  db
    .select({ kind: handler.as('handler'), count: sql<number>`count(*)`.as('number') })
    .from(jobs)
    .where(mayBeDone(time))
    .groupBy(sql`1`)
    .orderBy(sql`1`)

/** Gives up jobs that may have been done before the restore. An administrator can deliver each of them again. */
export const giveUpWaiting = (db: Database, time: Date, now: Date) =>
  db
    .update(jobs)
    .set({
      ...{ state: 'failed', settledAt: now, nextAt: after(now, days(30)) },
      lastError: 'the database was restored: the job may have been done before',
    })
    .where(mayBeDone(time))

/** The job that recovers, unless one is waiting. */
export const insertRecovery = (db: Database, order: RecoveryOrder, now: Date) => {
  const recovery: Recovery = { ...order, step: 0, position: 0, end: null, next: null, cursor: null, counts: {} }
  const row = {
    ...{ id: newId(), kind: recoverKind, key: recoverKind, payload: JSON.stringify(recovery), attempts: 0 },
    ...{ nextAt: now, state: 'pending' as const, settledAt: null, lastError: null, createdAt: now },
  }
  const isFirst = sql`not exists (select 1 from ${jobs} where kind = ${recoverKind} and state = 'pending')`
  return insertWhere(db, jobs, row, isFirst).returning({ id: jobs.id })
}

/** The newest job that recovers. */
export const newestRecovery = (db: Database) =>
  db
    .select({ state: jobs.state, payload: jobs.payload, lastError: jobs.lastError })
    .from(jobs)
    .where(eq(jobs.kind, recoverKind))
    .orderBy(desc(rowid))
    .limit(1)

/** The newest record of a recovery, of the newest 10,000 records of the deployment: a recovery is looked at when it ends. */
export const newestRecoveryRecord = (db: Database) =>
  db
    .select({ createdAt: auditRecords.createdAt, after: auditRecords.after })
    .from(auditRecords)
    .where(
      and(
        sql`${auditRecords.seq} > (select max(last.seq) - 10000 from ${auditRecords} as last)`,
        eq(auditRecords.action, recoverAction),
      ),
    )
    .orderBy(desc(auditRecords.seq))
    .limit(1)
