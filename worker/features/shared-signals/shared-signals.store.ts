import { and, type SQL, sql } from 'drizzle-orm'
import type { JobRows } from '../../identity/jobs/jobs.store.ts'
import type { EventRows } from '../../identity/model/events.ts'
import type { SecurityEventType } from '../../identity/model/security-event-types.ts'
import { sessions } from '../../identity/model/sessions.table.ts'
import { users } from '../../identity/model/users.table.ts'
import { securityEvents } from '../../identity/security/security-events.table.ts'
import { jsonOf } from '../../platform/json-sql.ts'
import type { SignalType } from './shared-signals.config.ts'

/** A signal for each receiver, in the order of its user. The payload has ids and no other personal data. */
function signalRows({ subject, from, where }: EventRows, receivers: readonly string[], facts: Record<string, SQL>) {
  return {
    from: sql`${from}, json_each(${JSON.stringify(receivers)}) as receivers`,
    ...{ where, key: subject, target: sql`receivers.value`, payload: jsonOf({ ...facts, userId: subject }) },
  } satisfies JobRows
}

const type = (name: SignalType) => sql`${name}`

/** @param rows of `session.ended` */
export const revokedSessions = (rows: EventRows, receivers: readonly string[]): JobRows =>
  signalRows(rows, receivers, { type: type('session-revoked'), sessionId: sql`${sessions.id}` })

/** @param rows of `user.updated`: those of banned users */
export const disabledAccounts = (rows: EventRows, receivers: readonly string[]): JobRows =>
  signalRows({ ...rows, where: and(rows.where, sql`${users.banned} = 1`)! }, receivers, {
    type: type('account-disabled'),
  })

/** @param rows of `security.event`: those of the types that change a credential */
export const changedCredentials = (
  rows: EventRows,
  receivers: readonly string[],
  types: readonly SecurityEventType[],
): JobRows =>
  signalRows(
    {
      ...rows,
      where: and(rows.where, sql`${securityEvents.type} in (select value from json_each(${JSON.stringify(types)}))`)!,
    },
    receivers,
    { type: type('credential-change'), change: sql`${securityEvents.type}` },
  )
