import { enabledFeatures } from './features.ts'
import type { Scope } from './identity/scope.ts'
import { deleteExpiredSessions } from './identity/sessions/sessions.store.ts'
import { tryDueTasks } from './identity/tasks/tasks.ts'
import { deleteExpiredUses } from './identity/verifications/used-records.ts'
import { hours, ms } from './kit/time.ts'
import { reasonOf } from './platform/log.ts'
import { deleteOldCounts } from './platform/rate-limit.ts'

/**
 * What the cron trigger does: put-off work is tried again, and what has expired is deleted from D1. Durable Objects
 * delete themselves by alarm, KV records by their lifetime. What fails is logged, and keeps nothing else from its turn.
 */
export async function runScheduled(scope: Scope): Promise<void> {
  const { db, env, options } = scope
  const now = scope.now()
  const jobs: [name: string, job: () => Promise<unknown>][] = [
    ['tasks', () => tryDueTasks(scope)],
    ['sessions', () => deleteExpiredSessions(db, now).run()],
    ['used records', () => deleteExpiredUses(db, now).run()],
    ['rate limits', () => deleteOldCounts(env.DB, now.getTime() - ms(hours(1)))],
    ...enabledFeatures(options).flatMap(({ name, scheduled }): typeof jobs =>
      scheduled ? [[name, () => scheduled(scope)]] : [],
    ),
  ]
  for (const [name, job] of jobs) {
    try {
      await job()
    } catch (thrown) {
      scope.log('error', 'scheduled-failed', { job: name, reason: reasonOf(thrown) })
    }
  }
}
