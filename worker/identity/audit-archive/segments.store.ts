import { and, asc, desc, eq, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../platform/database.ts'
import { givenRows, type Statement } from '../../platform/statements.ts'
import { auditRecords } from '../audit/audit-records.table.ts'
import type { FilePart } from './segment-file.ts'
import { type AuditSegment, auditSegmentParts, auditSegments, type SegmentState } from './segments.table.ts'

/** Segments whose records readers see. */
const readable: SegmentState[] = ['stored', 'replaced']

const { firstSeq, lastSeq, state } = auditSegments

/** The records that no run has moved yet, of the first segment that a run has begun. */
export const pendingSegment = (db: Database) =>
  db.select().from(auditSegments).where(eq(state, 'pending')).orderBy(asc(firstSeq)).limit(1)

/** Chooses the records of a segment, unless another run was faster. */
export const insertPending = (
  db: Database,
  row: Pick<AuditSegment, 'firstSeq' | 'lastSeq' | 'records' | 'firstAt' | 'lastAt'>,
) =>
  db
    .insert(auditSegments)
    .values({ ...row, state: 'pending' })
    .onConflictDoNothing()

/** For a batch: holds while the segment has not been stored, and D1 has all of its records. */
export const isPending = (segment: AuditSegment): SQL =>
  sql`exists (select 1 from ${auditSegments} where ${and(eq(firstSeq, segment.firstSeq), eq(state, 'pending'))})
    and (select count(*) from ${auditRecords} where ${recordsOf(segment)}) = ${segment.records}`

const recordsOf = (segment: Pick<AuditSegment, 'firstSeq' | 'lastSeq'>) =>
  and(gte(auditRecords.seq, segment.firstSeq), lte(auditRecords.seq, segment.lastSeq))

export const updateSegment = (db: Database, segment: number, changes: Partial<AuditSegment>) =>
  db.update(auditSegments).set(changes).where(eq(firstSeq, segment))

/** For a batch: holds while the object of a segment is this one. */
export const hasObject = (segment: AuditSegment): SQL =>
  sql`exists (select 1 from ${auditSegments}
    where ${and(eq(firstSeq, segment.firstSeq), eq(auditSegments.object, segment.object), inArray(state, readable))})`

export const insertParts = (db: Database, segment: number, parts: readonly FilePart[]): Statement =>
  db.insert(auditSegmentParts).select(
    sql`select id, first, last, ${segment}, start, bytes, hash from ${givenRows(
      ['id', 'first', 'last', 'start', 'bytes', 'hash'],
      parts.map((part) => [
        ...[part.organizationId, part.firstNumber, part.lastNumber],
        ...[part.offset, part.length, part.hash],
      ]),
    )} where true`,
  )

export const deleteParts = (db: Database, segment: number): Statement =>
  db.delete(auditSegmentParts).where(eq(auditSegmentParts.segment, segment))

export const partsOf = (db: Database, segment: number) =>
  db.select().from(auditSegmentParts).where(eq(auditSegmentParts.segment, segment))

export const deleteRecords = (db: Database, segment: AuditSegment): Statement =>
  db.delete(auditRecords).where(recordsOf(segment))

/** The segments that are not the whole of what is left: the oldest first. */
export const firstSegments = (db: Database, limit: number) =>
  db
    .select()
    .from(auditSegments)
    .where(sql`${state} <> 'ended' and ${firstSeq} > 0`)
    .orderBy(asc(firstSeq))
    .limit(limit)

/** Segments with objects that are to be deleted, in any order: a lock of the bucket may keep some for long. */
export const segmentsToClean = (db: Database, limit: number) =>
  db
    .select()
    .from(auditSegments)
    .where(inArray(state, ['replaced', 'ended']))
    .orderBy(sql`random()`)
    .limit(limit)

export const deleteSegment = (db: Database, segment: number) =>
  db.delete(auditSegments).where(and(eq(firstSeq, segment), eq(state, 'ended')))

/** Notes that objects which were replaced are deleted, unless more have been replaced since. */
export const noteCleaned = (db: Database, { firstSeq: segment, oldObjects }: AuditSegment) =>
  db
    .update(auditSegments)
    .set({ state: 'stored', oldObjects: [] })
    .where(
      and(
        eq(firstSeq, segment),
        eq(state, 'replaced'),
        sql`${auditSegments.oldObjects} = ${JSON.stringify(oldObjects)}`,
      ),
    )

/** Where to read records of the archive: a segment, or the part of an organization in it. */
export interface ArchivePlace {
  object: string
  /** Of the whole object. */
  sha256: string
  bytes: number
  /** In the deployment, or in the organization. */
  first: number
  last: number
  firstAt: Date
  lastAt: Date
  /** Null: the whole object. */
  offset: number | null
}

const time = <C extends SQLiteColumn>(column: C, name: string) => sql<Date>`${column}`.mapWith(column).as(name)

const wholeSegments = (db: Database) =>
  db
    .select({
      object: auditSegments.object,
      sha256: auditSegments.sha256,
      bytes: sql<number>`${auditSegments.bytes}`.as('part_bytes'),
      first: sql<number>`${firstSeq}`.as('first_number'),
      last: sql<number>`${lastSeq}`.as('last_number'),
      firstAt: time(auditSegments.firstAt, 'first_at'),
      lastAt: time(auditSegments.lastAt, 'last_at'),
      offset: sql<number | null>`null`.as('part_offset'),
    })
    .from(auditSegments)

const ownParts = (db: Database) =>
  db
    .select({
      object: auditSegments.object,
      sha256: auditSegments.sha256,
      bytes: sql<number>`${auditSegmentParts.length}`.as('part_bytes'),
      first: sql<number>`${auditSegmentParts.firstNumber}`.as('first_number'),
      last: sql<number>`${auditSegmentParts.lastNumber}`.as('last_number'),
      firstAt: time(auditSegments.firstAt, 'first_at'),
      lastAt: time(auditSegments.lastAt, 'last_at'),
      offset: sql<number | null>`${auditSegmentParts.offset}`.as('part_offset'),
    })
    .from(auditSegmentParts)
    .innerJoin(auditSegments, eq(firstSeq, auditSegmentParts.segment))

/** Greater than every number. */
const end = Number.MAX_SAFE_INTEGER

export interface PlacesBefore {
  /** An expression in the batch that identifies the caller; undefined: of the deployment. */
  organizationId?: string | SQL | undefined
  before: number | null
  since?: Date | SQL | undefined
  until?: Date | undefined
}

/** For a batch: the places with records before a number and in a period, newest first. */
export function placesBefore(db: Database, { organizationId, before, since, until }: PlacesBefore, limit: number) {
  const period = and(since && gte(auditSegments.lastAt, since), until && lt(auditSegments.firstAt, until))
  const { firstNumber } = auditSegmentParts
  return organizationId === undefined
    ? wholeSegments(db)
        .where(and(sql`+${state} in ('stored', 'replaced')`, lt(firstSeq, before ?? end), period))
        .orderBy(desc(firstSeq))
        .limit(limit)
    : ownParts(db)
        .where(and(eq(auditSegmentParts.organizationId, organizationId), lt(firstNumber, before ?? end), period))
        .orderBy(desc(firstNumber))
        .limit(limit)
}

/** For a batch: the first place with records after a number. */
export function placeAfter(db: Database, organizationId: string | null, after: number) {
  const { firstNumber, lastNumber } = auditSegmentParts
  const own = organizationId === null ? null : eq(auditSegmentParts.organizationId, organizationId)
  // Numbers have no gaps: the place with the next number is the last one that begins before it.
  return own === null
    ? wholeSegments(db)
        .where(
          and(
            sql`+${state} in ('stored', 'replaced')`,
            sql`${firstSeq} >= coalesce((select max(first_seq) from ${auditSegments} where first_seq <= ${after + 1}), 0)`,
            sql`+${lastSeq} > ${after}`,
          ),
        )
        .orderBy(asc(firstSeq))
        .limit(1)
    : ownParts(db)
        .where(
          and(
            own,
            sql`${firstNumber} >= coalesce((select max(first_number) from ${auditSegmentParts}
              where ${own} and first_number <= ${after + 1}), 0)`,
            sql`+${lastNumber} > ${after}`,
          ),
        )
        .orderBy(asc(firstNumber))
        .limit(1)
}
