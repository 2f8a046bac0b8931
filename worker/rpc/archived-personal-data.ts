import { auditPersonalData } from '../identity/audit/audit-records.table.ts'
import { readableRecords } from '../identity/audit-archive/read-archive.ts'
import type { ArchivedRecord } from '../identity/audit-archive/segment-file.ts'
import type { ArchivePlace } from '../identity/audit-archive/segments.store.ts'
import type { Scope } from '../identity/scope.ts'
import type { PersonalData } from './personal-data.ts'

/** Objects and bytes of R2 that one call of an export reads. */
export const exportLimits = { objects: 10, bytes: 5_000_000 }

/** Where an export continues, and the time to which it has read the archive. */
export interface Continuation {
  cursor: string
  searchedTo: string
}

/** An export: rows by table, and one entry of `more` while the archive has more records. */
export type ExportedUser = PersonalData & { more?: Continuation[] }

export interface ArchivedPage {
  records: Record<string, unknown>[]
  more: Continuation | null
}

const hidden: readonly string[] = auditPersonalData.auditRecords.without

/** The records about a user, with the columns of those in D1. */
export const recordsAbout = (userId: string, records: readonly ArchivedRecord[]): Record<string, unknown>[] =>
  records
    .filter(({ subjectId }) => subjectId === userId)
    .map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.includes(name))))

/**
 * The archived records about a user, of the first places that a call may read. A segment has no index of users, so that all
 * since the creation of the user are read.
 * @param places newest first, one more than a call reads
 */
export async function archivedPage(
  scope: Scope,
  userId: string,
  places: readonly ArchivePlace[],
): Promise<ArchivedPage> {
  const records: Record<string, unknown>[] = []
  let bytes = 0
  for (const [at, place] of places.entries()) {
    bytes += place.bytes
    const previous = places[at - 1]
    if (previous && (at === exportLimits.objects || bytes > exportLimits.bytes))
      return { records, more: { cursor: String(previous.first), searchedTo: previous.firstAt.toISOString() } }
    records.push(...recordsAbout(userId, await readableRecords(scope, place)))
  }
  return { records, more: null }
}
