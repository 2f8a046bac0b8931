import type { NamedRecord } from '../../../identity/audit/audit-log.store.ts'
import type { AuditFilter } from '../../../identity/audit/audit-log.ts'
import { auditLogPage, auditReads } from '../../../identity/audit-archive/archived-page.ts'
import type { AuditValues } from '../../../identity/model/audit-context.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { eventFilterOf, filteredEvents, type NamedEvent } from '../../../identity/security/security-events.store.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import type { AuditAction } from '../../../kit/audit-actions.ts'
import type { CursorPosition } from '../../../kit/cursor.ts'
import { read } from '../../../platform/statements.ts'
import { auditQueryOf } from '../audit/audit.ts'

/** The number of rows that are in memory at once. */
export const rowsPerPage = 1000

/** Records an export in the audit log. Its subject is the administrator: the rows are of many users. */
export async function noteExport(scope: Scope, actor: Caller, action: AuditAction, filter: AuditValues): Promise<void> {
  const work = unitOfWork(scope)
  work.audit({ action, subjectId: actor.user.id, after: filter })
  await work.commit()
}

/** All rows of a list, newest first. @param load a page, and one more row if another page follows */
async function* pagesOf<Row extends { createdAt: Date; id: string }>(
  load: (after: CursorPosition | null) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  let place: CursorPosition | null = null
  do {
    const rows: Row[] = await load(place)
    const page = rows.slice(0, rowsPerPage)
    const last = page.at(-1)
    yield page
    place = last && rows.length > rowsPerPage ? { createdAt: last.createdAt.getTime(), id: last.id } : null
  } while (place)
}

/** The records of a filter, newest first. */
export async function* auditPages(scope: Scope, filter: AuditFilter): AsyncGenerator<NamedRecord[]> {
  let cursor: string | undefined
  do {
    const query = { ...auditQueryOf({ ...filter, cursor }), limit: rowsPerPage }
    const { page, nextCursor } = await auditLogPage(scope, query, await read(scope.db, auditReads(scope.db, query)))
    yield page
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}

/** The events of a filter, newest first. */
export async function* eventPages(
  scope: Scope,
  asked: Parameters<typeof eventFilterOf>[0],
): AsyncGenerator<NamedEvent[]> {
  const filter = eventFilterOf(asked)
  const isMatch = ({ type }: NamedEvent) => filter.type === undefined || type === filter.type
  const pages = pagesOf((place) => filteredEvents(scope.db, filter, rowsPerPage, place))
  for await (const page of pages) yield page.filter(isMatch)
}
