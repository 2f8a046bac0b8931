import type { User } from '../../../identity/model/users.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Invitation } from './invitations.table.ts'
import type { Member } from './members.table.ts'
import { organizationOptions } from './organization.config.ts'
import type { Organization } from './organizations.table.ts'
import type { Team } from './teams.table.ts'

/** Responses with their keys in the protocol's order; `teamId` only if teams are on. */

export type MemberUser = Pick<User, 'id' | 'name' | 'email' | 'emailIsPlaceholder' | 'image' | 'language'>

const teamOf = (scope: Pick<Scope, 'options'>, teamId: string | null) =>
  organizationOptions.of(scope).teams.enabled ? { teamId } : {}

export const presentOrganization = ({ name, slug, logo, createdAt, metadata, id }: Organization) => ({
  name,
  slug,
  logo,
  createdAt,
  metadata,
  id,
})

export const presentListedOrganization = ({ name, slug, logo, createdAt, id }: Omit<Organization, 'metadata'>) => ({
  name,
  slug,
  logo,
  createdAt,
  id,
})

export const presentMember = (scope: Pick<Scope, 'options'>, member: Member) => ({
  organizationId: member.organizationId,
  userId: member.userId,
  role: member.role,
  ...teamOf(scope, member.teamId),
  createdAt: member.createdAt,
  id: member.id,
})

export const presentMemberWithUser = (scope: Pick<Scope, 'options'>, member: Member, user: MemberUser) => ({
  ...presentMember(scope, member),
  user: { id: user.id, name: user.name, email: user.email, image: user.image },
})

export type PresentedMemberWithUser = ReturnType<typeof presentMemberWithUser>

export const presentInvitation = (scope: Pick<Scope, 'options'>, invitation: Invitation) => ({
  organizationId: invitation.organizationId,
  email: invitation.email,
  role: invitation.role,
  ...teamOf(scope, invitation.teamId),
  status: invitation.status,
  expiresAt: invitation.expiresAt,
  inviterId: invitation.inviterId,
  id: invitation.id,
})

export const presentTeam = ({ name, organizationId, createdAt, updatedAt, id }: Team) => ({
  name,
  organizationId,
  createdAt,
  updatedAt,
  id,
})

export type PresentedTeam = ReturnType<typeof presentTeam>
