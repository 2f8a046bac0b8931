import { and, desc, eq, getTableColumns, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { after, days, minutes, ms } from '../../kit/time.ts'
import type { Database } from '../../platform/database.ts'
import {
  type Condition,
  deleteSome,
  givenRows,
  givenValues,
  insertWhere,
  type Statement,
} from '../../platform/statements.ts'
import { type Job, type JobState, jobs } from './jobs.table.ts'

/**
 * Queries about jobs. Each function is one round trip or a part of one. States are literals, because SQLite uses a
 * partial index only if the query repeats its condition.
 */
const isPending = sql`${jobs.state} = 'pending'`
const isUndelivered = sql`(${jobs.state} = 'failed' or (${jobs.state} = 'pending' and ${jobs.attempts} > 0))`

/** An alias of the table for subqueries. */
const other = alias(jobs, 'other')

/** @param when the condition at this place of the batch */
export const insertJob = (db: Database, job: Job, when: Condition = sql`true`) => insertWhere(db, jobs, job, when)

/** The rows of a batch that get a job each, as parts of a SELECT. */
export interface JobRows {
  from: SQL
  where: Condition
  key: SQL
  /** JSON. */
  payload: SQL
  /** The part of the kind after the slash. */
  target?: SQL | undefined
}

/** For a batch: inserts a job for each row. @param group the prefix of the ids */
export function insertJobs(db: Database, group: string, kind: string, rows: JobRows, now: Date): Statement {
  const kindOfRow = rows.target ? sql`${kind} || '/' || ${rows.target}` : sql`${kind}`
  // Uses the time of an earlier failed job of the key, so that claims skip the new job until then.
  const rest = sql`select ${other.nextAt} from ${jobs} other where other.state = 'pending' and other.kind = ${kindOfRow}
    and other.key = ${rows.key} and ${other.lastError} is not null order by other.rowid limit 1`
  const job: Record<keyof Job, SQL> = {
    id: sql`${group} || lower(hex(randomblob(8)))`,
    kind: kindOfRow,
    key: rows.key,
    payload: rows.payload,
    attempts: sql`0`,
    nextAt: sql`max(${now.getTime()}, coalesce((${rest}), 0))`,
    state: sql`'pending'`,
    settledAt: sql`null`,
    lastError: sql`null`,
    createdAt: sql`${now.getTime()}`,
  }
  const columns = sql.join(Object.values(job), sql`, `)
  return db.insert(jobs).select(sql`select ${columns} from ${rows.from} where ${rows.where}`)
}

/** The id of the row that stores the rest of a kind. */
const restOf = (kind: string | SQL) => sql`'rest:' || ${kind}`

/** Consecutive failures after which a kind rests. */
export const failuresBeforeRest = 3

/** Lists kinds with due jobs and their consecutive failures. Reads one row per waiting kind. */
export async function listDueKinds(db: Database, now: Date): Promise<{ kind: string; failures: number }[]> {
  const pending = sql`from ${jobs} where state = 'pending'`
  return db.all(sql`
    with recursive kinds (kind) as (
      select min(kind) ${pending}
      union all select (select min(kind) ${pending} and kind > kinds.kind) from kinds where kinds.kind is not null
    )
    select kinds.kind as kind, coalesce(rest.attempts, 0) as failures
    from kinds left join ${jobs} as rest on rest.id = ${restOf(sql`kinds.kind`)}
    where kinds.kind is not null and coalesce(rest.next_at, 0) <= ${now.getTime()}
      and exists (select 1 ${pending} and kind = kinds.kind and next_at <= ${now.getTime()})`)
}

/** A job that was claimed for one attempt. */
export type ClaimedJob = Job & { seq: number }

const claim = (db: Database, until: Date, which: SQL) =>
  db
    .update(jobs)
    .set({ attempts: sql`${jobs.attempts} + 1`, nextAt: until })
    .where(sql`${jobs}.rowid in (${which})`)
    .returning({ ...getTableColumns(jobs), seq: sql<number>`rowid` })

/** Due rows that are read per claimed job. Other rows wait behind an earlier job of their key. */
const rowsPerJob = 20

/**
 * For a batch: claims jobs of a kind, the earliest due first, and the following jobs of the same keys. Concurrent
 * claims get different jobs. A claim expires at `until`.
 */
export function claimKind(db: Database, kind: string, limit: number, now: Date, until: Date) {
  return claim(
    db,
    until,
    sql`with due as (
      select rowid as seq, key from ${jobs} where state = 'pending' and kind = ${kind} and next_at <= ${now.getTime()}
      order by next_at limit ${limit * rowsPerJob}
    ), first as (
      select seq, key from due where key is null or not exists (
        select 1 from ${jobs} e where e.state = 'pending' and e.kind = ${kind} and e.key = due.key and e.rowid < due.seq
      ) limit ${limit}
    )
    select seq from first union select seq from (
      select f.rowid as seq from ${jobs} f
      where f.state = 'pending' and f.kind = ${kind} and f.key in (select key from first)
      order by f.key, f.rowid limit ${limit}
    )`,
  )
}

/**
 * Claims jobs by ids or prefixes of ids. Skips jobs of a resting kind and jobs that wait behind another job of their
 * key.
 * @param revived whether to include jobs of a resting kind
 */
export const claimJobs = (db: Database, ids: readonly string[], now: Date, until: Date, revived: boolean) =>
  claim(
    db,
    until,
    sql`with own as (
      select other.rowid as seq, other.kind as kind, other.key as key
      from json_each(${JSON.stringify(ids)}) as given cross join ${jobs} other
      where other.id >= given.value and other.id < given.value || '~' and other.state = 'pending' and ${other.nextAt} <= ${now.getTime()}
    )
    select seq from own where (${revived ? 1 : 0} or not exists (
      select 1 from ${jobs} r where r.id = ${restOf(sql`own.kind`)} and r.next_at > ${now.getTime()}
    )) and (own.key is null or not exists (
      select 1 from ${jobs} e where e.state = 'pending' and e.kind = own.kind and e.key = own.key and e.rowid < own.seq
      and e.rowid not in (select seq from own)
    ))`,
  )

/** The result of a claimed job. */
export interface JobOutcome {
  job: ClaimedJob
  state: 'pending' | 'done' | 'failed'
  /** One less than at the claim if the job was not tried. */
  attempts: number
  nextAt: Date
  lastError: string | null
  /** The target has asked for a pause. */
  asksForRest: boolean
}

/** For a batch: stores the outcomes of claimed jobs, except for jobs that another claim has taken since. */
export function settleJobs(db: Database, outcomes: readonly JobOutcome[], now: Date): Statement[] {
  const isGone = ({ state, nextAt }: JobOutcome) => state === 'done' && nextAt <= now
  const gone = outcomes.filter(isGone).map(({ job }) => job.id)
  const kept = outcomes.filter((outcome) => !isGone(outcome))
  const failed = kept.filter(
    ({ job, state, lastError }) => state === 'pending' && lastError !== null && job.key !== null,
  )
  const statements: Statement[] = []
  if (gone.length > 0) statements.push(db.delete(jobs).where(inArray(jobs.id, givenValues(gone))))
  if (kept.length > 0) {
    const given = kept.map(({ job, state, attempts, nextAt, lastError }) => [
      ...[job.id, job.attempts, state, attempts, nextAt.getTime()],
      ...[lastError, state === 'pending' ? (job.settledAt?.getTime() ?? null) : now.getTime()],
    ])
    const names = ['id', 'claimed', 'state', 'attempts', 'next', 'error', 'settled']
    const changes = {
      ...{ state: sql`given.state`, attempts: sql`given.attempts`, nextAt: sql`given.next` },
      ...{ lastError: sql`given.error`, settledAt: sql`given.settled` },
      payload: sql`case given.state when 'done' then null else ${jobs.payload} end`,
    }
    statements.push(
      db
        .update(jobs)
        .set(changes)
        .from(givenRows(names, given))
        .where(sql`${jobs.id} = given.id and ${jobs.attempts} = given.claimed and ${jobs.state} = 'pending'`),
    )
  }
  if (failed.length > 0) {
    const given = failed.map(({ job, nextAt }) => [job.kind, job.key, nextAt.getTime()])
    statements.push(
      db
        .update(jobs)
        .set({ nextAt: sql`given.next` })
        .from(givenRows(['kind', 'key', 'next'], given))
        .where(
          // Without the plus, SQLite uses the index of due jobs and reads all jobs of the kind.
          sql`${jobs.state} = 'pending' and ${jobs.kind} = given.kind and ${jobs.key} = given.key
            and +${jobs.nextAt} < given.next`,
        ),
    )
  }
  return statements
}

/** Updates a pending job that its own request tries first. */
export const settleJob = (db: Database, id: string, changes: Partial<Omit<Job, 'id' | 'kind'>>) =>
  db
    .update(jobs)
    .set(changes)
    .where(and(eq(jobs.id, id), eq(jobs.state, 'pending')))

/** For a batch: ends the rest of a kind that is reachable again. Its failed jobs become due. */
export const endRest = (db: Database, kind: string, now: Date): Statement[] => [
  db
    .update(jobs)
    .set({ nextAt: now })
    .where(
      sql`${jobs.state} = 'pending' and ${jobs.kind} = ${kind} and ${jobs.nextAt} > ${now.getTime()}
        and ${jobs.lastError} is not null and exists (
          select 1 from ${jobs} r where r.id = ${restOf(kind)} and r.attempts >= ${failuresBeforeRest}
        )`,
    ),
  deleteRest(db, kind),
]

/** The rest (s) of a kind after a number of consecutive failures. */
const restAfter = (failures: number, maxRest: number): number =>
  failures < failuresBeforeRest ? 0 : Math.min(maxRest, minutes(1) * 2 ** (failures - failuresBeforeRest))

/**
 * For a batch: counts failures of a kind. After several consecutive failures the kind rests for a minute, then twice as
 * long each time. Before that, only first attempts count, so that one failing job does not stop the others.
 * @param until the end of the rest, if known
 */
export function noteFailures(
  db: Database,
  kind: string,
  {
    all,
    first,
    maxRest,
    lastError,
    until,
  }: { all: number; first: number; maxRest: number; lastError: string; until: Date | null },
  now: Date,
): Statement {
  const count = sql`${jobs.attempts} + case when ${jobs.attempts} < ${failuresBeforeRest} then ${first} else ${all} end`
  const rest = sql`min(${ms(maxRest)}, 60000 << min((${count}) - ${failuresBeforeRest}, 10))`
  const nextAt = sql`${now.getTime()} + case when ${count} < ${failuresBeforeRest} then 0 else ${rest} end`
  const row: Job = {
    ...{ id: `rest:${kind}`, kind, key: null, payload: null, attempts: first, lastError, createdAt: now },
    ...{ nextAt: until ?? after(now, restAfter(first, maxRest)), state: 'resting', settledAt: null },
  }
  return db
    .insert(jobs)
    .values(row)
    .onConflictDoUpdate({
      target: jobs.id,
      set: { attempts: count, lastError, nextAt: until ?? nextAt },
    })
}

/** The maximum number of rows that one step gives up or deletes. */
const step = 1000

/** The give-up rule of each handler. */
export interface GiveUpRule {
  handler: string
  before: Date
  /** How long given-up jobs are kept. */
  keepUntil: Date
}

/**
 * Gives up jobs that have failed for too long and jobs that wait for an unreachable target.
 * @param rest the rule of all other handlers
 */
export const giveUpJobs = (
  db: Database,
  rules: readonly GiveUpRule[],
  rest: Omit<GiveUpRule, 'handler'>,
  now: Date,
) => {
  const given = rules.map(({ handler, before, keepUntil }) => [handler, before.getTime(), keepUntil.getTime()])
  const handler = sql`substr(${jobs.kind}, 1, instr(${jobs.kind} || '/', '/') - 1)`
  const ruleOf = (at: number, other: Date) =>
    sql`coalesce((select value ->> ${sql.raw(String(at))} from json_each(${JSON.stringify(given)})
      where value ->> 0 = ${handler}), ${other.getTime()})`
  const restError = sql`(select ${other.lastError} from ${jobs} other where other.id = ${restOf(sql`${jobs.kind}`)})`
  const latest = new Date(Math.max(rest.before.getTime(), ...rules.map(({ before }) => before.getTime())))
  const which = and(
    isPending,
    lte(jobs.createdAt, latest),
    sql`coalesce(${jobs.settledAt}, ${jobs.createdAt}) <= ${ruleOf(1, rest.before)}`,
    sql`(${jobs.attempts} > 0 or ${restError} is not null)`,
  )
  return db
    .update(jobs)
    .set({
      ...{ state: 'failed', settledAt: now, nextAt: ruleOf(2, rest.keepUntil) },
      lastError: sql`coalesce(${jobs.lastError}, ${restError})`,
    })
    .where(sql`${jobs}.rowid in (select rowid from ${jobs} where ${which} limit ${step})`)
    .returning({ id: jobs.id, kind: jobs.kind, attempts: jobs.attempts, lastError: jobs.lastError })
}

/** Deletes old jobs that are done or given up, in one bounded step. */
export const deleteSettledJobs = (db: Database, now: Date) =>
  deleteSettled(db, ['done', 'failed'], now).returning({ id: jobs.id, kind: jobs.kind, state: jobs.state })

/** How long (s) a rest is kept after its end. */
const restMemory = days(7)

export const deleteOldRests = (db: Database, now: Date) => deleteSettled(db, ['resting'], after(now, -restMemory))

const deleteSettled = (db: Database, states: JobState[], before: Date) =>
  deleteSome(
    db,
    jobs,
    jobs.id,
    and(sql`${jobs.state} <> 'pending'`, inArray(jobs.state, states), lte(jobs.nextAt, before))!,
    step,
  )

/** The last row of a page. */
export interface UndeliveredPlace {
  createdAt: number
  seq: number
}

/** Reads a page of jobs that failed or were given up, newest first, and one more row; without payloads. */
export const undeliveredPage = (
  db: Database,
  { kind, limit, before }: { kind?: string | undefined; limit: number; before: UndeliveredPlace | null },
) =>
  db
    .select({
      ...{ id: jobs.id, kind: jobs.kind, key: jobs.key, state: jobs.state, attempts: jobs.attempts },
      ...{ lastError: jobs.lastError, createdAt: jobs.createdAt, nextAt: jobs.nextAt },
      /** For a payload that the database has written. */
      type: sql<string | null>`case when ${jobs.payload} like '{%' then ${jobs.payload} ->> 'type' end`.as('type'),
      seq: sql<number>`rowid`.as('seq'),
    })
    .from(jobs)
    .where(
      and(
        isUndelivered,
        kind === undefined ? undefined : eq(jobs.kind, kind),
        before === null ? undefined : sql`(${jobs.createdAt}, rowid) < (${before.createdAt}, ${before.seq})`,
      ),
    )
    .orderBy(desc(jobs.createdAt), desc(sql`rowid`))
    .limit(limit + 1)

/** Resets one job by id, or all undelivered jobs of a kind, and makes them due. Returns their ids. */
export const reviveJobs = (db: Database, which: { id: string } | { kind: string }, now: Date) =>
  db
    .update(jobs)
    .set({ state: 'pending', settledAt: now, nextAt: now, attempts: 0 })
    .where(
      and(
        'id' in which ? eq(jobs.id, which.id) : and(eq(jobs.kind, which.kind), isUndelivered),
        inArray(jobs.state, ['pending', 'failed']),
      ),
    )
    .returning({ id: jobs.id })

/** Ends the rest of a kind. */
export const deleteRest = (db: Database, kind: string) => db.delete(jobs).where(sql`${jobs.id} = ${restOf(kind)}`)
