import { and, eq, type SQL, sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Work } from '../../../identity/work.ts'
import { type Condition, listContains, rowExists } from '../../../platform/statements.ts'
import { announceInvitations } from './events.store.ts'
import { invitations } from './invitations.table.ts'
import { members } from './members.table.ts'

/** Cancels the invitations that a member may no longer make. @param outOfReach the roles, or `all` */
export const cancelInvitationsBy = (
  scope: Scope,
  work: Work,
  {
    organizationId,
    inviterId,
    outOfReach,
  }: { organizationId: string; inviterId: string; outOfReach: string[] | 'all' },
): void =>
  cancelInvitations(
    scope,
    work,
    and(
      isPendingIn(organizationId),
      eq(invitations.inviterId, inviterId),
      outOfReach === 'all' ? undefined : hasAnyRole(outOfReach),
    )!,
  )

/** The same for all members with exactly this role. */
export const cancelInvitationsByRole = (
  scope: Scope,
  work: Work,
  { organizationId, role, outOfReach }: { organizationId: string; role: string; outOfReach: string[] },
): void =>
  cancelInvitations(
    scope,
    work,
    and(
      isPendingIn(organizationId),
      hasAnyRole(outOfReach),
      rowExists(
        members,
        and(
          eq(members.organizationId, organizationId),
          eq(members.userId, invitations.inviterId),
          eq(members.role, role),
        ),
      ),
    )!,
  )

/** Cancels the pending invitations to an address, with which a removed member could return. */
export const cancelInvitationsTo = (
  scope: Scope,
  work: Work,
  { organizationId, email }: { organizationId: string; email: SQL },
): void => cancelInvitations(scope, work, and(isPendingIn(organizationId), eq(invitations.email, email))!)

/** Cancels the pending invitations to the address of a new member, however the user has joined. */
export const cancelInvitationsOfMember = (scope: Scope, work: Work, memberId: string): void =>
  cancelInvitations(
    scope,
    work,
    and(
      eq(invitations.status, 'pending'),
      sql`${invitations.organizationId} = (select ${members.organizationId} from ${members} where ${members.id} = ${memberId})`,
      sql`${invitations.email} = (select ${users.email} from ${members} inner join ${users} on ${users.id} = ${members.userId}
        where ${members.id} = ${memberId})`,
    )!,
  )

/** @param those a condition on the table of invitations */
export function cancelInvitations(scope: Scope, work: Work, those: Condition): void {
  announceInvitations(scope, work, 'invitation.canceled', those, { status: 'canceled' })
  work.run(scope.db.update(invitations).set({ status: 'canceled' }).where(those))
}

const isPendingIn = (organizationId: string) =>
  and(eq(invitations.organizationId, organizationId), eq(invitations.status, 'pending'))

const invitedRoles: SQL = sql`coalesce(${invitations.role}, 'member')`

const hasAnyRole = (roles: string[]): Condition =>
  sql`exists (select 1 from json_each(${JSON.stringify(roles)}) where ${listContains(invitedRoles, sql`value`)})`
