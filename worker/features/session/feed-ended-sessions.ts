import type { EventRows, EventType } from '../../identity/model/events.ts'
import type { JobKind } from '../../identity/model/job-kind.ts'
import { sessions } from '../../identity/model/sessions.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { addToFeed, believedFor, feedStatements, keptFor, whereNotFed } from '../../identity/sessions/ended-sessions.ts'
import { seconds } from '../../kit/time.ts'
import { maxOutage } from '../../platform/circuit.ts'
import type { Statement } from '../../platform/statements.ts'

/** Lifecycle place `recording`: writes a job for each session that ends, if a cookie or a token can outlive it. */
export function feedEndedSessions(scope: Scope, type: EventType, rows: () => EventRows): Statement[] {
  if (type !== 'session.ended') return []
  const { subject, from, where } = rows()
  return feedStatements(scope, { from, where: whereNotFed(scope, where), key: subject, id: sessions.id })
}

export const endedSessionJobs: Record<'ended-session', JobKind<Scope>> = {
  'ended-session': {
    async runAll(scope, jobs) {
      const ids = jobs.map(({ payload }) => (payload as { id: string }).id)
      scope.shared.ended.take(ids, believedFor(scope))
      await addToFeed(scope, 'all', ids, keptFor(scope))
      return new Map()
    },
    pauses: [0, seconds(1), seconds(5), seconds(30)],
    batchSize: 500,
    cost: 1,
    // Afterwards every cookie and every token has expired.
    rules: (scope) => ({ giveUpAfter: keptFor(scope) / 1000 + maxOutage, keepFailed: 0 }),
  },
}
