import { type AuditQuery, auditPage, hiddenActors, type NamedRecord } from '../../identity/audit/audit-log.store.ts'
import { type AuditFilter, auditPageOf, readAuditQuery } from '../../identity/audit/audit-log.ts'
import type { Own } from '../../identity/caller.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import type { Rows } from '../../platform/statements.ts'
import { organizationErrors } from '../organization/membership/membership.errors.ts'
import { type Membership, membershipQuery } from '../organization/membership/membership.store.ts'
import { foundMembership, memberMay, requireMembership } from '../organization/membership/membership.ts'
import { auditErrors as errors } from './audit.errors.ts'

/** The organization whose log the caller may read. */
export async function requireReader(scope: Scope, caller: Caller, given: string | undefined): Promise<string> {
  const membership = await requireMembership(scope, caller, given, refusals)
  requireMayRead(scope, membership)
  return membership.organization.id
}

const refusals = {
  missing: organizationErrors.NO_ACTIVE_ORGANIZATION,
  outside: organizationErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
}

function requireMayRead(scope: Scope, { member }: Membership): void {
  if (!memberMay(scope, member, { audit: ['read'] }))
    throw errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG_OF_THIS_ORGANIZATION()
}

/** A record for an organization, without who administers the deployment, and from where. */
function maskForOrganization(record: NamedRecord): NamedRecord {
  if (!hiddenActors.includes(record.actorType)) return record
  return { ...record, actorId: null, actorName: null, actorVia: null, ipAddress: null, userAgent: null }
}

/** The numbers of the deployment reveal how much happens in other organizations. */
const withoutDeployment = ({ seq: _, hash: __, organizationHash: ___, ...record }: NamedRecord) => record

type Asked = AuditFilter & {
  organizationId?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

/** The membership of the caller and a page of the log, in the batch that identifies the caller. */
export function ownPageReads({ db }: Scope, own: Own, asked: Asked) {
  const organizationId = asked.organizationId || own.ofSession('activeOrganizationId')
  return {
    memberships: membershipQuery(db, own.userId, { id: organizationId }),
    rows: auditPage(db, readAuditQuery(asked, errors.INVALID_CURSOR, organizationId)),
  }
}

/** @throws if the caller must not read the log; then the rows are dropped */
export function ownPage(
  scope: Scope,
  caller: Caller,
  asked: Asked,
  { memberships: [found], rows }: Rows<ReturnType<typeof ownPageReads>>,
) {
  const membership = foundMembership(scope, caller, asked.organizationId, found, refusals)
  requireMayRead(scope, membership)
  return presentPage(rows, readAuditQuery(asked, errors.INVALID_CURSOR, membership.organization.id))
}

function presentPage(rows: readonly NamedRecord[], query: AuditQuery) {
  const { page, nextCursor } = auditPageOf(rows.map(maskForOrganization), query)
  return { entries: page.map(withoutDeployment), nextCursor }
}

async function organizationPage(scope: Scope, organizationId: string, asked: Asked) {
  const query = readAuditQuery(asked, errors.INVALID_CURSOR, organizationId)
  return presentPage(await auditPage(scope.db, query), query)
}

export type OrganizationRecord = ReturnType<typeof withoutDeployment>

/** The number of rows that are in memory at once. */
const rowsPerPage = 1000

export async function* organizationPages(
  scope: Scope,
  organizationId: string,
  filter: AuditFilter,
): AsyncGenerator<OrganizationRecord[]> {
  let cursor: string | undefined
  do {
    const { entries, nextCursor } = await organizationPage(scope, organizationId, {
      ...filter,
      limit: rowsPerPage,
      cursor,
    })
    yield entries
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}
