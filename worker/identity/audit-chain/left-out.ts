import { after, dayOf, hours } from '../../kit/time.ts'
import type { Scope } from '../scope.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { deleteOldBudgets, dueCounts, isUncounted, noteCounted } from './left-out.store.ts'

/** Parties of one run of the cron trigger, and of one batch. */
const batchSize = 20
const batchesPerRun = 10

/** The time (s) that one record covers. */
const interval = hours(1)

export const leftOutAction = 'audit-records-left-out'

/** Writes one record an hour for each party whose records were left out because of its budget, with their number. */
export async function countLeftOut(scope: Scope): Promise<void> {
  for (let batch = 0; batch < batchesPerRun; batch++) {
    const due = await dueCounts(scope.db, after(scope.now(), -interval), batchSize)
    if (due.length === 0) return
    const work = unitOfWork(scope)
    for (const { party, day, leftOut, leftOutSince } of due) {
      const [type = '', ...id] = party.split(':')
      const subjectId = id.join(':')
      // Another run may have counted them.
      work.require(isUncounted(party, day, leftOutSince!))
      work.run(noteCounted(scope.db, party, day, leftOut))
      work.audit({
        ...{ action: leftOutAction, actor: { type: 'system', id: null } },
        ...{ organizationId: type === 'organization' ? subjectId : null, subjectType: type, subjectId },
        after: { records: leftOut, since: leftOutSince!.toISOString() },
      })
    }
    await work.commit()
    if (due.length < batchSize) return
  }
}

export const deleteBudgets = (scope: Scope) => deleteOldBudgets(scope.db, dayOf(scope.now()) - 1)
