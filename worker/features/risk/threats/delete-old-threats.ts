import type { Scope } from '../../../identity/scope.ts'
import { after, days } from '../../../kit/time.ts'
import { deleteAttacksBefore, deleteExpiredDefences } from './threats.store.ts'

const keptAttacks = days(90)

/** For the cron trigger. */
export async function deleteOldThreats(scope: Scope): Promise<void> {
  await deleteExpiredDefences(scope.db, scope.now()).run()
  await deleteAttacksBefore(scope.db, after(scope.now(), -keptAttacks)).run()
}
