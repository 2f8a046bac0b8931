import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type UsageEvent, usageEvents } from './usage.table.ts'

/** Queries about usage that waits to be sent. Every function is one round trip. */

export const insertEvent = (db: Database, event: UsageEvent) => db.insert(usageEvents).values(event)

/** Takes the oldest events that wait, for one try: nobody else gets them before `until`. */
export const leaseEvents = (db: Database, batch: string, now: Date, until: Date, limit: number) =>
  db
    .update(usageEvents)
    .set({ batch, nextAt: until })
    .where(
      inArray(
        usageEvents.id,
        db
          .select({ id: usageEvents.id })
          .from(usageEvents)
          .where(and(lte(usageEvents.nextAt, now), isNull(usageEvents.refusal)))
          .orderBy(asc(usageEvents.nextAt))
          .limit(limit),
      ),
    )
    .returning()

/** The provider has those of a batch that it did not refuse. */
export const deleteBatch = (db: Database, batch: string) =>
  db.delete(usageEvents).where(and(eq(usageEvents.batch, batch), isNull(usageEvents.refusal)))

export const noteRefusal = (db: Database, id: string, refusal: string) =>
  db.update(usageEvents).set({ refusal }).where(eq(usageEvents.id, id))
