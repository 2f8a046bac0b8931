import { deleteExpiredTrust } from './features/two-factor/trusted-devices.store.ts'
import { deleteExpiredSessions } from './identity/sessions/sessions.store.ts'
import { hours, ms } from './kit/time.ts'
import { now } from './platform/clock.ts'
import { openDatabase } from './platform/database.ts'
import type { Env } from './platform/env.ts'
import { noIo } from './platform/io.ts'
import { deleteOldCounts } from './platform/rate-limit.ts'

/** Deletes what has expired from D1. Durable Objects delete themselves by alarm, KV records by their lifetime. */
export async function purgeExpired(env: Env): Promise<void> {
  const moment = now()
  const { db } = openDatabase(env.DB, noIo(), 'first-primary')
  await db.batch([deleteExpiredSessions(db, moment), deleteExpiredTrust(db, moment)])
  await deleteOldCounts(env.DB, moment.getTime() - ms(hours(1)))
}
