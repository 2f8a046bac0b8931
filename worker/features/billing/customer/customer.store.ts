import { sql } from 'drizzle-orm'
import type { JobRows } from '../../../identity/jobs/jobs.store.ts'
import type { EventRows } from '../../../identity/model/events.ts'
import { jsonOf } from '../../../platform/json-sql.ts'

/** Inserts a job for each user of an event, in order. */
export const changedUsers = ({ subject, from, where }: EventRows): JobRows => {
  return { from, where, key: subject, payload: jsonOf({ userId: sql`${subject}` }) }
}
