import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import type { Condition } from '../../../platform/statements.ts'
import { invitations } from './invitations.table.ts'
import { hasRole } from './membership.store.ts'

/**
 * For a batch: cancels the pending invitations of somebody who could no longer make them.
 * @param outOfReach the roles with which they can invite nobody; `all` when they can invite nobody at all
 * @param when what has to hold at this place of the batch
 */
export const endInvitations = (
  db: Database,
  {
    organizationId,
    inviterId,
    outOfReach,
  }: { organizationId: string; inviterId: string; outOfReach: string[] | 'all' },
  when: Condition,
) =>
  db
    .update(invitations)
    .set({ status: 'canceled' })
    .where(
      and(
        eq(invitations.organizationId, organizationId),
        eq(invitations.inviterId, inviterId),
        eq(invitations.status, 'pending'),
        outOfReach === 'all' ? undefined : hasAnyRole(outOfReach),
        when,
      ),
    )

const invitedRoles: SQL = sql`coalesce(${invitations.role}, 'member')`

const hasAnyRole = (roles: string[]): Condition =>
  sql`exists (select 1 from json_each(${JSON.stringify(roles)}) where ${hasRole(invitedRoles, sql`value`)})`
