import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../../identity/scope.ts'
import type { Condition, Statement } from '../../../platform/statements.ts'
import { recordInvitations } from './events.store.ts'
import { invitations } from './invitations.table.ts'
import { hasRole } from './membership.store.ts'

/**
 * For a batch: cancels the pending invitations of somebody who could no longer make them.
 * @param outOfReach the roles with which they can invite nobody; `all` when they can invite nobody at all
 * @param when what has to hold at this place of the batch
 */
export function endInvitations(
  scope: Scope,
  {
    organizationId,
    inviterId,
    outOfReach,
  }: { organizationId: string; inviterId: string; outOfReach: string[] | 'all' },
  when: Condition,
): Statement[] {
  const those = and(
    eq(invitations.organizationId, organizationId),
    eq(invitations.inviterId, inviterId),
    eq(invitations.status, 'pending'),
    outOfReach === 'all' ? undefined : hasAnyRole(outOfReach),
    when,
  )!
  return cancelStatements(scope, those)
}

/** For a batch: cancels the pending invitations to an address, by which whoever is removed could come back. */
export const endInvitationsTo = (
  scope: Scope,
  { organizationId, email }: { organizationId: string; email: SQL },
  when: Condition,
): Statement[] =>
  cancelStatements(
    scope,
    and(
      eq(invitations.organizationId, organizationId),
      eq(invitations.email, email),
      eq(invitations.status, 'pending'),
      when,
    )!,
  )

/** For a batch: takes invitations back. @param those as a condition on their table */
export const cancelStatements = (scope: Scope, those: Condition): Statement[] => [
  ...recordInvitations(scope, 'invitation.canceled', those, 'canceled'),
  scope.db.update(invitations).set({ status: 'canceled' }).where(those),
]

const invitedRoles: SQL = sql`coalesce(${invitations.role}, 'member')`

const hasAnyRole = (roles: string[]): Condition =>
  sql`exists (select 1 from json_each(${JSON.stringify(roles)}) where ${hasRole(invitedRoles, sql`value`)})`
