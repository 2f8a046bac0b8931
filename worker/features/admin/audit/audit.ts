import type { Caller, Scope } from '../../../identity/scope.ts'
import type { User } from '../../../identity/users/users.table.ts'
import { base64url, fromBase64url } from '../../../kit/base64.ts'
import { newId } from '../../../kit/random.ts'
import { adminErrors as errors } from '../admin.errors.ts'
import { type AuditPlace, type AuditQuery, auditPage, insertAuditLine } from './audit.store.ts'
import type { AuditLine, AuditValues } from './audit.table.ts'

/** Who acts: an administrator, or the server itself (null). */
export type Actor = Caller | null

export interface AuditEntry {
  action: string
  subjectId: string
  before?: AuditValues
  after?: AuditValues
}

/** For a batch: the line about what the same batch does. */
export function auditStatement(
  scope: Scope,
  actor: { user: Pick<User, 'id'> } | null,
  { action, subjectId, before = {}, after = {} }: AuditEntry,
) {
  return insertAuditLine(scope.db, {
    id: newId(),
    createdAt: scope.now(),
    action,
    actorId: actor?.user.id ?? null,
    subjectId,
    ipAddress: actor && scope.request.ip,
    userAgent: actor && scope.request.userAgent,
    before,
    after,
  })
}

/** A line as it is shown, with the names that its people have now. */
export type ShownAuditLine = AuditLine & { actorName: string | null; subjectName: string | null }

export interface AuditPage {
  entries: ShownAuditLine[]
  nextCursor: string | null
}

export const defaultAuditLimit = 50

/** What is asked of the log, as the statement takes it. @throws INVALID_CURSOR */
export const readAuditQuery = (asked: {
  userId?: string | undefined
  actorId?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}): AuditQuery => ({
  actorId: asked.actorId,
  subjectId: asked.userId,
  limit: asked.limit ?? defaultAuditLimit,
  after: asked.cursor === undefined ? null : readCursor(asked.cursor),
})

/** The page that the rows of `auditPage` make. */
export function auditPageOf(rows: readonly ShownAuditLine[], limit: number): AuditPage {
  const entries = rows.slice(0, limit)
  const last = entries.at(-1)
  return { entries, nextCursor: last && rows.length > limit ? writeCursor(last) : null }
}

/** The log, newest first. Server-only in this form: see admin.rpc.ts. */
export async function listAudit(scope: Scope, asked: Parameters<typeof readAuditQuery>[0]): Promise<AuditPage> {
  const query = readAuditQuery(asked)
  return auditPageOf(await auditPage(scope.db, query), query.limit)
}

const writeCursor = ({ createdAt, id }: ShownAuditLine) => base64url(JSON.stringify([createdAt.getTime(), id]))

function readCursor(text: string): AuditPlace {
  try {
    const [createdAt, id] = JSON.parse(fromBase64url(text)) as unknown[]
    if (Number.isSafeInteger(createdAt) && typeof id === 'string') return { createdAt: createdAt as number, id }
  } catch {}
  throw errors.INVALID_CURSOR()
}
