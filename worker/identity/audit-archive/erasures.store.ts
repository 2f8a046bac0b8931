import { and, asc, desc, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database.ts'
import { auditChains, auditErasures, auditRecords } from '../audit/audit-records.table.ts'
import { type AuditSegment, auditSegmentParts, auditSegments } from './segments.table.ts'

/** For the batch of a deletion: the next record is that of the deletion. */
export const insertErasure = (db: Database, userId: string, now: Date) =>
  db.insert(auditErasures).values({
    ...{ userId, createdAt: now },
    untilSeq: sql`coalesce((select seq from sqlite_sequence where name = 'audit_records'), 0) + 1`,
  })

export const firstErasures = (db: Database, limit: number) =>
  db.select().from(auditErasures).where(gt(auditErasures.id, 0)).orderBy(asc(auditErasures.id)).limit(limit)

/** Segments that erasures have not reached. @param last the number of the last erasure */
export const segmentsToErase = (db: Database, last: number, untilSeq: number, limit: number) =>
  db
    .select()
    .from(auditSegments)
    .where(
      and(
        inArray(auditSegments.state, ['stored', 'replaced']),
        lt(auditSegments.erasedTo, last),
        lte(auditSegments.firstSeq, untilSeq),
      ),
    )
    .orderBy(asc(auditSegments.firstSeq))
    .limit(limit)

/** States what a run applies, so that every other run writes the same object. */
export const beginErasing = (db: Database, { firstSeq, erasedTo }: AuditSegment, last: number) =>
  db
    .update(auditSegments)
    .set({ erasingTo: last })
    .where(
      and(
        eq(auditSegments.firstSeq, firstSeq),
        eq(auditSegments.erasedTo, erasedTo),
        lte(auditSegments.erasingTo, erasedTo),
      ),
    )

export const segmentAt = (db: Database, firstSeq: number) =>
  db.select().from(auditSegments).where(eq(auditSegments.firstSeq, firstSeq))

/** Erasures that D1 and every segment are behind. */
export const deleteDone = (db: Database) =>
  db.delete(auditErasures).where(
    sql`${auditErasures.id} > 0 and not exists (select 1 from ${auditRecords} where seq <= ${auditErasures.untilSeq})
      and not exists (select 1 from ${auditSegments} where first_seq <= ${auditErasures.untilSeq}
        and erased_to < ${auditErasures.id} and state in ('stored', 'replaced'))`,
  )

/** The link before the first record of a segment, and of an organization in it. */
export async function linkBefore(db: Database, chain: string, number: number, firstSeq: number): Promise<string> {
  const [before] =
    chain === ''
      ? await db
          .select({ hash: auditSegments.hash })
          .from(auditSegments)
          .where(lt(auditSegments.firstSeq, firstSeq))
          .orderBy(desc(auditSegments.firstSeq))
          .limit(1)
      : await db
          .select({ hash: auditSegmentParts.hash })
          .from(auditSegmentParts)
          .where(and(eq(auditSegmentParts.organizationId, chain), lt(auditSegmentParts.firstNumber, number)))
          .orderBy(desc(auditSegmentParts.firstNumber))
          .limit(1)
  if (before) return before.hash
  const [state] = await db.select().from(auditChains).where(eq(auditChains.chain, chain))
  return state?.deletedHash ?? ''
}
