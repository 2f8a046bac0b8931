import { and, asc, eq, ne, not, type SQL } from 'drizzle-orm'
import { firstPage, type Page } from '../../../kit/page.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, fewerThan, read, rowExists } from '../../../platform/statements.ts'
import { type Member, members } from '../model/members.table.ts'
import {
  type Membership,
  membershipQuery,
  type OrganizationKey,
  organizationIdFor,
  rolesUnchanged,
} from '../model/membership.store.ts'
import { type Team, teams } from '../model/teams.table.ts'

/** The caller's membership and, in the same organization only, a team. */
export async function findTeamFor(
  db: Database,
  userId: string,
  organizationId: string,
  teamId: string,
): Promise<{ membership: Membership | null; team: Team | null }> {
  const key = { id: organizationId }
  const { membership, team } = await read(db, {
    membership: membershipQuery(db, userId, key),
    team: db
      .select()
      .from(teams)
      .where(and(eq(teams.organizationId, organizationIdFor(db, userId, key)), eq(teams.id, teamId))),
  })
  return { membership: membership[0] ?? null, team: team[0] ?? null }
}

/** Holds while an organization has fewer teams than the limit. @param limit null: any number */
export const hasFewerTeams = (organizationId: string, limit: number | null): Condition =>
  fewerThan(teams, eq(teams.organizationId, organizationId), limit)

export const insertTeam = (db: Database, team: Team) => db.insert(teams).values(team)

/** Deletes a team, except the own team of the member who deletes it. @param lastToo the only team may be deleted */
export const deleteTeam = (db: Database, team: Team, by: Member, lastToo: boolean) =>
  db
    .delete(teams)
    .where(
      and(
        eq(teams.id, team.id),
        eq(teams.organizationId, team.organizationId),
        lastToo
          ? undefined
          : rowExists(teams, and(eq(teams.organizationId, team.organizationId), ne(teams.id, team.id))),
        not(rowExists(members, and(eq(members.id, by.id), eq(members.teamId, team.id)))),
        rolesUnchanged(by),
      ),
    )

export const renameTeam = (db: Database, team: Team, by: Member, name: string, now: Date) =>
  db
    .update(teams)
    .set({ name, updatedAt: now })
    .where(and(eq(teams.id, team.id), eq(teams.organizationId, team.organizationId), rolesUnchanged(by)))
    .returning()

/** The teams of an organization, if the user is a member. */
export const teamsQuery = (
  db: Database,
  userId: string | SQL,
  key: OrganizationKey,
  { limit, offset }: Page = firstPage,
) =>
  db
    .select()
    .from(teams)
    .where(eq(teams.organizationId, organizationIdFor(db, userId, key)))
    .orderBy(asc(teams.createdAt), asc(teams.id))
    .limit(limit)
    .offset(offset)
