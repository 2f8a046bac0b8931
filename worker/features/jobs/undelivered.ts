import type * as z from 'zod'
import { runJobs } from '../../identity/jobs/dispatch.ts'
import { deleteRest, reviveJobs, undeliveredPage } from '../../identity/jobs/jobs.store.ts'
import { noteJob } from '../../identity/jobs/jobs.ts'
import type { Scope } from '../../identity/scope.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { cutPage, readPlace } from '../../kit/cursor.ts'
import type { jobsContract, redeliverInput, undeliveredQuery } from './jobs.contract.ts'
import { jobErrors as errors } from './jobs.errors.ts'

export type Undelivered = z.output<typeof jobsContract.listUndelivered.answer>

const defaultLimit = 50

/** Lists failed jobs that wait for a retry or were given up, newest first. @throws INVALID_CURSOR */
export async function listUndelivered(scope: Scope, query: z.output<typeof undeliveredQuery>): Promise<Undelivered> {
  const { kind, limit = defaultLimit, cursor } = query
  const place = readPlace(cursor, errors.INVALID_CURSOR)
  const before = place && { createdAt: place.createdAt, seq: Number(place.id) }
  const { page, nextCursor } = cutPage(
    await undeliveredPage(scope.db, { kind, limit, before }),
    limit,
    ({ seq }) => seq,
  )
  return {
    jobs: page.map(({ seq, state, nextAt, ...job }) => ({
      ...job,
      state: state === 'failed' ? 'failed' : 'waiting',
      nextAt: state === 'failed' ? null : nextAt,
    })),
    nextCursor,
  }
}

/** The maximum number of jobs of a kind that the request runs; the cron trigger runs the others. */
const triedAtOnce = 100

/** Makes jobs due again as new ones, and tries one before the response, the others after it. @throws JOB_NOT_FOUND */
export async function redeliver(
  scope: Scope,
  which: z.output<typeof redeliverInput>,
): Promise<{ delivered: boolean; revived: number }> {
  const work = unitOfWork(scope)
  const revived = work
    .run(reviveJobs(scope.db, which, scope.now()), {
      afterCommit(rows) {
        if ('kind' in which) for (const { id } of rows.slice(0, triedAtOnce)) noteJob(scope, id)
      },
    })
    .orFail(errors.JOB_NOT_FOUND)
  if ('kind' in which) work.run(deleteRest(scope.db, which.kind))
  await work.commit()
  if ('kind' in which) return { delivered: false, revived: revived.rows.length }
  const outcomes = await runJobs(scope, [which.id], true)
  return { delivered: outcomes.some(({ job, state }) => job.id === which.id && state === 'done'), revived: 1 }
}
