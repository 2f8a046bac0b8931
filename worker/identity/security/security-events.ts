import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { newId } from '../../kit/random.ts'
import { jsonOf } from '../../platform/json-sql.ts'
import type { Condition } from '../../platform/statements.ts'
import { securityLogOptions } from '../audit/security-log.config.ts'
import type { EventMethod } from '../model/method.ts'
import { isNoticed, type SecurityEventType } from '../model/security-event-types.ts'
import { type SecurityEventRow, securityEvents } from '../model/security-events.table.ts'
import { type User, users } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { userJson } from '../users/announce.ts'
import type { Work } from '../work.ts'
import { deleteSurplus, insertEvent, isRecorded, numberAll } from './security-events.store.ts'
import { type NoticeLink, notify } from './security-notices.ts'

export interface SecurityEvent {
  type: SecurityEventType
  /** The user before the change: notices go to the earlier addresses. */
  user: User
  outcome?: 'success' | 'failure'
  method?: EventMethod | null
  /** The acting session, if any. */
  sessionId?: string | null
  /** The administrator who impersonates the user. */
  actorId?: string | null
  details?: Record<string, string>
}

/**
 * Records an event in the sign-in log, notifies the owner if the event requires it, and announces it.
 * @param when holds at this place of the batch; otherwise nothing is recorded
 * @param link the target of the notice's link, in place of the security page
 */
export function securityEvent(
  scope: Scope,
  work: Work,
  event: SecurityEvent,
  when?: Condition,
  link?: NoticeLink,
): void {
  const row = eventRow(scope, event)
  recordRow(scope, work, row, when)
  // sign-in-events.ts has a separate rule for notices of sign-ins.
  if (!isNoticed(event.type) || event.type === 'sign-in') return
  notify(scope, work, event.type as never, event.user, when && isRecorded(row.id), link)
}

export function eventRow(scope: Scope, event: SecurityEvent): SecurityEventRow {
  return {
    id: newId(),
    userId: event.user.id,
    type: event.type,
    outcome: event.outcome ?? 'success',
    method: event.method ?? null,
    sessionId: event.sessionId ?? null,
    actorId: event.actorId ?? null,
    details: event.details ?? {},
    ipAddress: scope.request.ip,
    userAgent: scope.request.userAgent,
    ...scope.request.place,
    requestId: scope.request.id,
    createdAt: scope.now(),
    number: null,
  }
}

/** Writes and announces the event, and deletes the oldest ones of a user with too many. */
export function recordRow(scope: Scope, work: Work, row: SecurityEventRow, when: Condition = sql`true`): void {
  const { db } = scope
  work.run(insertEvent(db, row, when), {
    afterCommit: ([inserted]) => void (inserted?.number === null && scope.after(() => numberEvents(scope, row.userId))),
  })
  work.announce(
    'security.event',
    () => ({
      subject: sql`${users.id}`,
      data: { event: jsonOf(publicColumns), user: userJson(scope) },
      from: sql`${securityEvents} inner join ${users} on ${users.id} = ${securityEvents.userId}`,
      where: eq(securityEvents.id, row.id),
    }),
    row,
  )
  work.run(deleteSurplus(db, row.userId, securityLogOptions.of(scope).maxPerUser))
}

const { id, type, outcome, method, sessionId, actorId, details, ipAddress } = securityEvents
const { userAgent, city, country, requestId, createdAt } = securityEvents
const publicColumns = {
  ...{ id, type, outcome, method, sessionId, actorId, details, ipAddress, userAgent, city, country, requestId },
  createdAt,
}

/** Events of an earlier version have no numbers. */
async function numberEvents(scope: Scope, userId: string): Promise<void> {
  const work = unitOfWork(scope)
  work.run([numberAll(scope.db, userId), deleteSurplus(scope.db, userId, securityLogOptions.of(scope).maxPerUser)])
  await work.commit()
}

/** Records an event without a change, such as a failed sign-in: after the response, best effort. */
export const noteSecurityEvent = (scope: Scope, event: SecurityEvent, when?: Condition): void =>
  scope.after(() => {
    const work = unitOfWork(scope)
    securityEvent(scope, work, event, when)
    return work.commit()
  })

/**
 * Holds while a session, or the visitors without one, have fewer than `max` events of a type since a time, so that repeated requests do not cause
 * unlimited writes.
 */
export const hasFewerEvents = (max: number, { type, user, sessionId }: SecurityEvent, since: Date): Condition =>
  sql`(select count(*) from ${securityEvents} where ${and(
    eq(securityEvents.userId, user.id),
    gt(securityEvents.createdAt, since),
    eq(securityEvents.type, type),
    sessionId ? eq(securityEvents.sessionId, sessionId) : isNull(securityEvents.sessionId),
  )}) < ${max}`
