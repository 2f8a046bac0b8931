import { type AuditQuery, auditPage, type NamedRecord } from '../../identity/audit/audit-log.store.ts'
import { type AuditFilter, auditPageOf, readAuditQuery } from '../../identity/audit/audit-log.ts'
import {
  type CheckpointsAsked,
  checkpointReads,
  presentCheckpoints,
} from '../../identity/audit-chain/list-checkpoints.ts'
import type { Own } from '../../identity/caller.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { hiddenActors, maskForOrganization } from '../../kit/audit-chain.ts'
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

/**
 * A record with the link of the organization's chain. The numbers of the deployment reveal how much happens in other
 * organizations.
 */
const presentRecord = ({ seq: _, hash: __, organizationHash, ...record }: NamedRecord) => ({
  ...record,
  hash: organizationHash,
})

const actorNameOf = ({ actorType, actorName }: NamedRecord) => (hiddenActors.includes(actorType) ? null : actorName)

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
  // A search must not find what the organization does not see.
  const masked = rows.map((row) => ({ ...maskForOrganization(row), actorName: actorNameOf(row) }))
  const { page, nextCursor } = auditPageOf(masked, query)
  return { entries: page.map(presentRecord), nextCursor }
}

/** The membership of the caller and a page of the checkpoints. */
export function ownCheckpointReads(
  { db }: Scope,
  own: Own,
  asked: CheckpointsAsked & { organizationId?: string | undefined },
) {
  const organizationId = asked.organizationId || own.ofSession('activeOrganizationId')
  return {
    memberships: membershipQuery(db, own.userId, { id: organizationId }),
    ...checkpointReads(db, organizationId, asked, errors.INVALID_CURSOR),
  }
}

export function ownCheckpoints(
  scope: Scope,
  caller: Caller,
  asked: CheckpointsAsked & { organizationId?: string | undefined },
  { memberships: [found], ...rows }: Rows<ReturnType<typeof ownCheckpointReads>>,
) {
  requireMayRead(scope, foundMembership(scope, caller, asked.organizationId, found, refusals))
  return presentCheckpoints(scope, asked, rows)
}

async function organizationPage(scope: Scope, organizationId: string, asked: Asked) {
  const query = readAuditQuery(asked, errors.INVALID_CURSOR, organizationId)
  return presentPage(await auditPage(scope.db, query), query)
}

export type OrganizationRecord = ReturnType<typeof presentRecord>

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
