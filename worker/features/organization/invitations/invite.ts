import type { Caller, Scope } from '../../../identity/scope.ts'
import { newId } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { isOwner, meantOrganization, memberMay, outsider, requireRoles } from '../membership.ts'
import { limitOf, organizationOptions } from '../organization.config.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { invitationErrors as errors } from './invitations.errors.ts'
import { mailInvitation } from './invitations.mails.ts'
import { findInviter, insertInvitation } from './invitations.store.ts'
import type { Invitation } from './invitations.table.ts'

export interface NewInvitation {
  email: string
  role: string | string[]
  organizationId?: string | undefined
  resend?: boolean | undefined
  teamId?: string | undefined
}

/**
 * Invites somebody to an organization and mails them the link.
 * @throws see the contract
 */
export async function inviteMember(scope: Scope, caller: Caller, input: NewInvitation): Promise<Invitation> {
  const { invitationExpiresIn, invitationLimit, cancelPendingInvitationsOnReInvite, teams } =
    organizationOptions.of(scope)
  const { resend = false, teamId = null } = input
  // 1. What is asked for, before it is asked who may.
  const role = requireRoles(scope, input.role)
  const organizationId = meantOrganization(caller, input.organizationId, shared.ORGANIZATION_NOT_FOUND)

  // 2. Who asks.
  const { membership, hasTeam } = await findInviter(scope.db, caller.user.id, organizationId, teamId)
  if (!membership) throw outsider(scope, caller, organizationId, shared.MEMBER_NOT_FOUND)
  const { organization, member } = membership
  if (!memberMay(scope, member, { invitation: ['create'] })) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION()
  }
  if (isOwner(scope, role) && !isOwner(scope, member.role)) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE()
  }
  if (teamId !== null && !teams.enabled) throw shared.TEAMS_ARE_NOT_ENABLED()
  if (teamId !== null && !hasTeam) throw shared.TEAM_NOT_FOUND()

  // 3. The statement decides about members, invitations that are pending, and room.
  const createdAt = scope.now()
  const invitation: Invitation = {
    id: newId(),
    organizationId,
    email: input.email.toLowerCase(),
    role,
    teamId,
    status: 'pending',
    expiresAt: after(createdAt, invitationExpiresIn),
    inviterId: caller.user.id,
    createdAt,
  }
  const limit = await limitOf(invitationLimit, { user: caller.user, organization, member })
  const replace = resend && cancelPendingInvitationsOnReInvite
  const obstacles = await insertInvitation(scope.db, invitation, { by: member, limit, again: resend, replace })
  if (obstacles?.isMember) throw shared.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION()
  if (obstacles?.isInvited && !resend) throw errors.USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION()
  if (obstacles) throw errors.INVITATION_LIMIT_REACHED()

  await mailInvitation(scope, organization, caller.user, invitation)
  return invitation
}
