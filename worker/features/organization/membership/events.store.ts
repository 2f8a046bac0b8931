import { type Column, type SQL, sql } from 'drizzle-orm'
import type { EventType } from '../../../identity/events/events.ts'
import { record } from '../../../identity/events/record.ts'
import type { Scope } from '../../../identity/scope.ts'
import { users } from '../../../identity/users/users.table.ts'
import { jsonOf } from '../../../platform/json-sql.ts'
import type { Condition, Statement } from '../../../platform/statements.ts'
import { type InvitationStatus, invitations } from './invitations.table.ts'
import { members } from './members.table.ts'
import { organizationOptions } from './membership.config.ts'
import { organizations } from './organizations.table.ts'

/** What is told of organizations, their members and invitations; for batches, see `record`. */

type TypeOf<Subject extends string> = Extract<EventType, `${Subject}.${string}`>

const organization: SQL = jsonOf({
  id: organizations.id,
  name: organizations.name,
  slug: organizations.slug,
  logo: organizations.logo,
  metadata: organizations.metadata,
  createdAt: organizations.createdAt,
})

const team = (scope: Scope, teamId: Column): Record<string, Column> =>
  organizationOptions.of(scope).teams.enabled ? { teamId } : {}

/** @param which as a condition on the table of organizations */
export const recordOrganizations = (scope: Scope, type: TypeOf<'organization'>, which: Condition): Statement[] =>
  record(scope, type, () => ({
    subject: sql`${organizations.id}`,
    data: { organization },
    from: sql`${organizations}`,
    where: which,
  }))

/**
 * @param which as a condition on the tables of members, organizations and users
 * @param role as it will be, where the same batch is about to change it
 */
export const recordMembers = (scope: Scope, type: TypeOf<'member'>, which: Condition, role?: string): Statement[] =>
  record(scope, type, () => ({
    subject: sql`${organizations.id}`,
    data: {
      organization,
      member: jsonOf({
        id: members.id,
        organizationId: members.organizationId,
        userId: members.userId,
        role: role === undefined ? members.role : sql`${role}`,
        ...team(scope, members.teamId),
        createdAt: members.createdAt,
      }),
      user: jsonOf({ id: users.id, name: users.name, email: users.email, image: users.image }),
    },
    from: sql`${members}
      inner join ${organizations} on ${organizations.id} = ${members.organizationId}
      inner join ${users} on ${users.id} = ${members.userId}`,
    where: which,
  }))

/**
 * The id of an invitation is a secret and is not told.
 * @param which as a condition on the table of invitations
 * @param status as it will be, where the same batch is about to change it
 */
export const recordInvitations = (
  scope: Scope,
  type: TypeOf<'invitation'>,
  which: Condition,
  status?: InvitationStatus,
): Statement[] =>
  record(scope, type, () => ({
    subject: sql`${organizations.id}`,
    data: {
      organization,
      invitation: jsonOf({
        organizationId: invitations.organizationId,
        email: invitations.email,
        role: invitations.role,
        ...team(scope, invitations.teamId),
        status: status === undefined ? invitations.status : sql`${status}`,
        inviterId: invitations.inviterId,
        expiresAt: invitations.expiresAt,
        createdAt: invitations.createdAt,
      }),
    },
    from: sql`${invitations} inner join ${organizations} on ${organizations.id} = ${invitations.organizationId}`,
    where: which,
  }))
