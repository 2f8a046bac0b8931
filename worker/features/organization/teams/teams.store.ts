import { and, asc, count, eq, notExists, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../../platform/database.ts'
import { insertWhere } from '../../../platform/statements.ts'
import { type Member, members } from '../membership/members.table.ts'
import {
  type Membership,
  membershipQuery,
  type OrganizationKey,
  organizationIdFor,
  stillHolds,
} from '../membership/membership.store.ts'
import { type Team, teams } from '../membership/teams.table.ts'

/** Queries about teams. Every function is one round trip. */

const counted = alias(teams, 'counted')
const inside = alias(members, 'inside')

const countTeams = (db: Database, organizationId: string): SQL<number> =>
  sql<number>`${db.select({ n: count() }).from(counted).where(eq(counted.organizationId, organizationId))}`

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
 * Writes a team while the limit allows and the member has the roles that were read.
 * @throws when the name is taken (UNIQUE)
 */
export async function insertTeam(
  db: Database,
  team: Team,
  by: Member,
  limit: number | null,
): Promise<'written' | 'full' | 'other-roles'> {
  const free = limit === null ? undefined : sql`${countTeams(db, team.organizationId)} < ${limit}`
  const holds = stillHolds(db, by)
  const [rows, [found]] = await db.batch([
    insertWhere(db, teams, team, and(free, holds)!).returning({ id: teams.id }),
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
        lastToo ? undefined : sql`${countTeams(db, team.organizationId)} > 1`,
        notExists(
          db
            .select({ one: sql`1` })
            .from(inside)
            .where(and(eq(inside.id, by.id), eq(inside.teamId, team.id))),
        ),
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

/** For a batch: an organization's teams, if the user is a member of it. */
export const teamsQuery = (db: Database, userId: string | SQL, key: OrganizationKey) =>
  db
    .select()
    .from(teams)
    .where(eq(teams.organizationId, organizationIdFor(db, userId, key)))
    .orderBy(asc(teams.createdAt), asc(teams.id))
