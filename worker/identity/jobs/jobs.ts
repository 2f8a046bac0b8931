import { seal } from '../../kit/encrypt.ts'
import { newId, randomString } from '../../kit/random.ts'
import { after } from '../../kit/time.ts'
import { reasonOf } from '../../platform/log.ts'
import type { Statement } from '../../platform/statements.ts'
import type { JobOptions } from '../model/job-kind.ts'
import type { Scope } from '../scope.ts'
import { runJobs } from './dispatch.ts'
import { insertJob, insertJobs, type JobRows } from './jobs.store.ts'
import type { Job } from './jobs.table.ts'

/** A new job. */
export async function draftJob(
  scope: Scope,
  kind: string,
  payload: unknown,
  { key, delay = 0, id = newId(), plain = false }: JobOptions = {},
): Promise<Job> {
  const now = scope.now()
  const text = JSON.stringify(payload)
  return {
    ...{ id, kind, key: key ?? null, payload: plain ? text : await seal(scope.settings.secrets, text) },
    ...{ attempts: 0, nextAt: after(now, delay), state: 'pending' as const, settledAt: null, lastError: null },
    createdAt: now,
  }
}

/**
 * For `defer` of the unit of work. The job runs after the response. The cron trigger or the queue retries it until it
 * succeeds or its kind gives it up (job-kind.ts).
 */
export async function jobStatements(
  scope: Scope,
  kind: string,
  payload: unknown,
  options: JobOptions = {},
): Promise<Statement[]> {
  const job = await draftJob(scope, kind, payload, options)
  if (!options.delay && !options.byCron) noteJob(scope, job.id)
  // Returned in a list, because an awaited statement would run.
  return [insertJob(scope.db, job, options.when).onConflictDoNothing()]
}

/** The prefix of the ids of the jobs that a statement writes. */
const groups = new WeakMap<Statement, string>()

/** For a batch: inserts one job per row that the batch finds at this place. The database writes the payloads. */
export function jobStatementsFor(
  scope: Scope,
  kind: string,
  rows: JobRows,
  { idPrefix = '' }: { idPrefix?: string } = {},
): Statement[] {
  const group = idPrefix + newGroup()
  const statement = insertJobs(scope.db, group, kind, rows, scope.now())
  groups.set(statement, group)
  return [statement]
}

/** After a batch: notes the jobs of `jobStatementsFor`. A statement that found no row starts no run. */
export function noteWrittenJobs(scope: Scope, statements: readonly Statement[], results: readonly unknown[]): void {
  for (const [index, statement] of statements.entries()) {
    const group = groups.get(statement)
    if (group && (results[index] as D1Result).meta.changes > 0) noteJob(scope, group)
  }
}

/** The prefix of the ids of one statement's jobs: 16 hexadecimal digits. */
export const newGroup = (): string => randomString(16, '0123456789abcdef')

/** The jobs of a request: ids or prefixes of ids. */
interface RequestJobs {
  /** The jobs that a batch writes. */
  written: string[]
  /** The jobs that run after the response. */
  starting: string[]
}

const noJobs = (): RequestJobs => ({ written: [], starting: [] })

/** Notes a job of the batch that the unit of work is about to commit. @param id or a prefix of ids */
export const noteJob = (scope: Scope, id: string): void => void scope.once(noJobs).written.push(id)

/** After a batch that wrote nothing. */
export function forgetJobs(scope: Scope): void {
  scope.once(noJobs).written = []
}

/** After the commit: runs the jobs of the batch after the response, all jobs of a request with one claim. */
export function startJobs(scope: Scope): void {
  const jobs = scope.once(noJobs)
  const ids = jobs.written.splice(0)
  if (ids.length === 0) return
  jobs.starting.push(...ids)
  // An earlier batch of the request has deferred the run.
  if (jobs.starting.length > ids.length) return
  scope.after(() => start(scope, jobs.starting.splice(0)))
}

/** Sends jobs to the queue, if one is bound. Without a queue, or if the queue fails, runs them here. */
async function start(scope: Scope, ids: readonly string[]): Promise<void> {
  try {
    if (scope.env.JOBS) return void (await scope.env.JOBS.send({ jobs: ids }))
  } catch (thrown) {
    scope.log('error', 'queue-unreachable', { reason: reasonOf(thrown) })
  }
  await runJobs(scope, ids)
}
