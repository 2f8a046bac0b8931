import { jobStatementsFor } from '../../identity/jobs/jobs.ts'
import type { EventRows, EventType } from '../../identity/model/events.ts'
import type { JobKind } from '../../identity/model/job-kind.ts'
import { sessions } from '../../identity/model/sessions.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { oldestAnswer } from '../../identity/sessions/ended-sessions.ts'
import { sessionOptions } from '../../identity/sessions/sessions.config.ts'
import { ms, seconds } from '../../kit/time.ts'
import { bounded, timeouts } from '../../platform/bounded.ts'
import { maxOutage } from '../../platform/circuit.ts'
import { jsonOf } from '../../platform/json-sql.ts'
import type { Statement } from '../../platform/statements.ts'

/** Lifecycle place `recording`: writes a job for each session that ends, if session data cookies exist. */
export function feedEndedSessions(scope: Scope, type: EventType, rows: () => EventRows): Statement[] {
  if (type !== 'session.ended' || !sessionOptions.of(scope).cookieCache.enabled) return []
  const { subject, from, where } = rows()
  const job = { from, where, key: subject, payload: jsonOf({ id: sessions.id }) }
  return jobStatementsFor(scope, 'ended-session', job)
}

/** Calls of one run: the next run may be minutes later. */
const maxCalls = 3

async function add(scope: Scope, ids: readonly string[]): Promise<void> {
  // A cookie may be written shortly after the end, from rows that were read before.
  const keep = ms(sessionOptions.of(scope).cookieCache.maxAge + oldestAnswer)
  for (let call = 1; ; call++) {
    try {
      return await bounded('the feed of ended sessions', timeouts.required, () =>
        scope.env.ENDED_SESSIONS.getByName('all').add(ids, keep),
      )
    } catch (thrown) {
      if (call === maxCalls) throw thrown
    }
  }
}

export const endedSessionJobs: Record<'ended-session', JobKind<Scope>> = {
  'ended-session': {
    async runAll(scope, jobs) {
      await add(
        scope,
        jobs.map(({ payload }) => (payload as { id: string }).id),
      )
      return new Map()
    },
    pauses: [0, seconds(1), seconds(5), seconds(30)],
    batchSize: 500,
    cost: 1,
    // Afterwards every cookie has expired.
    rules: (scope) => ({ giveUpAfter: sessionOptions.of(scope).cookieCache.maxAge + maxOutage, keepFailed: 0 }),
  },
}
