import type { User } from '../../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { cutPage, readPlace } from '../../../kit/cursor.ts'
import { newId } from '../../../kit/random.ts'
import { adminErrors as errors } from '../admin.errors.ts'
import { type AuditQuery, auditPage, insertAuditLine } from './audit.store.ts'
import type { AuditLine, AuditValues } from './audit.table.ts'

/** The acting administrator, or the server (null). */
export type Actor = Caller | null

export interface AuditEntry {
  action: string
  subjectId: string
  before?: AuditValues
  after?: AuditValues
}

/** For a batch: the log line about the action of the same batch. The line of a server key contains its name. */
export function auditStatement(
  scope: Scope,
  actor: { user: Pick<User, 'id'> } | null,
  { action, subjectId, before = {}, after = {} }: AuditEntry,
) {
  const { serverKey } = scope
  return insertAuditLine(scope.db, {
    id: newId(),
    createdAt: scope.now(),
    action,
    actorId: actor?.user.id ?? null,
    subjectId,
    ipAddress: actor || serverKey ? scope.request.ip : null,
    userAgent: actor || serverKey ? scope.request.userAgent : null,
    before,
    after: serverKey ? { ...after, serverKey: serverKey.name } : after,
  })
}

/** A line in the log with the current names of its users. */
export type ShownAuditLine = AuditLine & { actorName: string | null; subjectName: string | null }

export interface AuditPage {
  entries: ShownAuditLine[]
  nextCursor: string | null
}

export const defaultAuditLimit = 50

export interface AuditFilter {
  userId?: string | undefined
  actorId?: string | undefined
  action?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** The parameters of the statement for a query of the log. @throws INVALID_CURSOR */
export const readAuditQuery = ({
  userId,
  actorId,
  action,
  since,
  until,
  limit = defaultAuditLimit,
  cursor,
}: AuditFilter & { limit?: number | undefined; cursor?: string | undefined }): AuditQuery => ({
  actor: actorId,
  subject: userId,
  action,
  since: since === undefined ? undefined : new Date(since),
  until: until === undefined ? undefined : new Date(until),
  limit,
  after: readPlace(cursor, errors.INVALID_CURSOR),
})

/** Builds the page from the rows of `auditPage`. */
export function auditPageOf(rows: readonly ShownAuditLine[], limit: number): AuditPage {
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id)
  return { entries: page, nextCursor }
}

/** The log, newest first. This form is for servers only: see admin.operations.ts. */
export async function listAudit(scope: Scope, asked: Parameters<typeof readAuditQuery>[0]): Promise<AuditPage> {
  const query = readAuditQuery(asked)
  return auditPageOf(await auditPage(scope.db, query), query.limit)
}
