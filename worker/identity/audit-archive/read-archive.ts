import { Fault } from '../../kit/errors.ts'
import { sha256OfBytes } from '../../platform/archive.ts'
import { read } from '../../platform/statements.ts'
import { type NamedRecord, namesOfIds, sealedAfter } from '../audit/audit-log.store.ts'
import type { ActorType, AuditValues } from '../model/audit-context.ts'
import type { Scope } from '../scope.ts'
import { archiveOf } from './archive-records.ts'
import { type ArchivedRecord, decodeSegment } from './segment-file.ts'
import { type ArchivePlace, placeAfter } from './segments.store.ts'

/** A place whose object is missing, or has other bytes than those that were written. */
export class DamagedObject extends Error {
  override name = 'DamagedObject'
  constructor(readonly place: ArchivePlace) {
    super(`${place.object} is missing or damaged`)
  }
}

/** The records of a place in the order of their numbers. @throws DamagedObject @throws Fault without the bucket */
export async function recordsAt(scope: Scope, place: ArchivePlace): Promise<ArchivedRecord[]> {
  const archive = archiveOf(scope)
  if (!archive) throw new Fault('R2', new Error('the bucket ARCHIVE is not bound'))
  const { object, offset, bytes: length, sha256 } = place
  const bytes = await archive.get(object, offset === null ? undefined : { offset, length })
  // A part has the checksum of gzip.
  if (bytes === null || (offset === null && sha256OfBytes(bytes) !== sha256)) throw new DamagedObject(place)
  try {
    return decodeSegment(bytes)
  } catch {
    throw new DamagedObject(place)
  }
}

/** For readers who cannot name the object. @throws Fault for a damaged object, which the log names */
export async function readableRecords(scope: Scope, place: ArchivePlace): Promise<ArchivedRecord[]> {
  try {
    return await recordsAt(scope, place)
  } catch (thrown) {
    if (!(thrown instanceof DamagedObject)) throw thrown
    scope.log('error', 'audit-object-damaged', { object: place.object })
    throw new Fault('R2', thrown)
  }
}

/** Adds the current names of users. */
export async function withNames(scope: Scope, records: readonly ArchivedRecord[]): Promise<NamedRecord[]> {
  const ids = new Set(records.flatMap(({ actorId, subjectId }) => [actorId, subjectId].filter((id) => id !== null)))
  const rows = ids.size === 0 ? [] : await namesOfIds(scope.db, [...ids])
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
  return records.map((record) => ({
    ...record,
    ...{ createdAt: new Date(record.createdAt), actorType: record.actorType as ActorType },
    ...{ before: record.before as AuditValues, after: record.after as AuditValues },
    ...{ actorName: nameOf(record.actorId), subjectName: nameOf(record.subjectId) },
  }))
}

/** Objects of one read for a stream. */
const maxObjects = 2

/**
 * The sealed records after a number in their order, from the archive and from D1. @param organizationId null: of the
 * deployment @returns whether more may follow: a read has a maximum of objects
 */
export async function sealedRecordsAfter(
  scope: Scope,
  organizationId: string | null,
  after: number,
  limit: number,
): Promise<{ rows: NamedRecord[]; mayFollow: boolean }> {
  const rows: NamedRecord[] = []
  const numberOf = (row: NamedRecord) => (organizationId === null ? row.seq : row.organizationSeq!)
  for (let objects = 0; objects < maxObjects; objects++) {
    const last = rows.at(-1)
    const start = last ? numberOf(last) : after
    const found = await read(scope.db, {
      places: placeAfter(scope.db, organizationId, start),
      rows: sealedAfter(scope.db, organizationId, start, limit - rows.length),
    })
    const [place] = found.places
    if (!place) {
      rows.push(...found.rows)
      return { rows, mayFollow: rows.length === limit }
    }
    const archived = (await readableRecords(scope, place)).filter(
      (record) => (organizationId === null ? record.seq : record.organizationSeq!) > start,
    )
    rows.push(...(await withNames(scope, archived.slice(0, limit - rows.length))))
    if (rows.length === limit) break
  }
  return { rows, mayFollow: true }
}
