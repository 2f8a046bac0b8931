import type { Rows } from '../../platform/statements.ts'
import { type AuditQuery, auditPage, filterIds, type NamedRecord } from '../audit/audit-log.store.ts'
import { auditPageOf, contains, cursorOf, matcherOf } from '../audit/audit-log.ts'
import type { Scope } from '../scope.ts'
import { readableRecords, withNames } from './read-archive.ts'
import type { ArchivedRecord } from './segment-file.ts'
import { type ArchivePlace, placesBefore } from './segments.store.ts'

/** Objects and bytes of R2 that one page reads: a request of R2 each, and about four megabytes of records. */
export const pageLimits = { objects: 4, bytes: 1_500_000 }

/** For a batch: a page of the log in D1, and where the archive continues it. */
export const auditReads = (db: Scope['db'], query: AuditQuery) => ({
  rows: auditPage(db, query),
  places: placesBefore(db, query, pageLimits.objects + 1),
  ids: filterIds(db, query),
})

export interface SearchedPage {
  page: NamedRecord[]
  nextCursor: string | null
  /** The log is searched back to this time; null at its end. */
  searchedTo: Date | null
}

/**
 * A page of the log, newest first, over both places: numbers of the archive are lower than all in D1.
 * @param present a record as its reader sees it: a search must not find what it hides
 */
export async function auditLogPage(
  scope: Scope,
  query: AuditQuery,
  { rows, places, ids: [ids] }: Rows<ReturnType<typeof auditReads>>,
  present: (row: NamedRecord) => NamedRecord = (row) => row,
): Promise<SearchedPage> {
  const { limit, before, search } = query
  const matches = matcherOf(query, ids)
  const isMatch = (row: NamedRecord) => matches(row) && (search === undefined || contains(present(row), search))
  const { page: found, nextCursor, searchedTo } = auditPageOf(rows, query, isMatch)
  const page = found.map(present)
  if (nextCursor !== null || places.length === 0) return { page, nextCursor, searchedTo }
  const numberOf = (record: { seq: number; organizationSeq: number | null }) =>
    query.organizationId === undefined ? record.seq : record.organizationSeq!
  const taken: ArchivedRecord[] = []
  const left = () => limit - page.length - taken.length
  const pageUntil = async (last: { number: number; time: Date } | null) => ({
    page: [...page, ...(await withNames(scope, taken)).map(present)],
    nextCursor: last && cursorOf(last.number),
    searchedTo: last?.time ?? null,
  })
  let bytes = 0
  for (const [at, place] of places.entries()) {
    const previous = places[at - 1]
    bytes += place.bytes
    if (left() === 0 || at === pageLimits.objects || (previous && bytes > pageLimits.bytes)) {
      const last = page.at(-1)
      return pageUntil(previous ? beginningOf(previous) : { number: numberOf(last!), time: last!.createdAt })
    }
    const records = (await readableRecords(scope, place)).filter(
      (record) => (before === null || numberOf(record) < before) && matches(record),
    )
    const matching = search === undefined ? records : await thatContain(scope, records, search, present)
    const chosen = matching.toReversed().slice(0, left())
    taken.push(...chosen)
    const last = chosen.at(-1)
    if (last && chosen.length < matching.length) {
      return pageUntil({ number: numberOf(last), time: new Date(last.createdAt) })
    }
  }
  return pageUntil(null)
}

const beginningOf = ({ first, firstAt }: ArchivePlace) => ({ number: first, time: firstAt })

async function thatContain(
  scope: Scope,
  records: readonly ArchivedRecord[],
  search: string,
  present: (row: NamedRecord) => NamedRecord,
): Promise<ArchivedRecord[]> {
  const rows = await withNames(scope, records)
  return records.filter((_, at) => contains(present(rows[at]!), search))
}
