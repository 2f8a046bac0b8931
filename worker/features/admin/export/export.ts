import type { Caller, Scope } from '../../../identity/scope.ts'
import { eventFilterOf, filteredEvents, type NamedEvent } from '../../../identity/security/security-events.store.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { Place } from '../../../kit/cursor.ts'
import { auditPage } from '../audit/audit.store.ts'
import type { AuditValues } from '../audit/audit.table.ts'
import { type AuditFilter, auditStatement, readAuditQuery, type ShownAuditLine } from '../audit/audit.ts'

/** The number of rows that are in memory at once. */
export const rowsPerPage = 1000

/** Records an export in the audit log. Its subject is the administrator: the rows are of many users. */
export async function noteExport(scope: Scope, actor: Caller, action: string, filter: AuditValues): Promise<void> {
  const work = unitOfWork(scope)
  work.run(auditStatement(scope, actor, { action, subjectId: actor.user.id, after: filter }))
  await work.commit()
}

/** All rows of a list, newest first. @param load a page, and one more row if another page follows */
async function* pagesOf<Row extends { createdAt: Date; id: string }>(
  load: (after: Place | null) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  let place: Place | null = null
  do {
    const rows: Row[] = await load(place)
    const page = rows.slice(0, rowsPerPage)
    const last = page.at(-1)
    yield page
    place = last && rows.length > rowsPerPage ? { createdAt: last.createdAt.getTime(), id: last.id } : null
  } while (place)
}

export const auditPages = (scope: Scope, filter: AuditFilter): AsyncGenerator<ShownAuditLine[]> =>
  pagesOf((after) => auditPage(scope.db, { ...readAuditQuery(filter), limit: rowsPerPage, after }))

export const eventPages = (scope: Scope, asked: Parameters<typeof eventFilterOf>[0]): AsyncGenerator<NamedEvent[]> =>
  pagesOf((place) => filteredEvents(scope.db, eventFilterOf(asked), rowsPerPage, place))
