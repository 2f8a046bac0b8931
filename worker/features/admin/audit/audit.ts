import type { AuditQuery, NamedRecord } from '../../../identity/audit/audit-log.store.ts'
import { type AuditFilter, readAuditQuery } from '../../../identity/audit/audit-log.ts'
import { auditLogPage, auditReads } from '../../../identity/audit-archive/archived-page.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Device } from '../../../identity/sessions/describe-device.ts'
import { withDevices } from '../../../identity/sessions/with-devices.ts'
import { type Rows, read } from '../../../platform/statements.ts'
import { adminErrors as errors } from '../admin.errors.ts'

export interface AuditLogPage {
  entries: (Omit<NamedRecord, 'hash' | 'organizationHash' | 'organizationErased'> & { device?: Device })[]
  nextCursor: string | null
  /** The log is searched back to this time; null at its end. */
  searchedTo: Date | null
}

/** @throws INVALID_CURSOR */
export const auditQueryOf = (asked: Parameters<typeof readAuditQuery>[0]): AuditQuery =>
  readAuditQuery(asked, errors.INVALID_CURSOR)

/** Builds the page from the rows of `auditReads`. */
export async function deploymentAuditPage(
  scope: Scope,
  rows: Rows<ReturnType<typeof auditReads>>,
  query: AuditQuery,
): Promise<AuditLogPage> {
  const { page, nextCursor, searchedTo } = await auditLogPage(scope, query, rows)
  const entries = page.map(({ hash: _, organizationHash: __, organizationErased: ___, ...entry }) => entry)
  return { entries: await withDevices(entries), nextCursor, searchedTo }
}

/** The log, newest first. This form is for servers only: see admin.operations.ts. */
export async function listAudit(
  scope: Scope,
  asked: AuditFilter & { limit?: number | undefined; cursor?: string | undefined },
): Promise<AuditLogPage> {
  const query = auditQueryOf(asked)
  return deploymentAuditPage(scope, await read(scope.db, auditReads(scope.db, query)), query)
}
