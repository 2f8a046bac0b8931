import { hiddenActors, type StoredRecord } from '../../kit/audit-chain.ts'
import { base64url, fromBase64url } from '../../kit/base64.ts'
import { comparedPage } from '../../kit/cursor.ts'
import { type AuditQuery, isCompared, type NamedRecord, searchWindow } from './audit-log.store.ts'
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
 * A page that compares may have fewer records than `limit` although another page follows.
 * @returns with another page, the time back to which the log is searched
 */
export function auditPageOf(
  rows: readonly NamedRecord[],
  query: AuditQuery,
  isMatch: (row: NamedRecord) => boolean,
): { page: NamedRecord[]; nextCursor: string | null; searchedTo: Date | null } {
  const window = isCompared(query) ? searchWindow : null
  const { page, end } = comparedPage(rows, { limit: query.limit, window, isMatch })
  if (end === null) return { page, nextCursor: null, searchedTo: null }
  const number = query.organizationId === undefined ? end.seq : end.organizationSeq!
  return { page, nextCursor: cursorOf(number), searchedTo: end.createdAt }
}

/** The filters of a query except its search. @param ids of the users that they name */
export function matcherOf(
  { organizationId, actor, subject, actions, since, until }: AuditQuery,
  ids: { actor: string | null; subject: string | null } | undefined,
): (
  record: Pick<StoredRecord, 'actorType' | 'actorId' | 'subjectId' | 'action'> & { createdAt: Date | string },
) => boolean {
  return (record) => {
    if (subject !== undefined && (!ids?.subject || record.subjectId !== ids.subject)) return false
    if (actor !== undefined && (!ids?.actor || record.actorId !== ids.actor)) return false
    if (organizationId !== undefined && actor !== undefined && hiddenActors.includes(record.actorType)) return false
    if (actions !== undefined && !actions.includes(record.action)) return false
    const time = new Date(record.createdAt)
    return !(since && time < since) && !(until && time >= until)
  }
}

/** A page ends before the record with this number. */
export const cursorOf = (number: number): string => base64url(String(number))

export function contains(row: NamedRecord, search: string): boolean {
  const { action, actorType, actorName, subjectName, subjectType, ipAddress, requestId, before, after } = row
  const ids = [row.actorId, row.actorVia, row.subjectId, row.organizationId, row.id]
  const texts = [action, actorType, actorName, subjectName, subjectType, ipAddress, requestId, ...ids]
  return `${texts.join('\n')}\n${JSON.stringify([before, after])}`.toLowerCase().includes(search.toLowerCase())
}
