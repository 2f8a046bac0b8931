import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { rowWhere } from '../../../platform/statements.ts'
import { type Member, members } from '../members/members.table.ts'
import { type Membership, membershipQuery, organizationIdFor, stillHolds } from '../membership.store.ts'
import { type Team, teams } from './teams.table.ts'

/** Queries about teams. Every function is one round trip. */

const countTeams = (organizationId: string): SQL<number> =>
  sql<number>`(select count(*) from ${teams} as counted where counted.organization_id = ${organizationId})`

/** The caller's membership and, in the same organization only, a team. */
export async function findTeamFor(
  db: Database,
  userId: string,
  organizationId: string,
  teamId: string,
): Promise<{ membership: Membership | null; team: Team | null }> {
  const key = { id: organizationId }
  const [[membership], [team]] = await db.batch([
    membershipQuery(db, userId, key),
    db
      .select()
      .from(teams)
      .where(and(eq(teams.organizationId, organizationIdFor(db, userId, key)), eq(teams.id, teamId))),
  ])
  return { membership: membership ?? null, team: team ?? null }
}

/**
 * Writes a team while there is room for it and the member has the roles that were read.
 * @throws when the name is taken (UNIQUE)
 */
export async function insertTeam(
  db: Database,
  team: Team,
  by: Member,
  limit: number | null,
): Promise<'written' | 'full' | 'other-roles'> {
  const room = limit === null ? sql`true` : sql`${countTeams(team.organizationId)} < ${limit}`
  const holds = stillHolds(db, by)
  const [rows, [found]] = await db.batch([
    db
      .insert(teams)
      .select(rowWhere(teams, team, sql`${room} and ${holds}`))
      .returning({ id: teams.id }),
    db.select({ holds: sql<number>`${holds}`.as('holds') }).from(sql`(select 1)`),
  ])
  if (rows.length > 0) return 'written'
  return found?.holds ? 'full' : 'other-roles'
}

/**
 * Removes a team that is not the member's own; those in it are in no team then.
 * @param lastToo whether the only team may be removed
 */
export async function deleteTeam(db: Database, team: Team, by: Member, lastToo: boolean): Promise<boolean> {
  const rows = await db
    .delete(teams)
    .where(
      and(
        eq(teams.id, team.id),
        eq(teams.organizationId, team.organizationId),
        lastToo ? undefined : sql`${countTeams(team.organizationId)} > 1`,
        sql`not exists (select 1 from ${members} as inside where inside.id = ${by.id} and inside.team_id = ${team.id})`,
        stillHolds(db, by),
      ),
    )
    .returning({ id: teams.id })
  return rows.length > 0
}

/** @returns null when the team is gone. @throws when the name is taken (UNIQUE) */
export async function renameTeam(db: Database, team: Team, by: Member, name: string, now: Date): Promise<Team | null> {
  const [renamed] = await db
    .update(teams)
    .set({ name, updatedAt: now })
    .where(and(eq(teams.id, team.id), eq(teams.organizationId, team.organizationId), stillHolds(db, by)))
    .returning()
  return renamed ?? null
}

/** @returns null when the user is no member */
export async function listTeams(db: Database, userId: string, organizationId: string): Promise<Team[] | null> {
  const key = { id: organizationId }
  const [memberships, rows] = await db.batch([
    membershipQuery(db, userId, key),
    db
      .select()
      .from(teams)
      .where(eq(teams.organizationId, organizationIdFor(db, userId, key)))
      .orderBy(asc(teams.createdAt), asc(teams.id)),
  ])
  return memberships.length === 0 ? null : rows
}
