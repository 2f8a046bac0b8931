import { and, type Column, desc, eq, gt, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { users } from '../../identity/model/users.table.ts'
import type { Page } from '../../kit/page.ts'
import type { Database } from '../../platform/database.ts'
import { type Condition, fewerThan, listContains, named, rowExists, type Statement } from '../../platform/statements.ts'
import {
  oauthApplications as clients,
  type OAuthApplication,
} from '../identity-provider/model/clients/clients.table.ts'
import { oauthAccessTokens, oauthConsents } from '../identity-provider/model/grants/grants.table.ts'
import { members } from '../organization/model/members.table.ts'
import { organizations } from '../organization/model/organizations.table.ts'
import { ownerName } from '../organization/model/owner-name.store.ts'
import { type AgentActivity, agentActivity, maxLines } from './agents.table.ts'

/** A value or an expression. */
type Value = string | SQL

/** Holds while a user is a member of an organization with one of the roles; never without roles. */
const isManager = (userId: Value, organizationId: Value | typeof clients.organizationId, roles: string[]): Condition =>
  rowExists(
    members,
    and(
      eq(members.organizationId, organizationId),
      eq(members.userId, userId),
      or(sql`0`, ...roles.map((role) => listContains(members.role, role))),
    ),
  )

/** Who owns an agent: a user, or an organization in which the caller has one of the roles. */
export interface Ownership {
  userId: Value
  organizationId: string | null
  roles: string[]
}

export const mayOwn = ({ userId, organizationId, roles }: Ownership): Condition =>
  organizationId === null ? sql`1` : isManager(userId, organizationId, roles)

/** Holds while the owner has fewer agents than the limit. Revoked ones count until they are deleted. */
export const hasFewerAgents = ({ userId, organizationId }: Ownership, limit: number | null): Condition =>
  fewerThan(
    clients,
    and(
      isNotNull(clients.agent),
      organizationId === null ? eq(clients.userId, userId) : eq(clients.organizationId, organizationId),
    )!,
    limit,
  )

export const insertAgent = (db: Database, agent: OAuthApplication) => db.insert(clients).values(agent)

/** The agents of an owner, newest first. */
export const selectAgents = (db: Database, owner: Ownership, { limit, offset }: Page) =>
  db
    .select()
    .from(clients)
    .where(
      and(
        isNotNull(clients.agent),
        owner.organizationId === null
          ? eq(clients.userId, owner.userId)
          : and(eq(clients.organizationId, owner.organizationId), mayOwn(owner)),
      ),
    )
    .orderBy(desc(clients.createdAt))
    .limit(limit)
    .offset(offset)

const contains = (column: Column, text: string): SQL => sql`instr(lower(${column}), lower(${text})) > 0`

/** A search by a part of a name compares so many agents, the newest ones. */
export const agentSearchWindow = 5000

const newestAgents = sql`select client_id from ${clients} where ${isNotNull(clients.agent)}
  order by ${clients.createdAt} desc limit ${agentSearchWindow}`

/** Holds for the agent with a client id, and for those among the newest whose own name or that of the owner has the text. */
const found = (search: string): Condition =>
  and(
    or(eq(clients.clientId, search), sql`${clients.clientId} in (${newestAgents})`),
    or(
      eq(clients.clientId, search),
      ...[clients.name, users.name, users.email, organizations.name].map((column) => contains(column, search)),
    ),
  )!

/** All agents with the name of their owner, newest first. @param search a part of a name or address, or a client id */
export const selectAllAgents = (db: Database, { limit, offset }: Page, search = '') =>
  db
    .select({
      row: named(clients, 'row'),
      ownerName: ownerName(),
    })
    .from(clients)
    .leftJoin(users, eq(users.id, clients.userId))
    .leftJoin(organizations, eq(organizations.id, clients.organizationId))
    .where(and(isNotNull(clients.agent), search === '' ? undefined : found(search)))
    .orderBy(desc(clients.createdAt))
    .limit(limit)
    .offset(offset)

/** The active agents of the organizations of a user, with the user's consent. */
export const selectSharedAgents = (db: Database, userId: Value, now: Date, { limit, offset }: Page) =>
  db
    .select({
      clientId: clients.clientId,
      name: clients.name,
      agent: clients.agent,
      expiresAt: clients.expiresAt,
      organizationName: sql<string>`${organizations.name}`.as('organization_name'),
      consent: oauthConsents.id,
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .innerJoin(clients, eq(clients.organizationId, members.organizationId))
    .leftJoin(
      oauthConsents,
      and(eq(oauthConsents.clientId, clients.clientId), eq(oauthConsents.userId, members.userId)),
    )
    .where(
      and(
        eq(members.userId, userId),
        isNotNull(clients.agent),
        eq(clients.state, 'active'),
        gt(clients.expiresAt, now),
      ),
    )
    .orderBy(desc(clients.createdAt))
    .limit(limit)
    .offset(offset)

export const isAgent = (clientId: string): Condition => and(eq(clients.clientId, clientId), isNotNull(clients.agent))!

export const selectAgent = (db: Database, clientId: string) => db.select().from(clients).where(isAgent(clientId))

/** The agents that a user manages: their own, and those of organizations in which they have one of the roles. */
const managedBy = (userId: Value, roles: string[]): Condition =>
  or(eq(clients.userId, userId), isManager(userId, clients.organizationId, roles))!

/** @param managed null: any agent */
export const updateAgent = (
  db: Database,
  clientId: string,
  managed: { userId: string; roles: string[] } | null,
  changes: Partial<OAuthApplication>,
) =>
  db
    .update(clients)
    .set(changes)
    .where(
      and(
        isAgent(clientId),
        sql`${clients.state} <> 'revoked'`,
        managed ? managedBy(managed.userId, managed.roles) : undefined,
      ),
    )
    .returning()

/** For the audit log: the organization of an agent, in its batch; null for the agent of a user. */
export const organizationOfAgent = (clientId: string): SQL =>
  sql`(select organization_id from ${clients} where client_id = ${clientId})`

/** An agent of an organization of which the user is a member. */
export const selectSharedAgent = (db: Database, clientId: string, userId: Value) =>
  db
    .select({ clientId: clients.clientId, name: clients.name, agent: clients.agent })
    .from(clients)
    .innerJoin(members, eq(members.organizationId, clients.organizationId))
    .where(and(isAgent(clientId), eq(members.userId, userId), eq(clients.state, 'active')))

/** The lines about an agent, newest first. @param managed by whom; null: any agent */
export const selectActivity = (db: Database, clientId: string, managed: { userId: Value; roles: string[] } | null) =>
  db
    .select()
    .from(agentActivity)
    .where(
      and(
        eq(agentActivity.clientId, clientId),
        managed ? rowExists(clients, and(isAgent(clientId), managedBy(managed.userId, managed.roles))) : undefined,
      ),
    )
    .orderBy(desc(agentActivity.createdAt))
    .limit(maxLines)

/** For a batch: writes a line, and deletes the oldest beyond the maximum. */
export const addActivity = (db: Database, line: AgentActivity): Statement[] => {
  const newest = db
    .select({ createdAt: agentActivity.createdAt })
    .from(agentActivity)
    .where(eq(agentActivity.clientId, line.clientId))
    .orderBy(desc(agentActivity.createdAt))
    .limit(1)
    .offset(maxLines)
  return [
    db.insert(agentActivity).values(line),
    db
      .delete(agentActivity)
      .where(and(eq(agentActivity.clientId, line.clientId), sql`${agentActivity.createdAt} <= (${newest})`)),
  ]
}

/** For a batch: deletes the tokens of an agent and all that were derived from them. */
export const deleteTokensOfAgent = (db: Database, clientId: string): Statement =>
  db.delete(oauthAccessTokens).where(eq(oauthAccessTokens.clientId, clientId))

/** For the cron trigger: lines, and revoked or expired agents, that are older. A revocation ends the time of an agent. */
export const deleteOldAgents = (db: Database, before: Date): Statement[] => [
  db.delete(agentActivity).where(lt(agentActivity.createdAt, before)),
  db.delete(clients).where(lt(clients.expiresAt, before)),
]
