import { sql } from 'drizzle-orm'
import type { JobRows } from '../../identity/jobs/jobs.store.ts'
import type { EventRows, EventType } from '../../identity/model/events.ts'
import { jsonOf } from '../../platform/json-sql.ts'

/** A message for each event and endpoint, in the order of its subject. The payload is the body. */
export function messageRows(
  type: EventType,
  { subject, data, from, where }: EventRows,
  endpoints: readonly string[],
  now: Date,
): JobRows {
  const parts = Object.entries(data).map(([name, part]) => [name, sql`json(${part})`] as const)
  const payload = { type: sql`${type}`, timestamp: sql`${now.toISOString()}`, data: jsonOf(Object.fromEntries(parts)) }
  return {
    from: sql`${from}, json_each(${JSON.stringify(endpoints)}) as endpoints`,
    ...{ where, key: subject, target: sql`endpoints.value`, payload: jsonOf(payload) },
  }
}
