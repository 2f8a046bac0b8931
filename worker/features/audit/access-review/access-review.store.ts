import { and, asc, eq, inArray, isNotNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { sessions } from '../../../identity/model/sessions.table.ts'
import { users } from '../../../identity/model/users.table.ts'
import type { CursorPosition } from '../../../kit/cursor.ts'
import type { Database } from '../../../platform/database.ts'
import { rowExists } from '../../../platform/statements.ts'
import { agentActivity } from '../../agents/agents.table.ts'
import { apiKeys } from '../../api-key/api-key.table.ts'
import { connections } from '../../enterprise/model/connections.table.ts'
import { breakGlassMembers } from '../../enterprise/model/policies.table.ts'
import { oauthApplications as clients } from '../../identity-provider/model/clients/clients.table.ts'
import { members } from '../../organization/model/members.table.ts'
import { teamMembers } from '../../organization/model/team-members.table.ts'
import { teams } from '../../organization/model/teams.table.ts'

export interface ReviewPage {
  /** An id, or an expression in the batch that identifies the caller. */
  organizationId: string | SQL
  limit: number
  after: CursorPosition | null
}

const inviters = alias(users, 'inviters')

/** The teams that a member can have in a response. */
const maxTeams = 100

const teamNames = sql`(select json_group_array(name) from (select name from ${teams}
  where id in (select ${members.teamId} union all select team_id from ${teamMembers} where member_id = ${members.id})
  order by name limit ${maxTeams}))`

const lastActive = sql`(select max(updated_at) from ${sessions}
  where user_id = ${users.id} and impersonated_by is null)`

const originName = sql`case ${members.origin}
  when 'invitation' then ${inviters.name} when 'domain' then ${members.originId} else ${connections.name} end`

const isAfter = (after: CursorPosition | null, createdAt: SQLWrapper, id: SQLWrapper) =>
  after ? sql`(${createdAt}, ${id}) > (${after.createdAt}, ${after.id})` : undefined

const date = <C extends SQLiteColumn>(value: SQL, column: C, name: string) =>
  sql<Date | null>`${value}`.mapWith(column).as(name)

/** For a batch: a page of the members, oldest first, and one more row, which shows whether another page follows. */
export const memberPage = (db: Database, { organizationId, limit, after }: ReviewPage) =>
  db
    .select({
      id: sql<string>`${members.id}`.as('member_id'),
      userId: members.userId,
      name: sql<string>`${users.name}`.as('user_name'),
      email: users.email,
      role: sql<string>`${members.role}`.as('member_role'),
      teams: sql<string[]>`${teamNames}`.mapWith((names) => JSON.parse(names)).as('team_names'),
      createdAt: sql`${members.createdAt}`.mapWith(members.createdAt).as('member_since'),
      roleChangedAt: members.roleChangedAt,
      origin: members.origin,
      originId: members.originId,
      originName: sql<string | null>`${originName}`.as('origin_name'),
      lastActiveAt: date(lastActive, sessions.updatedAt, 'last_active_at'),
      twoFactorEnabled: users.twoFactorEnabled,
      breakGlass: sql`${rowExists(breakGlassMembers, eq(breakGlassMembers.memberId, members.id))}`
        .mapWith(Boolean)
        .as('break_glass'),
      banned: users.banned,
      banExpires: users.banExpires,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .leftJoin(inviters, eq(inviters.id, members.originId))
    // A name of another organization must not be shown.
    .leftJoin(
      connections,
      and(eq(connections.id, members.originId), eq(connections.organizationId, members.organizationId)),
    )
    .where(and(eq(members.organizationId, organizationId), isAfter(after, members.createdAt, members.id)))
    .orderBy(asc(members.createdAt), asc(members.id))
    .limit(limit + 1)

export type MemberRow = Awaited<ReturnType<typeof memberPage>>[number]

/** For a batch: the first API keys after a place. An organization has a limited number of them. */
export const keyPage = (db: Database, { organizationId, limit, after }: ReviewPage) =>
  db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      start: apiKeys.start,
      enabled: apiKeys.enabled,
      permissions: apiKeys.permissions,
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastRequest,
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, organizationId), isAfter(after, apiKeys.createdAt, apiKeys.id)))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
    .limit(limit + 1)

export type KeyRow = Awaited<ReturnType<typeof keyPage>>[number]

const lastUse = sql`(select max(${agentActivity.createdAt}) from ${agentActivity}
  where ${and(eq(agentActivity.clientId, clients.clientId), inArray(agentActivity.event, ['token', 'provider', 'use']))})`

/** The same for agents. */
export const agentPage = (db: Database, { organizationId, limit, after }: ReviewPage) =>
  db
    .select({
      id: clients.clientId,
      name: clients.name,
      state: clients.state,
      agent: clients.agent,
      createdAt: clients.createdAt,
      expiresAt: clients.expiresAt,
      lastUsedAt: date(lastUse, agentActivity.createdAt, 'last_used_at'),
    })
    .from(clients)
    .where(
      and(
        eq(clients.organizationId, organizationId),
        isNotNull(clients.agent),
        isAfter(after, clients.createdAt, clients.clientId),
      ),
    )
    .orderBy(asc(clients.createdAt), asc(clients.clientId))
    .limit(limit + 1)

export type AgentRow = Awaited<ReturnType<typeof agentPage>>[number]
