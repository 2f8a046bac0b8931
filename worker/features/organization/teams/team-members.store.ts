import { and, asc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Page } from '../../../kit/page.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, named, rowExists } from '../../../platform/statements.ts'
import { members } from '../model/members.table.ts'
import { type OrganizationKey, organizationIdFor } from '../model/membership.store.ts'
import { teamMembers } from '../model/team-members.table.ts'
import { type Team, teams } from '../model/teams.table.ts'

/** Statements about the members of teams: a member's first team is `members.teamId`, the others are rows of team_members. */

/** The caller's memberships and those of a team. */
const own = alias(members, 'own')

/** Whether the member of the current row is in the team of the current row. */
const isInTeamOfRow = or(
  eq(members.teamId, teams.id),
  rowExists(teamMembers, and(eq(teamMembers.teamId, teams.id), eq(teamMembers.memberId, members.id))),
)!

/** A team with a user's membership of its organization, if the user is a member. */
export const teamForQuery = (db: Database, userId: string | SQL, teamId: string | SQL<string | null>) =>
  db
    .select({
      team: named(teams, 'team'),
      member: named(members, 'member'),
      isIn: sql<number>`${isInTeamOfRow}`.as('is_in'),
    })
    .from(teams)
    .innerJoin(members, and(eq(members.organizationId, teams.organizationId), eq(members.userId, userId)))
    .where(eq(teams.id, teamId))

/** The members of a team. */
const membersOfTeam = (db: Database, teamId: string | SQL<string | null>, condition: SQL) =>
  db
    .select({
      id: sql<string>`coalesce(${teamMembers.id}, ${members.id})`.as('team_member_id'),
      teamId: teams.id,
      userId: members.userId,
      createdAt: sql<Date>`coalesce(${teamMembers.createdAt}, ${members.createdAt})`
        .mapWith(members.createdAt)
        .as('joined_at'),
    })
    .from(teams)
    .innerJoin(members, eq(members.organizationId, teams.organizationId))
    .leftJoin(teamMembers, and(eq(teamMembers.teamId, teams.id), eq(teamMembers.memberId, members.id)))
    .where(and(eq(teams.id, teamId), or(eq(members.teamId, teams.id), isNotNull(teamMembers.id)), condition))
    .$dynamic()

export const teamMemberQuery = (db: Database, team: Team, userId: string) =>
  membersOfTeam(db, team.id, eq(members.userId, userId))

/** The members of a team, if the user is a member of the organization. */
export const teamMembersQuery = (
  db: Database,
  userId: string | SQL,
  teamId: string | SQL<string | null>,
  { limit, offset }: Page,
) =>
  membersOfTeam(
    db,
    teamId,
    inArray(teams.organizationId, db.select({ id: own.organizationId }).from(own).where(eq(own.userId, userId))),
  )
    .orderBy(sql`joined_at`, sql`team_member_id`)
    .limit(limit)
    .offset(offset)

interface Asked {
  /** The caller. */
  own: string | SQL
  /** The user of the requested teams. Default: the caller. */
  userId: string | undefined
  /** The organization of the teams. Without a key: all organizations of the caller. */
  key: OrganizationKey | null
}

/** The teams of a user in an organization of the caller, or of the caller in all organizations. */
export const teamsOfUserQuery = (db: Database, { own, userId, key }: Asked, { limit, offset }: Page) =>
  db
    .select(named(teams, 'team'))
    .from(members)
    .innerJoin(teams, and(eq(teams.organizationId, members.organizationId), isInTeamOfRow))
    .where(
      and(
        eq(members.userId, userId ?? own),
        key === null ? eq(members.userId, own) : eq(members.organizationId, organizationIdFor(db, own, key)),
      ),
    )
    .orderBy(asc(teams.createdAt), asc(teams.id))
    .limit(limit)
    .offset(offset)

/** A user as a member of an organization of the caller. */
export const colleagueQuery = (db: Database, own: string | SQL, key: OrganizationKey, userId: string) =>
  db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.organizationId, organizationIdFor(db, own, key)), eq(members.userId, userId)))

const memberId = (db: Database, { organizationId }: Team, userId: string) =>
  db
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)))

/** Holds while the team exists. */
export const exists = ({ id }: Team): Condition => rowExists(teams, eq(teams.id, id))

/** Holds while the user is in the team. */
export const isInTeam = (team: Team, userId: string): Condition =>
  sql`exists (select 1 from ${members} inner join ${teams} on ${teams.organizationId} = ${members.organizationId}
    where ${teams.id} = ${team.id} and ${members.userId} = ${userId} and ${isInTeamOfRow})`

/** Holds while the user is in the team, or the team has fewer members than the limit. @param limit null: any number */
export const mayJoin = (team: Team, userId: string, limit: number | null): Condition =>
  limit === null
    ? sql`true`
    : sql`(${isInTeam(team, userId)} or (select count(*) from ${members}
        inner join ${teams} on ${teams.organizationId} = ${members.organizationId}
        where ${teams.id} = ${team.id} and ${isInTeamOfRow}) < ${limit})`

/**
 * Adds a user to a team: as the member's first one, or as a further one. Does nothing for a user who is in the team.
 */
export const addToTeam = (db: Database, team: Team, userId: string, { id, now }: { id: string; now: Date }) => [
  db
    .update(members)
    .set({ teamId: team.id })
    .where(and(eq(members.organizationId, team.organizationId), eq(members.userId, userId), isNull(members.teamId))),
  db
    .insert(teamMembers)
    .select(
      db
        .select({
          id: sql<string>`${id}`.as('id'),
          teamId: sql<string>`${team.id}`.as('team_id'),
          memberId: members.id,
          createdAt: sql<Date>`${now.getTime()}`.as('created_at'),
        })
        .from(members)
        .where(
          and(
            eq(members.organizationId, team.organizationId),
            eq(members.userId, userId),
            sql`${members.teamId} <> ${team.id}`,
          ),
        ),
    )
    .onConflictDoNothing(),
]

/** Removes a user from a team. The same batch must run `settleTeams` after it. */
export const removeFromTeam = (db: Database, team: Team, userId: string) => [
  db
    .update(members)
    .set({ teamId: null })
    .where(
      and(eq(members.organizationId, team.organizationId), eq(members.userId, userId), eq(members.teamId, team.id)),
    ),
  db
    .delete(teamMembers)
    .where(and(eq(teamMembers.teamId, team.id), eq(teamMembers.memberId, sql`${memberId(db, team, userId)}`))),
]

/** For members without a first team: the oldest further team becomes the first. */
export const settleTeams = (db: Database, organizationId: string) => [
  db
    .update(members)
    .set({
      teamId: sql`(select ${teamMembers.teamId} from ${teamMembers} where ${teamMembers.memberId} = ${members.id}
        order by ${teamMembers.createdAt}, ${teamMembers.id} limit 1)`,
    })
    .where(
      and(
        eq(members.organizationId, organizationId),
        isNull(members.teamId),
        rowExists(teamMembers, eq(teamMembers.memberId, members.id)),
      ),
    ),
  db.delete(teamMembers).where(
    sql`(${teamMembers.memberId}, ${teamMembers.teamId}) in (select ${members.id}, ${members.teamId} from ${members}
        where ${members.organizationId} = ${organizationId} and ${members.teamId} is not null)`,
  ),
]
