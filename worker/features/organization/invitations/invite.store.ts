import { and, desc, eq, gt, ne, not, sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Work } from '../../../identity/work.ts'
import { comparedAddress } from '../../../kit/email-address.ts'
import type { Database } from '../../../platform/database.ts'
import { fewerThan, read, rowExists } from '../../../platform/statements.ts'
import { announceInvitations } from '../model/events.store.ts'
import { type Invitation, invitations } from '../model/invitations.table.ts'
import { isMemberByEmail, membershipQuery, organizationIdFor } from '../model/membership.store.ts'
import { cancelInvitations } from '../model/pending-invitations.store.ts'
import { teams } from '../model/teams.table.ts'

/**
 * The inviter's membership, whether the organization has the team, the invited user, if an account has the address, and
 * the newest pending invitation to it.
 */
export async function findInviter(
  db: Database,
  userId: string,
  organizationId: string,
  { teamId, email }: { teamId: string | null; email: string },
) {
  const key = { id: organizationId }
  const { membership, team, invited, pending } = await read(db, {
    membership: membershipQuery(db, userId, key),
    team: db
      .select({ id: teams.id })
      .from(teams)
      .where(and(eq(teams.organizationId, organizationIdFor(db, userId, key)), eq(teams.id, teamId ?? ''))),
    invited: db
      .select({ language: users.language })
      .from(users)
      .where(eq(users.email, comparedAddress(email))),
    pending: db
      .select()
      .from(invitations)
      .where(
        and(
          eq(invitations.organizationId, organizationIdFor(db, userId, key)),
          eq(invitations.email, comparedAddress(email)),
          eq(invitations.status, 'pending'),
        ),
      )
      .orderBy(desc(invitations.createdAt))
      .limit(1),
  })
  return {
    membership: membership[0] ?? null,
    hasTeam: team.length > 0,
    invited: invited[0] ?? null,
    pending: pending[0] ?? null,
  }
}

/**
 * Conditions of an invitation.
 * @param replace earlier ones to the same address do not count: they are canceled
 * @param again the pending one that is sent again
 */
export function invitationConditions(
  { organizationId, email, teamId }: Invitation,
  { limit, replace, again, now }: { limit: number; replace: boolean; again: Invitation | null; now: Date },
) {
  const isPending = and(
    eq(invitations.organizationId, organizationId),
    eq(invitations.status, 'pending'),
    gt(invitations.expiresAt, now),
  )
  const isCounted = and(isPending, replace ? ne(invitations.email, email) : undefined)!
  return {
    isNoMember: not(isMemberByEmail(organizationId, email)),
    isNotInvited: not(rowExists(invitations, and(isPending, eq(invitations.email, email)))),
    isStillPending:
      again === null
        ? sql`true`
        : rowExists(
            invitations,
            and(
              eq(invitations.id, again.id),
              eq(invitations.status, 'pending'),
              sql`${invitations.role} is ${again.role}`,
            ),
          ),
    teamExists: teamId === null ? sql`true` : rowExists(teams, eq(teams.id, teamId)),
    isBelowLimit: fewerThan(invitations, isCounted, limit),
  }
}

/**
 * Adds an invitation, or changes a pending one that is sent again: a webhook with its new expiry follows too.
 * @param replace cancels the earlier pending ones to the same address
 */
export function addInvitation(
  scope: Scope,
  work: Work,
  invitation: Invitation,
  { replace, again }: { replace: boolean; again: Invitation | null },
): void {
  const { id, organizationId, email, role, teamId, inviterId, expiresAt } = invitation
  const changes = { role, teamId, inviterId, expiresAt }
  work.run(
    again
      ? scope.db.update(invitations).set(changes).where(eq(invitations.id, id))
      : scope.db.insert(invitations).values(invitation),
  )
  if (replace) {
    const earlier = and(
      eq(invitations.organizationId, organizationId),
      eq(invitations.email, email),
      eq(invitations.status, 'pending'),
      ne(invitations.id, id),
    )!
    cancelInvitations(scope, work, earlier)
  }
  announceInvitations(scope, work, 'invitation.created', eq(invitations.id, id), { facts: invitation })
}
