import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { sessions } from '../../../identity/model/sessions.table.ts'
import type { Database } from '../../../platform/database.ts'
import { members } from './members.table.ts'

export const activateInSession = (
  db: Database,
  sessionId: string,
  organizationId: string | SQL | null,
  condition?: SQL,
) =>
  db
    .update(sessions)
    .set({
      activeOrganizationId: organizationId,
      activeTeamId: sql`case when ${sessions.activeOrganizationId} = ${organizationId} then ${sessions.activeTeamId} end`,
    })
    .where(and(eq(sessions.id, sessionId), condition))

/** The organization of a new session of a user: the active one of the latest other session, or the only one. */
export const organizationOfNewSession = (userId: string): SQL => {
  const own = sql`select ${members.organizationId} from ${members} where ${eq(members.userId, userId)}`
  const recent = and(
    eq(sessions.userId, userId),
    isNull(sessions.impersonatedBy),
    sql`${sessions.activeOrganizationId} in (${own})`,
  )
  return sql`coalesce(
    (select ${sessions.activeOrganizationId} from ${sessions} where ${recent} order by ${sessions.updatedAt} desc limit 1),
    (select case when count(*) = 1 then max(${members.organizationId}) end from ${members} where ${eq(members.userId, userId)})
  )`
}

/** Deactivates an organization in all sessions, or in those of one user. */
export const deactivateInSessions = (
  db: Database,
  { organizationId, userId }: { organizationId: string; userId?: string },
  condition?: SQL,
) =>
  db
    .update(sessions)
    .set({ activeOrganizationId: null, activeTeamId: null })
    .where(
      and(
        eq(sessions.activeOrganizationId, organizationId),
        userId === undefined ? undefined : eq(sessions.userId, userId),
        condition,
      ),
    )

/** Sets the active team of a session, while the organization is the active one. */
export const activateTeamInSession = (
  db: Database,
  sessionId: string,
  team: { id: string; organizationId: string } | null,
) =>
  db
    .update(sessions)
    .set({ activeTeamId: team?.id ?? null })
    .where(and(eq(sessions.id, sessionId), team ? eq(sessions.activeOrganizationId, team.organizationId) : undefined))

/** Deactivates a team in all sessions, or in those of one user. */
export const deactivateTeam = (
  db: Database,
  { id, organizationId }: { id: string; organizationId: string },
  userId?: string,
) =>
  db
    .update(sessions)
    .set({ activeTeamId: null })
    .where(
      and(
        eq(sessions.activeOrganizationId, organizationId),
        eq(sessions.activeTeamId, id),
        userId === undefined ? undefined : eq(sessions.userId, userId),
      ),
    )
