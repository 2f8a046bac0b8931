import { days, hours, minutes } from '../../kit/time.ts'
import type { Condition } from '../../platform/statements.ts'

export interface JobOptions {
  /** The dispatcher runs jobs of the same kind and key in order. */
  key?: string | undefined
  /** The condition at this place of the batch. If it is false, no job is written. */
  when?: Condition | undefined
  /** Seconds before the first attempt. */
  delay?: number
  /** Deduplicates: the batch ignores a second job with the same id. */
  id?: string
  /** Only the cron trigger runs the job, within the budget of its run. */
  byCron?: boolean
  /** Stores the payload unsealed. Only for a payload without secrets, addresses or links. */
  plain?: boolean
}

/** How the dispatcher treats the jobs of one kind. Times are in seconds. */
export interface JobRules {
  /** Pauses after the first, second, … failure. The last one repeats. */
  pauses: readonly number[]
  /** Timeout of one attempt. */
  timeout: number
  /** The number of concurrent jobs. */
  parallel: number
  /** The maximum number of jobs per claim and per call of `runAll`. */
  batchSize: number
  /** Statements plus requests of one job, for the budget of a cron run. */
  cost: number
  /** The age at which a failed job is given up; null: after the last pause. */
  giveUpAfter: number | null
  /** How long a done job and a given-up job are kept. */
  keepDone: number
  keepFailed: number
  /** The maximum rest of the kind after consecutive failures; null: the kind never rests. */
  maxRest: number | null
}

export const defaultRules: JobRules = {
  pauses: [minutes(1), minutes(5), minutes(15), hours(1), hours(4)],
  timeout: minutes(1),
  parallel: 3,
  batchSize: 30,
  cost: 3,
  giveUpAfter: days(30),
  keepDone: 0,
  keepFailed: days(30),
  maxRest: null,
}

/** The facts of a job for its handler. */
export interface JobFacts {
  id: string
  /** The part of the kind after the slash: the name of an endpoint or a client. */
  target: string
  attempts: number
  createdAt: Date
}

/**
 * A handler. It may receive a job twice. It throws if a retry may help, TryLater if it knows the time of the retry, and
 * GiveUp if no retry can help.
 */
export type JobKind<Scope> = Partial<JobRules> & {
  /** Rules that depend on the configuration. */
  rules?(scope: Scope): Partial<JobRules>
} & (
    | { run(scope: Scope, payload: never, job: JobFacts): Promise<unknown> }
    /** Runs several jobs with one request. @returns the errors of failed jobs by id */
    | { runAll(scope: Scope, jobs: readonly (JobFacts & { payload: never })[]): Promise<ReadonlyMap<string, unknown>> }
  )

/** The part of a kind that names its handler. */
export const handlerOf = (kind: string): string => kind.split('/', 1)[0]!
export const jobTargetOf = (kind: string): string => kind.slice(handlerOf(kind).length + 1)

/** @param handler undefined if no enabled feature has one */
export const jobRulesOf = <Scope>(scope: Scope, handler: JobKind<Scope> | undefined): JobRules => ({
  ...defaultRules,
  ...handler,
  ...handler?.rules?.(scope),
})
