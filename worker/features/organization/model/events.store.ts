import { type Column, type SQL, sql } from 'drizzle-orm'
import type { EventType, FactsOf } from '../../../identity/model/events.ts'
import { users } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Work } from '../../../identity/work.ts'
import { jsonOf } from '../../../platform/json-sql.ts'
import type { Condition } from '../../../platform/statements.ts'
import { type InvitationStatus, invitations } from './invitations.table.ts'
import { members } from './members.table.ts'
import { organizationOptions } from './organization.config.ts'
import { organizations } from './organizations.table.ts'

/** Events of organizations, their members and invitations, see `announce` in identity/work.ts. */

type TypeOf<Subject extends string> = Extract<EventType, `${Subject}.${string}`>
type Facts<E extends EventType> = FactsOf[E] | (() => readonly FactsOf[E][])

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

/** @param which a condition on the table of organizations */
export const announceOrganizations = <E extends TypeOf<'organization'>>(
  work: Work,
  type: E,
  which: Condition,
  facts: Facts<E>,
): void =>
  work.announce(
    type,
    () => ({ subject: sql`${organizations.id}`, data: { organization }, from: sql`${organizations}`, where: which }),
    facts,
  )

/** @param of a condition on members, organizations and users; `role`: new roles that a later statement sets */
export const announceMembers = <E extends TypeOf<'member'>>(
  scope: Scope,
  work: Work,
  type: E,
  of: Condition | { which: Condition; role: string },
  facts: Facts<E>,
): void => {
  const { which, role } = 'role' in of ? of : { which: of, role: undefined }
  work.announce(
    type,
    () => ({
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
    }),
    facts,
  )
}

/**
 * The id of an invitation is a secret and not part of the event. @param which a condition on invitations
 * @param status the new status, where a later statement of the batch changes it
 */
export const announceInvitations = <E extends TypeOf<'invitation'>>(
  scope: Scope,
  work: Work,
  type: E,
  which: Condition,
  { status, facts }: { status?: InvitationStatus; facts?: Facts<E> },
): void =>
  work.announce(
    type,
    () => ({
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
    }),
    facts,
  )
