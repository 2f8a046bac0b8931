import { and, count, eq, gt, ne, sql } from 'drizzle-orm'
import type { Scope } from '../../../identity/scope.ts'
import { users } from '../../../identity/users/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, insertWhere, runBatch, type Statement } from '../../../platform/statements.ts'
import { type Invitation, invitations } from '../membership/invitations.table.ts'
import type { Member } from '../membership/members.table.ts'
import { isMemberByEmail, membershipQuery, organizationIdFor, stillHolds } from '../membership/membership.store.ts'
import { cancelStatements } from '../membership/pending-invitations.store.ts'
import { teams } from '../membership/teams.table.ts'
import { invitationExists, other, tell } from './conditions.store.ts'

/** Queries of the writing of an invitation. Every function is one round trip. */

/** The inviter's membership, whether a team is one of the same organization, and the invited, where they are known. */
export async function findInviter(
  db: Database,
  userId: string,
  organizationId: string,
  { teamId, email }: { teamId: string | null; email: string },
) {
  const key = { id: organizationId }
  const [[membership], [team], [invited]] = await db.batch([
    membershipQuery(db, userId, key),
    db
      .select({ id: teams.id })
      .from(teams)
      .where(and(eq(teams.organizationId, organizationIdFor(db, userId, key)), eq(teams.id, teamId ?? ''))),
    db.select({ language: users.language }).from(users).where(eq(users.email, email.toLowerCase())),
  ])
  return { membership: membership ?? null, hasTeam: team !== undefined, invited: invited ?? null }
}

/** Holds once an invitation has been written. */
export const isWritten = (db: Database, id: string): Condition => invitationExists(db, eq(other.id, id))

/** The same as a condition on the table of invitations. */
export const isInvitation = (id: string): Condition => eq(invitations.id, id)

/** What stood in the way of a new invitation, read in the same batch. */
export interface InvitationObstacles {
  isMember: boolean
  isInvited: boolean
  isTeamGone: boolean
  /** The inviter no longer has the roles by which they may. */
  hasOtherRoles: boolean
}

/**
 * Writes an invitation while the limit allows, if the person is neither a member nor invited. One batch.
 * @param again a pending invitation to the same person is no obstacle
 * @param replace earlier pending invitations to the same person are canceled, and do not count
 * @param tasks written only with it, because their own condition is `isWritten`
 * @returns what was in the way; null when the invitation has been written
 */
export async function insertInvitation(
  scope: Scope,
  invitation: Invitation,
  { by, limit, again, replace }: { by: Member; limit: number; again: boolean; replace: boolean },
  tasks: readonly Statement[],
): Promise<InvitationObstacles | null> {
  const { db } = scope
  const { id, organizationId, email, teamId, createdAt: now } = invitation
  const pending = and(eq(other.organizationId, organizationId), eq(other.status, 'pending'), gt(other.expiresAt, now))
  const taken = db
    .select({ n: count() })
    .from(other)
    .where(and(pending, replace ? ne(other.email, email) : undefined))
  const obstacles = {
    isMember: isMemberByEmail(db, organizationId, email),
    isInvited: invitationExists(db, and(pending, eq(other.email, email), ne(other.id, id))),
    isTeamGone: sql`(${teamId} is not null and not exists (select 1 from ${teams} where ${eq(teams.id, teamId ?? '')}))`,
    hasOtherRoles: sql`not ${stillHolds(db, by)}`,
  }
  const condition = and(
    sql`${taken} < ${limit}`,
    sql`not ${obstacles.isMember}`,
    again ? undefined : sql`not ${obstacles.isInvited}`,
    sql`not ${obstacles.isTeamGone}`,
    sql`not (${obstacles.hasOtherRoles})`,
  )!
  const insertion = insertWhere(db, invitations, invitation, condition).returning({ id: invitations.id })
  const replaced = and(
    eq(invitations.organizationId, organizationId),
    eq(invitations.email, email),
    eq(invitations.status, 'pending'),
    ne(invitations.id, id),
    isWritten(db, id),
  )!
  const replacement = replace ? cancelStatements(scope, replaced) : []
  const results = await runBatch(db, [insertion, tell(db, obstacles), ...replacement, ...tasks])
  const [rows, [found]] = results as [{ id: string }[], Record<keyof InvitationObstacles, number>[]]
  if (rows.length > 0) return null
  return {
    isMember: Boolean(found?.isMember),
    isInvited: Boolean(found?.isInvited),
    isTeamGone: Boolean(found?.isTeamGone),
    hasOtherRoles: Boolean(found?.hasOtherRoles),
  }
}
