import { open } from '../../kit/encrypt.ts'
import { GiveUp, TryLater } from '../../kit/errors.ts'
import { after, hours, minutes, ms, seconds } from '../../kit/time.ts'
import { bounded } from '../../platform/bounded.ts'
import { reasonOf } from '../../platform/log.ts'
import { read, runBatch, type Statement } from '../../platform/statements.ts'
import { handlerOf, type JobFacts, type JobKind, type JobRules, jobRulesOf, jobTargetOf } from '../model/job-kind.ts'
import type { Scope } from '../scope.ts'
import * as store from './jobs.store.ts'

/**
 * The duration (s) of a claim, and the time after which its holder starts no further job. The time is shorter after a
 * response, see `waitUntil`.
 */
const lease = minutes(3)
const workingTime = { run: minutes(1), afterAnswer: seconds(20) }

/**
 * The statements and requests of one run of the cron trigger. D1 allows 1,000 queries per invocation, and deletions
 * need a part of them.
 */
const runBudget = 700
const runTime = { all: minutes(4), one: seconds(50) }

/** The maximum number of kinds in one round. */
const kindsPerRound = 24

/**
 * Runs due jobs, called by the cron trigger. Each round gives an equal share to every handler and to each of its
 * targets.
 * @param handler only its jobs, in a run that another one follows a minute later
 */
export async function runDueJobs(scope: Scope, handler?: string): Promise<void> {
  const end = after(scope.now(), handler === undefined ? runTime.all : runTime.one)
  const isWanted = (kind: string) => handler === undefined || handlerOf(kind) === handler
  const closed = new Set<string>()
  const succeeded = new Set<string>()
  for (let budget = runBudget; budget > 0 && scope.now() < end; ) {
    const due = (await store.listDueKinds(scope.db, scope.now())).filter(
      ({ kind }) => isWanted(kind) && !closed.has(kind),
    )
    if (due.length === 0) return
    const shares = divide(scope, due, budget, succeeded)
    const now = scope.now()
    const claims = shares.map(
      ({ kind, limit }) => [kind, store.claimKind(scope.db, kind, limit, now, after(now, lease))] as const,
    )
    const jobs = Object.values(await read(scope.db, Object.fromEntries(claims))).flat()
    const outcomes = await runClaimed(scope, jobs, workingTime.run)
    for (const { kind } of shares) {
      const own = outcomes.filter(({ job }) => job.kind === kind)
      if (own.some(({ state }) => state === 'done')) succeeded.add(kind)
      else closed.add(kind)
    }
    // The listing, the claims and the outcomes.
    budget -= 1 + shares.length + 8
    for (const { job } of outcomes.filter(isTried)) budget -= ruleOf(scope, job.kind).cost
  }
}

/** The handlers of all kinds, by name. */
const handlersOf = (scope: Scope): Readonly<Record<string, JobKind<Scope>>> =>
  Object.assign({}, ...scope.lifecycle.registry('jobs'))

const ruleOf = (scope: Scope, kind: string): JobRules => jobRulesOf(scope, handlersOf(scope)[handlerOf(kind)])

/**
 * The number of jobs of each kind for the next round. A kind that has not succeeded in this run starts with a small
 * number.
 */
function divide(
  scope: Scope,
  due: readonly { kind: string; failures: number }[],
  budget: number,
  succeeded: ReadonlySet<string>,
): { kind: string; limit: number }[] {
  const byHandler = [...Map.groupBy(due, ({ kind }) => handlerOf(kind)).values()]
  const kinds = Math.max(1, Math.floor(kindsPerRound / byHandler.length))
  return byHandler.flatMap((targets) => {
    const chosen = shuffled(targets).slice(0, kinds)
    const share = budget / byHandler.length / chosen.length
    return chosen.map(({ kind, failures }) => {
      const { parallel, batchSize, cost } = ruleOf(scope, kind)
      const handler = handlersOf(scope)[handlerOf(kind)]
      const first = handler && 'runAll' in handler ? batchSize : parallel
      const most = succeeded.has(kind) ? batchSize : failures >= store.failuresBeforeRest ? 1 : first
      return { kind, limit: Math.max(1, Math.min(most, Math.floor(share / cost))) }
    })
  })
}

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((one) => [Math.random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)

/**
 * Claims and runs due jobs.
 * @param ids or prefixes of ids
 * @param revived whether to include jobs of a resting kind
 * @returns the outcomes of the claimed jobs
 */
export async function runJobs(scope: Scope, ids: readonly string[], revived = false): Promise<store.JobOutcome[]> {
  const now = scope.now()
  const jobs = await store.claimJobs(scope.db, ids, now, after(now, lease), revived)
  return jobs.length > 0 ? runClaimed(scope, jobs, workingTime.afterAnswer) : []
}

/** Messages of the queue JOBS. */
export type JobBatch = Pick<MessageBatch<{ jobs: readonly string[] }>, 'messages'>

/** The consumer of the queue. The queue sends a failed message again. A failed job has its own message. */
export const runQueued = (scope: Scope, { messages }: JobBatch): Promise<unknown> =>
  runJobs(
    scope,
    messages.flatMap(({ body }) => body.jobs),
  )

/** Runs claimed jobs and stores their outcomes in one batch. */
async function runClaimed(scope: Scope, jobs: readonly store.ClaimedJob[], time: number): Promise<store.JobOutcome[]> {
  const end = after(scope.now(), time)
  const inOrder = jobs.toSorted((a, b) => a.seq - b.seq)
  const byKind = [...Map.groupBy(inOrder, ({ kind }) => kind)]
  const done = await Promise.all(byKind.map(([kind, own]) => runKind(scope, kind, own, end)))
  const rests = byKind.flatMap(([kind], at) => restStatements(scope, kind, done[at]!))
  const outcomes = done.flat()
  await runBatch(scope.db, [...store.settleJobs(scope.db, outcomes, scope.now()), ...rests])
  await sendRetries(scope, outcomes)
  return outcomes
}

async function runKind(
  scope: Scope,
  kind: string,
  jobs: readonly store.ClaimedJob[],
  end: Date,
): Promise<store.JobOutcome[]> {
  const handler = handlersOf(scope)[handlerOf(kind)]
  const rules = ruleOf(scope, kind)
  if (handler && 'runAll' in handler) return runTogether(scope, handler.runAll, rules, jobs)
  const lanes = [...Map.groupBy(jobs, ({ key, id }) => key ?? `:${id}`).values()]
  const outcomes: store.JobOutcome[] = []
  for (let at = 0; at < lanes.length; at += rules.parallel) {
    const chunk = lanes.slice(at, at + rules.parallel)
    // The kind is unreachable: do not send further requests.
    const isDown = at > 0 && !outcomes.some(({ state }) => state === 'done')
    if (isDown) outcomes.push(...chunk.flat().map((job) => untried(job, scope.now())))
    else
      outcomes.push(...(await Promise.all(chunk.map((lane) => runLane(scope, handler?.run, rules, lane, end)))).flat())
  }
  return outcomes
}

type Run = (scope: Scope, payload: never, job: JobFacts) => Promise<unknown>
type RunAll = Extract<JobKind<Scope>, { runAll: unknown }>['runAll']

/** Runs jobs of one key in order. No job overtakes one that failed. */
async function runLane(
  scope: Scope,
  run: Run | undefined,
  rules: JobRules,
  lane: readonly store.ClaimedJob[],
  end: Date,
) {
  const outcomes: store.JobOutcome[] = []
  for (const job of lane) {
    const earlier = outcomes.at(-1)
    if (earlier?.state === 'pending' || scope.now() >= end) {
      outcomes.push(untried(job, earlier?.state === 'pending' ? earlier.nextAt : scope.now()))
      continue
    }
    try {
      if (!run) throw new Error(`no enabled feature handles ${job.kind}`)
      const payload = await payloadOf(scope, job)
      await bounded(
        job.kind,
        ms(rules.timeout),
        () => run(scope, payload, factsOf(job)),
        () => true,
      )
      outcomes.push(doneBy(scope, job, rules))
    } catch (thrown) {
      outcomes.push(failedBy(scope, job, rules, thrown))
    }
  }
  return outcomes
}

/** Runs several jobs with one request. */
async function runTogether(scope: Scope, runAll: RunAll, rules: JobRules, jobs: readonly store.ClaimedJob[]) {
  const outcomes: store.JobOutcome[] = []
  const readable: (JobFacts & { payload: never })[] = []
  for (const job of jobs) {
    try {
      readable.push({ ...factsOf(job), payload: await payloadOf(scope, job) })
    } catch (thrown) {
      outcomes.push(failedBy(scope, job, rules, thrown))
    }
  }
  const own = new Map(jobs.map((job) => [job.id, job]))
  const settle = (failure: (id: string) => unknown) =>
    readable.map(({ id }) => {
      const [job, thrown] = [own.get(id)!, failure(id)]
      return thrown === undefined ? doneBy(scope, job, rules) : failedBy(scope, job, rules, thrown)
    })
  try {
    const failures = await bounded(
      jobs[0]!.kind,
      ms(rules.timeout),
      () => runAll(scope, readable),
      () => true,
    )
    return [...outcomes, ...settle((id) => failures.get(id))]
  } catch (thrown) {
    return [...outcomes, ...settle(() => thrown)]
  }
}

const factsOf = ({ id, kind, attempts, createdAt }: store.ClaimedJob): JobFacts => {
  return { id, target: jobTargetOf(kind), attempts, createdAt }
}

/** @throws GiveUp if no configured secret opens the payload */
async function payloadOf(scope: Scope, { payload }: store.ClaimedJob): Promise<never> {
  const stored = payload ?? 'null'
  try {
    return JSON.parse(/^[{[]/.test(stored) ? stored : await open(scope.settings.secrets, stored)) as never
  } catch {
    throw new GiveUp('the payload cannot be read: the secret that sealed it is not configured')
  }
}

const isTried = ({ job, attempts }: store.JobOutcome): boolean => attempts === job.attempts

const untried = (job: store.ClaimedJob, nextAt: Date): store.JobOutcome => {
  return { job, state: 'pending', attempts: job.attempts - 1, nextAt, lastError: job.lastError, asksForRest: false }
}

function doneBy(scope: Scope, job: store.ClaimedJob, { keepDone }: JobRules): store.JobOutcome {
  const nextAt = after(scope.now(), keepDone)
  return { job, state: 'done', attempts: job.attempts, nextAt, lastError: null, asksForRest: false }
}

function failedBy(scope: Scope, job: store.ClaimedJob, rules: JobRules, thrown: unknown): store.JobOutcome {
  const { kind, attempts } = job
  const { pauses, giveUpAfter, keepFailed } = rules
  const reason = reasonOf(thrown)
  const isGivenUp = thrown instanceof GiveUp || (giveUpAfter === null && attempts > pauses.length)
  scope.log('error', isGivenUp ? 'job-given-up' : 'job-failed', { id: job.id, kind, attempts, reason })
  const asksForRest = thrown instanceof TryLater
  const pause = asksForRest ? thrown.pause : pauses[Math.min(attempts, pauses.length) - 1]!
  const nextAt = after(scope.now(), isGivenUp ? keepFailed : pause)
  return { job, state: isGivenUp ? 'failed' : 'pending', attempts, nextAt, lastError: reason, asksForRest }
}

/** The statements about the rest of a kind, derived from the outcomes of its jobs. */
function restStatements(scope: Scope, kind: string, outcomes: readonly store.JobOutcome[]): Statement[] {
  const { maxRest } = ruleOf(scope, kind)
  if (maxRest === null) return []
  if (outcomes.some(({ state }) => state === 'done')) return store.endRest(scope.db, kind, scope.now())
  const failed = outcomes.filter((outcome) => outcome.state === 'pending' && isTried(outcome))
  if (failed.length === 0) return []
  const until = failed.find(({ asksForRest }) => asksForRest)?.nextAt ?? null
  const first = failed.filter(({ attempts }) => attempts === 1).length
  const failures = { all: failed.length, first, lastError: failed[0]!.lastError!, maxRest, until }
  return [store.noteFailures(scope.db, kind, failures, scope.now())]
}

/** The maximum delay (s) of a queue message. */
const maxQueueDelay = hours(12)

/** Sends failed jobs to the queue, if one is bound. The cron trigger runs all others. */
async function sendRetries(scope: Scope, outcomes: readonly store.JobOutcome[]): Promise<void> {
  const queue = scope.env.JOBS
  const failed = outcomes.filter((outcome) => outcome.state === 'pending' && isTried(outcome))
  if (!queue || failed.length === 0) return
  const messages = failed.map(({ job, nextAt }) => ({
    body: { jobs: [job.id] },
    delaySeconds: Math.min(maxQueueDelay, Math.max(0, Math.ceil((nextAt.getTime() - scope.now().getTime()) / 1000))),
  }))
  // A queue takes at most 100 messages per call. The cron trigger runs the other jobs.
  await queue
    .sendBatch(messages.slice(0, 100))
    .catch((thrown: unknown) => scope.log('error', 'queue-unreachable', { reason: reasonOf(thrown) }))
}

/** Gives up jobs that have failed for too long and logs them. Called by the cron trigger. */
export async function giveUpOldJobs(scope: Scope): Promise<void> {
  const now = scope.now()
  const ruleOfHandler = ({ giveUpAfter, keepFailed }: JobRules) => ({
    before: giveUpAfter === null ? new Date(0) : after(now, -giveUpAfter),
    keepUntil: after(now, keepFailed),
  })
  const rules = Object.entries(handlersOf(scope)).map(([handler, kind]) => ({
    handler,
    ...ruleOfHandler(jobRulesOf(scope, kind)),
  }))
  const gone = await store.giveUpJobs(scope.db, rules, ruleOfHandler(jobRulesOf(scope, undefined)), now)
  for (const { lastError: reason, ...job } of gone) scope.log('error', 'job-given-up', { ...job, reason })
}

/** Deletes old jobs that are done or given up. Called by the cron trigger. */
export async function deleteOldJobs(scope: Scope): Promise<void> {
  await store.deleteOldRests(scope.db, scope.now())
  const gone = await store.deleteSettledJobs(scope.db, scope.now())
  for (const { id, kind, state } of gone) if (state === 'failed') scope.log('error', 'job-dropped', { id, kind })
}
