import { sql } from 'drizzle-orm'
import { users } from '../../identity/model/users.table.ts'
import { countWaiting, giveUpWaiting, insertRecovery } from '../../identity/recovery/recovery.store.ts'
import type { RecoveryOrder } from '../../identity/recovery/recovery-job.ts'
import type { Database } from '../../platform/database.ts'
import { read } from '../../platform/statements.ts'

/** The maximum number of users whose roles are printed. */
const maxStaff = 50

/** Users with another role than that of all. */
const staff = (db: Database) =>
  db
    .select({ id: users.id, email: users.email, role: users.role })
    .from(users)
    .where(sql`${users.role} <> 'user'`)
    .orderBy(users.createdAt, users.id)
    .limit(maxStaff)

/**
 * Begins a recovery, in one batch of the command line: no job of the restored state starts after it. The Worker does the
 * rest.
 * @returns whether no other one is waiting, the jobs that were given up by kind, and who has a role in the restored state
 */
export async function beginRecovery(db: Database, order: RecoveryOrder, now: Date) {
  const time = new Date(order.restoredTo)
  const { inserted, ...found } = await read(db, {
    givenUp: countWaiting(db, time),
    failed: giveUpWaiting(db, time, now),
    inserted: insertRecovery(db, order, now),
    staff: staff(db),
  })
  return { isBegun: inserted.length > 0, givenUp: found.givenUp, staff: found.staff }
}
