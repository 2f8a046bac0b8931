import { featuresOn } from './features.ts'
import { fileOf } from './http/load-features.ts'
import { storeCheckpoints } from './identity/audit-chain/checkpoints.ts'
import { countLeftOut, deleteBudgets } from './identity/audit-chain/left-out.ts'
import { sealRecords } from './identity/audit-chain/seal.ts'
import { deleteOldJobs, giveUpOldJobs, runDueJobs } from './identity/jobs/dispatch.ts'
import { deleteRowsOfPreviousVersion } from './identity/jobs/previous-version.ts'
import type { Scope } from './identity/scope.ts'
import { reseal } from './identity/sealing/reseal.ts'
import { deleteExpiredSessions } from './identity/sessions/sessions.store.ts'
import { deleteExpiredUses } from './identity/used-records.ts'
import { watchSize } from './identity/watch-size.ts'
import { hours, ms } from './kit/time.ts'
import { reasonOf } from './platform/log.ts'
import { deleteOldCounts } from './platform/rate-limit.ts'

type Step = readonly [name: string, run: () => Promise<unknown>]

/**
 * Whether a run of the cron trigger is that of each minute, which seals the audit log and sends its streams. The others
 * do all work.
 */
export const isEachMinute = ({ cron }: Pick<ScheduledController, 'cron'>): boolean => cron === '* * * * *'

export const runCron = (scope: Scope, controller: Pick<ScheduledController, 'cron'>): Promise<void> =>
  isEachMinute(controller) ? runEachMinute(scope) : runScheduled(scope)

export const runEachMinute = (scope: Scope): Promise<void> =>
  runSteps(scope, [...auditSteps(scope), ...featureSteps(scope, 'eachMinute')])

const auditSteps = (scope: Scope): Step[] => [
  ['audit records that were left out', () => countLeftOut(scope)],
  ['audit records', () => sealRecords(scope)],
  ['audit checkpoints', () => storeCheckpoints(scope)],
]

const featureSteps = (scope: Scope, when: 'scheduled' | 'eachMinute'): Step[] =>
  featuresOn(scope.options).flatMap((feature): Step[] => {
    const run = fileOf(feature, 'parts')?.cron?.[when]
    return run ? [[feature.name, () => run(scope)]] : []
  })

/**
 * The work of the cron trigger: deletes what has expired from D1, then runs the jobs that are due. Durable Objects delete
 * themselves by alarm, KV records by their lifetime. An error is logged, and the other steps still run.
 */
export async function runScheduled(scope: Scope): Promise<void> {
  const { db, env } = scope
  const now = scope.now()
  await runSteps(scope, [
    ['size of the database', () => watchSize(scope)],
    // The retention deletes only sealed records.
    ...auditSteps(scope),
    ['audit budgets', () => deleteBudgets(scope)],
    ['sessions', () => deleteExpiredSessions(db, now).run()],
    ['used records', () => deleteExpiredUses(db, now).run()],
    ['rate limits', () => deleteOldCounts(env.DB, now.getTime() - ms(hours(1)))],
    ...featureSteps(scope, 'scheduled'),
    ['old jobs', () => deleteOldJobs(scope)],
    [
      'sealed values',
      () =>
        reseal(
          scope,
          scope.lifecycle.registry('stored', 'all').flatMap(({ sealed = [] }) => sealed),
        ),
    ],
    ['jobs', () => runDueJobs(scope)],
    ['rows of the previous version', () => deleteRowsOfPreviousVersion(env.DB)],
    // After the last attempt, because the cron trigger may have been off for long.
    ['failed jobs', () => giveUpOldJobs(scope)],
  ])
}

async function runSteps(scope: Scope, steps: readonly Step[]): Promise<void> {
  for (const [name, run] of steps) {
    try {
      await run()
    } catch (thrown) {
      scope.log('error', 'scheduled-failed', { job: name, reason: reasonOf(thrown) })
    }
  }
}
