import { and, desc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { securityEvents } from '../../identity/model/security-events.table.ts'
import { type EventFilter, ofPeriod } from '../../identity/security/security-events.store.ts'
import type { CursorPosition } from '../../kit/cursor.ts'
import type { Database } from '../../platform/database.ts'

/** For a batch: a page of a user's events, newest first, and one more row, which shows that another page follows. */
export const eventsPage = (
  db: Database,
  userId: string | SQL<string>,
  filter: Omit<EventFilter, 'user'>,
  limit: number,
  place: CursorPosition | null,
) =>
  db
    .select()
    .from(securityEvents)
    .where(
      and(
        eq(securityEvents.userId, userId),
        filter.type === undefined ? undefined : eq(securityEvents.type, filter.type),
        ofPeriod(filter),
        place
          ? sql`(${securityEvents.createdAt}, ${securityEvents.id}) < (${place.createdAt}, ${place.id})`
          : undefined,
      ),
    )
    .orderBy(desc(securityEvents.createdAt), desc(securityEvents.id))
    .limit(limit + 1)

/** Deletes the oldest events up to a time. @returns how many were deleted */
export async function deleteEventsUntil(db: Database, time: Date, limit: number): Promise<number> {
  const oldest = db
    .select({ id: securityEvents.id })
    .from(securityEvents)
    .where(lte(securityEvents.createdAt, time))
    .orderBy(securityEvents.createdAt)
    .limit(limit)
  const { meta } = await db.delete(securityEvents).where(inArray(securityEvents.id, oldest)).run()
  return meta.changes
}
