import type { AuditQuery } from '../../../identity/audit/audit-log.store.ts'
import { auditPage, type NamedRecord } from '../../../identity/audit/audit-log.store.ts'
import { type AuditFilter, auditPageOf, readAuditQuery } from '../../../identity/audit/audit-log.ts'
import type { Scope } from '../../../identity/scope.ts'
import { adminErrors as errors } from '../admin.errors.ts'

export interface AuditLogPage {
  entries: Omit<NamedRecord, 'hash' | 'organizationHash'>[]
  nextCursor: string | null
}

/** @throws INVALID_CURSOR */
export const auditQueryOf = (asked: Parameters<typeof readAuditQuery>[0]): AuditQuery =>
  readAuditQuery(asked, errors.INVALID_CURSOR)

/** Builds the page from the rows of `auditPage`. */
export function deploymentAuditPage(rows: readonly NamedRecord[], query: AuditQuery): AuditLogPage {
  const { page, nextCursor } = auditPageOf(rows, query)
  return { entries: page.map(({ hash: _, organizationHash: __, ...entry }) => entry), nextCursor }
}

/** The log, newest first. This form is for servers only: see admin.operations.ts. */
export async function listAudit(
  scope: Scope,
  asked: AuditFilter & { limit?: number | undefined; cursor?: string | undefined },
): Promise<AuditLogPage> {
  const query = auditQueryOf(asked)
  return deploymentAuditPage(await auditPage(scope.db, query), query)
}
