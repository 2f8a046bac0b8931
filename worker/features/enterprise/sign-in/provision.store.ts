import { and, count, eq, inArray, ne, not, or } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { type Condition, read, rowExists } from '../../../platform/statements.ts'
import { members } from '../../organization/model/members.table.ts'
import { isMember } from '../../organization/model/membership.store.ts'
import { organizations } from '../../organization/model/organizations.table.ts'
import { teams } from '../../organization/model/teams.table.ts'
import { type Connection, connections } from '../model/connections.table.ts'

/** The organization, the user's membership of it and of others, and the teams of the organization by id. */
export async function findMemberships(
  db: Database,
  { organizationId }: Connection,
  userId: string,
  teamIds: readonly string[],
) {
  const found = await read(db, {
    organizations: db.select().from(organizations).where(eq(organizations.id, organizationId)),
    own: db
      .select()
      .from(members)
      .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId))),
    others: db
      .select({ others: count().as('others') })
      .from(members)
      .where(and(ne(members.organizationId, organizationId), eq(members.userId, userId))),
    teams: db
      .select()
      .from(teams)
      .where(and(eq(teams.organizationId, organizationId), inArray(teams.id, [...teamIds, '']))),
  })
  return {
    organization: found.organizations[0] ?? null,
    member: found.own[0] ?? null,
    isElsewhere: (found.others[0]?.others ?? 0) > 0,
    teams: found.teams,
  }
}

/** Holds while a user is a member of the organization, or of none. */
export const belongsToNoOther = (organizationId: string, userId: string): Condition =>
  or(isMember(organizationId, userId), not(rowExists(members, eq(members.userId, userId))))!

/** Holds while the connection is active and its configuration is the one that verified the identity. */
export const connectionIsUnchanged = ({ id, updatedAt }: Connection): Condition =>
  rowExists(
    connections,
    and(eq(connections.id, id), eq(connections.state, 'active'), eq(connections.updatedAt, updatedAt)),
  )
