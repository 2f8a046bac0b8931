import { httpErrors } from '../../http/http.errors.ts'
import type { AuditQuery, NamedRecord } from '../../identity/audit/audit-log.store.ts'
import { type AuditFilter, readAuditQuery } from '../../identity/audit/audit-log.ts'
import { auditLogPage, auditReads } from '../../identity/audit-archive/archived-page.ts'
import {
  type CheckpointsAsked,
  checkpointReads,
  presentCheckpoints,
} from '../../identity/audit-chain/list-checkpoints.ts'
import type { Own } from '../../identity/caller.ts'
import { liveOptions } from '../../identity/live.config.ts'
import { auditChannel } from '../../identity/notify-tabs.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { withDevices } from '../../identity/sessions/with-devices.ts'
import { hiddenActors, maskForOrganization } from '../../kit/audit-chain.ts'
import { after, minutes } from '../../kit/time.ts'
import { type Rows, read } from '../../platform/statements.ts'
import { openChannel } from '../live/open-channel.ts'
import { type Membership, membershipQuery } from '../organization/model/membership.store.ts'
import { foundMembership, memberMay, requireMembership } from '../organization/model/membership.ts'
import { organizationErrors } from '../organization/organization.errors.ts'
import { auditErrors as errors } from './audit.errors.ts'

/** The organization whose log the caller may read. */
export async function requireReader(scope: Scope, caller: Caller, given: string | undefined): Promise<string> {
  const membership = await requireMembership(scope, caller, given, readingRefusals)
  requireMayRead(scope, membership)
  return membership.organization.id
}

export const readingRefusals = {
  missing: organizationErrors.NO_ACTIVE_ORGANIZATION,
  outside: organizationErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
}

export function requireMayRead(scope: Scope, { member }: Membership): void {
  if (!memberMay(scope, member, { audit: ['read'] }))
    throw errors.YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG_OF_THIS_ORGANIZATION()
}

/**
 * A record with the link of the organization's chain. The numbers of the deployment reveal how much happens in other
 * organizations.
 */
const withoutDeployment = ({
  seq: _,
  hash: __,
  erased: ___,
  organizationHash,
  organizationErased,
  ...record
}: NamedRecord) => ({
  ...record,
  hash: organizationHash,
  ...(organizationErased !== undefined && { erased: organizationErased }),
})

const actorNameOf = ({ actorType, actorName }: NamedRecord) => (hiddenActors.includes(actorType) ? null : actorName)

const masked = (row: NamedRecord): NamedRecord => ({ ...maskForOrganization(row), actorName: actorNameOf(row) })

/** A record as its organization sees it. */
export const presentRecord = (row: NamedRecord): OrganizationRecord => withoutDeployment(masked(row))

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
    ...auditReads(db, readAuditQuery(asked, errors.INVALID_CURSOR, organizationId)),
  }
}

/** @throws if the caller must not read the log; then the rows are dropped */
export function ownPage(
  scope: Scope,
  caller: Caller,
  asked: Asked,
  { memberships: [found], ...rows }: Rows<ReturnType<typeof ownPageReads>>,
) {
  const membership = foundMembership(scope, caller, asked.organizationId, found, readingRefusals)
  requireMayRead(scope, membership)
  return presentPage(scope, rows, readAuditQuery(asked, errors.INVALID_CURSOR, membership.organization.id))
}

async function presentPage(scope: Scope, rows: Rows<ReturnType<typeof auditReads>>, query: AuditQuery) {
  // A search must not find what the organization does not see.
  const { page, nextCursor, searchedTo } = await auditLogPage(scope, query, rows, masked)
  return { entries: await withDevices(page.map(withoutDeployment)), nextCursor, searchedTo }
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
  requireMayRead(scope, foundMembership(scope, caller, asked.organizationId, found, readingRefusals))
  return presentCheckpoints(scope, asked, rows)
}

async function organizationPage(scope: Scope, organizationId: string, asked: Asked) {
  const query = readAuditQuery(asked, errors.INVALID_CURSOR, organizationId)
  return presentPage(scope, await read(scope.db, auditReads(scope.db, query)), query)
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

/** How long (s) a page may watch before its permission is checked again, by its next connection. */
const watchTime = minutes(15)

/**
 * Connects an open audit page with the channel of its organization. Messages contain no records.
 * @throws NOT_FOUND while the live channel is off
 */
export async function watchRecords(
  scope: Scope,
  caller: Caller,
  { organizationId: given, recent }: { organizationId?: string | undefined; recent?: boolean | undefined },
  request: Request,
): Promise<Response> {
  if (!liveOptions.of(scope).enabled) throw httpErrors.NOT_FOUND()
  const organizationId = await requireReader(scope, caller, given)
  const end = after(scope.now(), watchTime)
  const { id: sessionId, expiresAt } = caller.session
  const until = expiresAt < end ? expiresAt : end
  return openChannel(scope, { channel: auditChannel(organizationId), sessionId, until, recent }, request)
}
