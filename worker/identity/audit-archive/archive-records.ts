import type { StoredRecord } from '../../kit/audit-chain.ts'
import { Fault } from '../../kit/errors.ts'
import { after, days } from '../../kit/time.ts'
import { type Archive, archiveIn, sha256OfBytes } from '../../platform/archive.ts'
import { auditOptions } from '../audit/audit.config.ts'
import { rawRecords, recordOf, recordsAfter } from '../audit/raw-records.store.ts'
import { historyKept } from '../history.ts'
import type { Scope } from '../scope.ts'
import { Overtaken, unitOfWork } from '../unit-of-work.ts'
import { type ArchivedRecord, encodeSegment, segmentObject } from './segment-file.ts'
import * as store from './segments.store.ts'
import type { AuditSegment } from './segments.table.ts'

/** A segment ends before one of these is exceeded. */
export const segmentLimits = { records: 4000, bytes: 4_000_000, organizations: 1000 }

/** Segments of one run of the cron trigger. */
const segmentsPerRun = 5
const recordsPerRead = 1000

/** The bucket of the archive; null without one. */
export const archiveOf = ({ env, io }: Scope): Archive | null => (env.ARCHIVE ? archiveIn(env.ARCHIVE, io.used) : null)

/**
 * Moves sealed records that are older than `audit.hotDays` to R2, from the first number. A row states which records a
 * segment has before its object is written, so that each run that continues it, at whatever point the last one ended, and
 * each run beside it write the same object. The records leave D1 in the batch that makes the segment readable.
 */
export async function archiveRecords(scope: Scope): Promise<void> {
  const archive = archiveOf(scope)
  if (!archive) return
  for (let segment = 0; segment < segmentsPerRun; segment++) {
    if (!(await archiveSegment(scope, archive))) return
  }
}

/** @returns whether more may follow */
async function archiveSegment(scope: Scope, archive: Archive): Promise<boolean> {
  const segment = (await begun(scope)) ?? (await begin(scope))
  if (!segment) return false
  const records = await recordsIn(scope, segment)
  // Another run has stored the segment.
  if (records.length !== segment.records) return false
  const { bytes, sha256, parts } = encodeSegment(records)
  const object = segmentObject(segment, sha256)
  await archive.put(object, bytes, sha256)
  await requireStored(archive, object, sha256)
  const work = unitOfWork(scope)
  work.require(store.isPending(segment))
  const { hash } = records.at(-1)!
  work.run(
    store.updateSegment(scope.db, segment.firstSeq, {
      ...{ state: 'stored', object, sha256, bytes: bytes.length, hash: hash! },
    }),
  )
  work.run(store.insertParts(scope.db, segment.firstSeq, parts))
  work.run(store.deleteRecords(scope.db, segment))
  try {
    await work.commit()
  } catch (thrown) {
    if (thrown instanceof Overtaken) return false
    throw thrown
  }
  return true
}

/** @throws if the bucket does not return what was written */
export async function requireStored(archive: Archive, object: string, sha256: string): Promise<void> {
  const stored = await archive.get(object)
  if (stored === null || sha256OfBytes(stored) !== sha256) {
    throw new Fault('R2', new Error(`${object} was written, and reads otherwise`))
  }
}

async function begun({ db }: Scope): Promise<AuditSegment | null> {
  const [segment] = await store.pendingSegment(db)
  return segment ?? null
}

/** Chooses the records of the next segment. */
async function begin(scope: Scope): Promise<AuditSegment | null> {
  const until = after(scope.now(), -historyKept(scope, days(auditOptions.of(scope).hotDays), days(1)))
  const chosen = { first: 0, last: 0, records: 0, bytes: 0, firstAt: 0, lastAt: 0 }
  const organizations = new Set<string>()
  for (let isFull = false; !isFull; ) {
    const rows = await rawRecords(scope.db, recordsAfter(undefined, chosen.last, recordsPerRead))
    isFull = rows.length < recordsPerRead
    for (const row of rows) {
      const bytes = chosen.bytes + JSON.stringify(row).length
      const owners = organizations.size + (row.organizationId && !organizations.has(row.organizationId) ? 1 : 0)
      const fits =
        chosen.records === 0 ||
        (chosen.records < segmentLimits.records &&
          bytes <= segmentLimits.bytes &&
          owners <= segmentLimits.organizations)
      if (!fits || row.hash === null || row.createdAt >= until.getTime()) {
        isFull = true
        break
      }
      if (row.organizationId) organizations.add(row.organizationId)
      if (chosen.records === 0) Object.assign(chosen, { first: row.seq, firstAt: row.createdAt })
      chosen.records += 1
      chosen.bytes = bytes
      chosen.last = row.seq
      chosen.firstAt = Math.min(chosen.firstAt, row.createdAt)
      chosen.lastAt = Math.max(chosen.lastAt, row.createdAt)
    }
  }
  if (chosen.records === 0) return null
  const [firstAt, lastAt] = [new Date(chosen.firstAt), new Date(chosen.lastAt)]
  const { first: firstSeq, last: lastSeq, records } = chosen
  await store.insertPending(scope.db, { firstSeq, lastSeq, records, firstAt, lastAt })
  return begun(scope)
}

async function recordsIn({ db }: Scope, { firstSeq, lastSeq }: AuditSegment): Promise<ArchivedRecord[]> {
  const records: ArchivedRecord[] = []
  for (let last = firstSeq - 1, isEnd = false; !isEnd; ) {
    const rows = await rawRecords(db, recordsAfter(undefined, last, recordsPerRead))
    const own = rows.filter(({ seq }) => seq <= lastSeq)
    records.push(...own.map((row) => archived(recordOf(row))))
    last = rows.at(-1)?.seq ?? last
    isEnd = rows.length < recordsPerRead || own.length < rows.length || last === lastSeq
  }
  return records
}

const archived = (record: StoredRecord & { createdAt: Date }): ArchivedRecord => ({
  ...record,
  createdAt: record.createdAt.toISOString(),
})
