import { and, eq, not, sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Handle, Work } from '../../../identity/work.ts'
import { comparedAddress } from '../../../kit/email-address.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, read, rowExists } from '../../../platform/statements.ts'
import { deactivateInSessions } from '../model/active-organization.store.ts'
import { announceMembers, announceOrganizations } from '../model/events.store.ts'
import { type Member, members } from '../model/members.table.ts'
import {
  hasAnotherOwner,
  type Membership,
  membershipQuery,
  memberWithUser,
  organizationIdFor,
  rolesUnchanged,
} from '../model/membership.store.ts'
import { type Organization, organizations } from '../model/organizations.table.ts'
import {
  cancelInvitationsBy,
  cancelInvitationsOfMember,
  cancelInvitationsTo,
} from '../model/pending-invitations.store.ts'
import type { MemberUser } from '../model/present-membership.ts'
import { teams } from '../model/teams.table.ts'

export interface MemberWithUser {
  member: Member
  user: MemberUser
}

/** The caller's membership and another one of the organization. @param target an address (with @) or a member's id */
export async function findMemberFor(
  db: Database,
  userId: string,
  organizationId: string,
  target: string,
): Promise<{ membership: Membership | null; target: MemberWithUser | null }> {
  const key = { id: organizationId }
  const { membership, found } = await read(db, {
    membership: membershipQuery(db, userId, key),
    found: db
      .select(memberWithUser)
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(
        and(
          eq(members.organizationId, organizationIdFor(db, userId, key)),
          target.includes('@') ? eq(users.email, comparedAddress(target)) : eq(members.id, target),
        ),
      ),
  })
  return { membership: membership[0] ?? null, target: found[0] ?? null }
}

/** The condition of a member's change: the member and the acting member have the roles that were read. */
export interface MemberChange {
  member: Member
  by: Member
  /** The owner role, if the member loses it: an owner must remain. */
  losesOwnership: string | null
}

export const mayChange = ({ member, by, losesOwnership }: MemberChange): Condition =>
  and(
    rolesUnchanged(member),
    rolesUnchanged(by),
    losesOwnership === null ? undefined : hasAnotherOwner(member, losesOwnership),
  )!

/**
 * Removes a member, deactivates the organization in the sessions of the user, and cancels the invitations by the member and
 * to the user. An organization without members is deleted: an administrator may have removed the owner.
 */
export function addRemoval(scope: Scope, work: Work, organization: Organization, member: Member): void {
  const { db } = scope
  const { id, organizationId, userId } = member
  const email = sql`${db.select({ email: users.email }).from(users).where(eq(users.id, userId))}`
  announceMembers(scope, work, 'member.removed', eq(members.id, id), { organization, member })
  work.run(db.delete(members).where(eq(members.id, id)))
  work.run(deactivateInSessions(db, { organizationId, userId }))
  cancelInvitationsBy(scope, work, { organizationId, inviterId: userId, outOfReach: 'all' })
  cancelInvitationsTo(scope, work, { organizationId, email })
  const deserted = and(
    eq(organizations.id, organizationId),
    not(rowExists(members, eq(members.organizationId, organizationId))),
  )!
  announceOrganizations(work, 'organization.deleted', deserted, () => deleted.rows)
  const deleted = work.run(db.delete(organizations).where(deserted).returning())
}

/** Replaces a member's roles, and cancels invitations with roles that are `outOfReach` now. @returns the new row */
export function addRoleChange(
  scope: Scope,
  work: Work,
  { organization, member }: Membership,
  { role, outOfReach }: { role: string; outOfReach: string[] },
): Handle<Member> {
  const { id, organizationId, userId } = member
  const which = eq(members.id, id)
  const facts = () => updated.rows.map((changed) => ({ organization, member: changed }))
  announceMembers(scope, work, 'member.role-changed', { which, role }, facts)
  const updated = work.run(scope.db.update(members).set({ role, roleChangedAt: scope.now() }).where(which).returning())
  cancelInvitationsBy(scope, work, { organizationId, inviterId: userId, outOfReach })
  return updated
}

/** The rows that a new member refers to; null for a missing one. */
export async function findForNewMember(
  db: Database,
  { organizationId, userId, teamId }: { organizationId: string; userId: string; teamId: string | null },
) {
  const found = await read(db, {
    organization: db.select().from(organizations).where(eq(organizations.id, organizationId)),
    user: db.select().from(users).where(eq(users.id, userId)),
    team: db
      .select()
      .from(teams)
      .where(and(eq(teams.organizationId, organizationId), eq(teams.id, teamId ?? ''))),
  })
  return { organization: found.organization[0] ?? null, user: found.user[0] ?? null, team: found.team[0] ?? null }
}

export function addNewMember(scope: Scope, work: Work, { organization, member }: Membership): void {
  work.run(scope.db.insert(members).values(member))
  announceMembers(scope, work, 'member.added', eq(members.id, member.id), { organization, member })
  cancelInvitationsOfMember(scope, work, member.id)
}
