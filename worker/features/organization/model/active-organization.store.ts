import { and, eq, inArray, isNull, not, type SQL, sql } from 'drizzle-orm'
import { sessions } from '../../../identity/model/sessions.table.ts'
import type { Work } from '../../../identity/work.ts'
import type { Database } from '../../../platform/database.ts'
import { rowExists } from '../../../platform/statements.ts'
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

interface Activation {
  sessionId: string
  organizationId: string | SQL | null
  condition?: SQL
  /** A repetition writes nothing: the activation is the purpose of the batch. */
  isPurpose?: boolean
}

/**
 * Activates an organization, or none, in a session, and stores the choice with the memberships of its user. The choice of an
 * impersonating administrator is not stored.
 */
export function activate(
  db: Database,
  work: Work,
  { sessionId, organizationId, condition, isPurpose }: Activation,
): void {
  const isChosen = sql<number>`${members.organizationId} is ${organizationId}`
  const userId = db
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.impersonatedBy)))
  const differs = and(inArray(members.userId, userId), sql`${members.isChosen} <> (${isChosen})`, condition)!
  const inSession = activateInSession(db, sessionId, organizationId, condition)
  if (isPurpose) work.run(inSession, { unlessUnchanged: true, unlessAlready: not(rowExists(members, differs)) })
  else work.run(inSession)
  work.run(
    db
      .update(members)
      .set({ isChosen: sql`${isChosen}` })
      .where(differs),
  )
}

/** The organization of a new session of a user: the one that the user has activated last, or the only one. */
export const organizationOfNewSession = (userId: string): SQL => {
  const own = eq(members.userId, userId)
  return sql`coalesce(
    (select ${members.organizationId} from ${members} where ${and(own, sql`${members.isChosen} = 1`)} limit 1),
    (select case when count(*) = 1 then max(id) end from (select ${members.organizationId} as id from ${members} where ${own} limit 2))
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
