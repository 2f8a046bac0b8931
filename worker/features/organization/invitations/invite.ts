import type { Caller, Scope } from '../../../identity/scope.ts'
import type { User } from '../../../identity/users/users.table.ts'
import type { AppError } from '../../../kit/errors.ts'
import { newId } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import { recordInvitations } from '../membership/events.store.ts'
import type { Invitation } from '../membership/invitations.table.ts'
import { limitOf, organizationOptions } from '../membership/membership.config.ts'
import { organizationErrors as shared } from '../membership/membership.errors.ts'
import type { Membership } from '../membership/membership.store.ts'
import {
  foundMembership,
  meantOrganization,
  memberMay,
  memberMayGrant,
  requireRoles,
} from '../membership/membership.ts'
import { invitationErrors as errors } from './invitations.errors.ts'
import { invitationMail } from './invitations.mails.ts'
import { findInviter, type InvitationObstacles, insertInvitation, isInvitation, isWritten } from './invite.store.ts'
import { withinSendingBudget } from './sending-budget.ts'

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
  const { teams } = organizationOptions.of(scope)
  const { organizationId: given, teamId = null } = input
  // 1. What is asked for, before it is asked who may.
  const role = requireRoles(scope, input.role)
  const refusals = { missing: shared.ORGANIZATION_NOT_FOUND, outside: shared.MEMBER_NOT_FOUND }
  const organizationId = meantOrganization(caller, given, refusals.missing)

  // 2. Who asks, and whether they may.
  const found = await findInviter(scope.db, caller.user.id, organizationId, { teamId, email: input.email })
  const membership = foundMembership(scope, caller, given, found.membership, refusals)
  if (isGuest(caller.user) || !memberMay(scope, membership.member, { invitation: ['create'] })) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION()
  }
  if (!memberMayGrant(scope, membership.member, role)) throw errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE()
  if (teamId !== null && !teams.enabled) throw shared.TEAMS_ARE_NOT_ENABLED()
  if (teamId !== null && !found.hasTeam) throw shared.TEAM_NOT_FOUND()

  // 3. The budgets of mails to strangers, then the writing.
  return withinSendingBudget(scope, { userId: caller.user.id, organizationId }, () =>
    write(scope, caller.user, membership, { ...input, role, teamId, invited: found.invited }),
  )
}

/** Somebody who has proven nothing sends no mails in our name. */
const isGuest = (user: User): boolean => user.isAnonymous && !user.emailVerified && !user.phoneNumberVerified

/** Writes the invitation with its mail. The statement decides about members, pending invitations and the limit. */
async function write(
  scope: Scope,
  inviter: User,
  { organization, member }: Membership,
  {
    email,
    role,
    teamId,
    invited,
    resend = false,
  }: Omit<NewInvitation, 'teamId'> & {
    role: string
    teamId: string | null
    invited: Pick<User, 'language'> | null
  },
): Promise<Invitation> {
  const { invitationExpiresIn, invitationLimit, cancelPendingInvitationsOnReInvite } = organizationOptions.of(scope)
  const createdAt = scope.now()
  const invitation: Invitation = {
    id: newId(),
    organizationId: organization.id,
    email: email.toLowerCase(),
    role,
    teamId,
    status: 'pending',
    expiresAt: after(createdAt, invitationExpiresIn),
    inviterId: inviter.id,
    createdAt,
  }
  const limit = await limitOf(invitationLimit, { user: inviter, organization, member })
  const replace = resend && cancelPendingInvitationsOnReInvite
  const mail = invitationMail(scope, organization, inviter, invitation, invited)
  const tasks = await scope.mailTask(mail, isWritten(scope.db, invitation.id))
  const recorded = recordInvitations(scope, 'invitation.created', isInvitation(invitation.id))
  const rules = { by: member, limit, again: resend, replace }
  const obstacles = await insertInvitation(scope, invitation, rules, [...tasks, ...recorded])
  if (obstacles) throw refusal(obstacles, resend)
  for (const react of scope.lifecycle.invitationCreated) await react(scope, invitation)
  return invitation
}

function refusal(obstacles: InvitationObstacles, resend: boolean): AppError {
  if (obstacles.isMember) return shared.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION()
  if (obstacles.isInvited && !resend) return errors.USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION()
  if (obstacles.hasOtherRoles) return errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION()
  if (obstacles.isTeamGone) return shared.TEAM_NOT_FOUND()
  return errors.INVITATION_LIMIT_REACHED()
}
