import { securityLogOptions } from '../../identity/audit/security-log.config.ts'
import { historyKept, shortestHistory } from '../../identity/history.ts'
import type { SecurityEventRow } from '../../identity/model/security-events.table.ts'
import type { Scope } from '../../identity/scope.ts'
import {
  type EventFilter,
  eventWindow,
  isComparedByType,
  type NamedEvent,
} from '../../identity/security/security-events.store.ts'
import { describeDevice } from '../../identity/sessions/describe-device.ts'
import { type CursorPosition, comparedPage, cursorAt, cutPage, readPlace } from '../../kit/cursor.ts'
import { after } from '../../kit/time.ts'
import { securityLogErrors as errors } from './security-log.errors.ts'
import { deleteEventsUntil } from './security-log.store.ts'

/** @throws INVALID_CURSOR */
export const cursorPosition = (cursor: string | undefined): CursorPosition | null =>
  readPlace(cursor, errors.INVALID_CURSOR)

/** Builds a page from rows. @param present formats an event */
export async function securityEventPage<Row extends SecurityEventRow, T>(
  rows: Row[],
  limit: number,
  present: (row: Row) => Promise<T>,
) {
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id)
  return { events: await Promise.all(page.map(present)), next: nextCursor }
}

/** The same for administrators and servers, of the rows of `filteredEvents`. */
export async function filteredEventPage(rows: NamedEvent[], filter: EventFilter, limit: number) {
  const window = isComparedByType(filter) ? eventWindow : null
  const { page, end } = comparedPage(rows, { limit, window, isMatch: ({ type }) => type === filter.type })
  return {
    events: await Promise.all(page.map(presentFully)),
    next: end && cursorAt(end, end.id),
    searchedTo: end?.createdAt ?? null,
  }
}

const presented = async ({ userId, sessionId, actorId, requestId, type, number, ...event }: SecurityEventRow) => ({
  ...event,
  type: type as never,
  device: await describeDevice(event.userAgent ?? ''),
})

/** An event as its user sees it. @param current the id of the caller's session */
export const presentOwn = async (row: SecurityEventRow, current: string) => ({
  ...(await presented(row)),
  current: row.sessionId === current,
})

/** The same for administrators and servers. */
const presentFully = async ({ userName, userEmail, ...row }: NamedEvent) => ({
  ...(await presented(row)),
  userId: row.userId,
  userName,
  userEmail,
  actorId: row.actorId,
  requestId: row.requestId,
})

/** The maximum number of deletions per run of the cron trigger, in steps that keep each statement short. */
const stepSize = 1000
const maxSteps = 20

/** Deletes events that are older than the retention, which is shorter while the database is nearly full. */
export async function deleteOldSecurityEvents(scope: Scope): Promise<void> {
  const kept = historyKept(scope, securityLogOptions.of(scope).retention, shortestHistory.signIns)
  const time = after(scope.now(), -kept)
  for (let step = 0; step < maxSteps; step++) {
    if ((await deleteEventsUntil(scope.db, time, stepSize)) < stepSize) return
  }
}
