import { base64url, fromBase64url } from '../../kit/base64.ts'
import { type AuditQuery, type NamedRecord, searchWindow } from './audit-log.store.ts'
import type { auditFilter } from './audit-record.schema.ts'

export const defaultAuditLimit = 50

export type AuditFilter = { readonly [K in keyof typeof auditFilter]?: string | undefined }

/** The parameters of the statement. @throws `invalid` for an invalid cursor */
export function readAuditQuery(
  asked: AuditFilter & { limit?: number | undefined; cursor?: string | undefined },
  invalid: () => Error,
  organizationId?: AuditQuery['organizationId'],
): AuditQuery {
  const { userId, actorId, action, since, until, search, limit = defaultAuditLimit, cursor } = asked
  return {
    organizationId,
    actor: actorId,
    subject: userId,
    actions: action?.split(','),
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    search,
    limit,
    before: cursor === undefined ? null : numberOf(cursor, invalid),
  }
}

function numberOf(cursor: string, invalid: () => Error): number {
  let text = ''
  try {
    text = fromBase64url(cursor)
  } catch {}
  if (!/^\d{1,15}$/.test(text)) throw invalid()
  return Number(text)
}

/**
 * A search may return fewer records than `limit` although another page follows.
 * @returns with another page, the time back to which the log is searched
 */
export function auditPageOf<R extends NamedRecord>(
  rows: readonly R[],
  { limit, search, organizationId }: Pick<AuditQuery, 'limit' | 'search' | 'organizationId'>,
): { page: R[]; nextCursor: string | null; searchedTo: Date | null } {
  const read = rows.slice(0, search === undefined ? limit : searchWindow)
  const page = (search === undefined ? read : read.filter((row) => contains(row, search))).slice(0, limit)
  const last = page.length === limit ? page.at(-1) : read.at(-1)
  if (last === undefined || last === rows.at(-1)) return { page, nextCursor: null, searchedTo: null }
  const number = organizationId === undefined ? last.seq : last.organizationSeq!
  return { page, nextCursor: cursorOf(number), searchedTo: last.createdAt }
}

/** A page ends before the record with this number. */
export const cursorOf = (number: number): string => base64url(String(number))

export function contains(row: NamedRecord, search: string): boolean {
  const { action, actorType, actorName, subjectName, subjectType, ipAddress, requestId, before, after } = row
  const ids = [row.actorId, row.actorVia, row.subjectId, row.organizationId, row.id]
  const texts = [action, actorType, actorName, subjectName, subjectType, ipAddress, requestId, ...ids]
  return `${texts.join('\n')}\n${JSON.stringify([before, after])}`.toLowerCase().includes(search.toLowerCase())
}
