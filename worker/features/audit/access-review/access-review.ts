import type { Own } from '../../../identity/caller.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { cutPage, readPlace } from '../../../kit/cursor.ts'
import { splitRoles } from '../../../kit/permissions.ts'
import { type Rows, read } from '../../../platform/statements.ts'
import { membershipQuery } from '../../organization/model/membership.store.ts'
import { foundMembership } from '../../organization/model/membership.ts'
import { organizationOptions } from '../../organization/model/organization.config.ts'
import { auditErrors as errors } from '../audit.errors.ts'
import { readingRefusals, requireMayRead } from '../audit.ts'
import type { credentialStates, credentialTypes } from './access-review.contract.ts'
import * as store from './access-review.store.ts'

interface Asked {
  organizationId?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

const defaultLimit = 50

const pageOf = ({ limit = defaultLimit, cursor }: Asked, organizationId: store.ReviewPage['organizationId']) => ({
  organizationId,
  limit,
  after: readPlace(cursor, errors.INVALID_CURSOR),
})

const chosenBy = (own: Own, { organizationId }: Asked) => organizationId || own.ofSession('activeOrganizationId')

/** The membership of the caller and a page of the members, in the batch that identifies the caller. */
export function memberReads({ db }: Scope, own: Own, asked: Asked) {
  const organizationId = chosenBy(own, asked)
  return {
    memberships: membershipQuery(db, own.userId, { id: organizationId }),
    rows: store.memberPage(db, pageOf(asked, organizationId)),
  }
}

/** @throws if the caller must not read the log; then the rows are dropped */
export function reviewedMembers(
  scope: Scope,
  caller: Caller,
  asked: Asked,
  { memberships: [found], rows }: Rows<ReturnType<typeof memberReads>>,
) {
  requireMayRead(scope, foundMembership(scope, caller, asked.organizationId, found, readingRefusals))
  return presentMembers(scope, rows, asked.limit ?? defaultLimit)
}

function presentMembers(scope: Scope, rows: readonly store.MemberRow[], limit: number) {
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id)
  return { members: page.map((row) => presentMember(scope, row)), nextCursor }
}

export type ReviewedMember = ReturnType<typeof presentMember>

function presentMember(scope: Scope, row: store.MemberRow) {
  const { id, userId, name, email, origin, breakGlass, banExpires } = row
  return {
    ...{ id, userId, name, email },
    roles: splitRoles(row.role),
    teams: organizationOptions.of(scope).teams.enabled ? row.teams : [],
    since: row.createdAt,
    rolesChangedAt: row.roleChangedAt,
    grant: origin === null ? null : { origin, id: row.originId, name: row.originName },
    lastActiveAt: row.lastActiveAt,
    secondFactor: row.twoFactorEnabled,
    breakGlass,
    banned: row.banned && (banExpires === null || banExpires > scope.now()),
  }
}

const credentialPages = (db: Scope['db'], page: store.ReviewPage) => ({
  keys: store.keyPage(db, page),
  agents: store.agentPage(db, page),
})

/** The membership of the caller and a page of the API keys and agents. */
export function credentialReads({ db }: Scope, own: Own, asked: Asked) {
  const organizationId = chosenBy(own, asked)
  return {
    memberships: membershipQuery(db, own.userId, { id: organizationId }),
    ...credentialPages(db, pageOf(asked, organizationId)),
  }
}

/** @throws if the caller must not read the log */
export function reviewedCredentials(
  scope: Scope,
  caller: Caller,
  asked: Asked,
  { memberships: [found], ...rows }: Rows<ReturnType<typeof credentialReads>>,
) {
  requireMayRead(scope, foundMembership(scope, caller, asked.organizationId, found, readingRefusals))
  return presentCredentials(scope, rows, asked.limit ?? defaultLimit)
}

export interface ReviewedCredential {
  type: (typeof credentialTypes)[number]
  id: string
  name: string | null
  start: string | null
  state: (typeof credentialStates)[number]
  access: Record<string, string[]>
  since: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
}

/** Both reads contain one row more than the page, so that the merged list does, too. */
function presentCredentials(scope: Scope, { keys, agents }: Rows<ReturnType<typeof credentialPages>>, limit: number) {
  const all = [...keys.map((row) => presentKey(scope, row)), ...agents.map((row) => presentAgent(scope, row))]
  const sorted = all
    .map((credential) => ({ credential, createdAt: credential.since }))
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.credential.id < b.credential.id ? -1 : 1))
  const { page, nextCursor } = cutPage(sorted, limit, ({ credential }) => credential.id)
  return { credentials: page.map(({ credential }) => credential), nextCursor }
}

const isExpired = (scope: Scope, { expiresAt }: { expiresAt: Date | null }) =>
  expiresAt !== null && expiresAt <= scope.now()

function presentKey(scope: Scope, row: store.KeyRow): ReviewedCredential {
  const { id, name, start, enabled, permissions, createdAt, expiresAt, lastUsedAt } = row
  const state = isExpired(scope, row) ? 'expired' : enabled ? 'active' : 'disabled'
  const access = Object.fromEntries(Object.entries(permissions ?? {}).map(([what, acts]) => [what, [...acts]]))
  return { type: 'api-key', id, name, start, state, access, since: createdAt, expiresAt, lastUsedAt }
}

function presentAgent(scope: Scope, row: store.AgentRow): ReviewedCredential {
  const { id, name, agent, createdAt, expiresAt, lastUsedAt } = row
  const stored = row.state ?? 'active'
  const state = stored === 'active' && isExpired(scope, row) ? 'expired' : stored
  return {
    ...{ type: 'agent', id, name, start: null, state, access: agent?.access ?? {} },
    ...{ since: createdAt, expiresAt, lastUsedAt },
  }
}

export type ReviewLine = ({ type: 'member' } & ReviewedMember) | ReviewedCredential

/** The number of rows that are in memory at once. */
const rowsPerPage = 1000

/** All members, then all API keys and agents. The first read is the only one of a small organization. */
export async function* reviewPages(scope: Scope, organizationId: string): AsyncGenerator<ReviewLine[]> {
  const { db } = scope
  const page = (cursor?: string) => pageOf({ limit: rowsPerPage, cursor }, organizationId)
  const { rows, ...first } = await read(db, { rows: store.memberPage(db, page()), ...credentialPages(db, page()) })
  let { members, nextCursor } = presentMembers(scope, rows, rowsPerPage)
  while (nextCursor !== null) {
    yield members.map(lineOf)
    const next = await store.memberPage(db, page(nextCursor))
    ;({ members, nextCursor } = presentMembers(scope, next, rowsPerPage))
  }
  const credentials = presentCredentials(scope, first, rowsPerPage)
  yield [...members.map(lineOf), ...credentials.credentials]
  let cursor = credentials.nextCursor
  while (cursor !== null) {
    const next = presentCredentials(scope, await read(db, credentialPages(db, page(cursor))), rowsPerPage)
    yield next.credentials
    cursor = next.nextCursor
  }
}

const lineOf = (member: ReviewedMember): ReviewLine => ({ type: 'member', ...member })
