import type { User } from '../../../identity/model/users.table.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { isGuest } from '../../../identity/users/guests.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { findUserById } from '../../../identity/users/users.store.ts'
import { comparedAddress } from '../../../kit/email-address.ts'
import { newId } from '../../../kit/random.ts'
import { after } from '../../../kit/time.ts'
import type { Invitation } from '../model/invitations.table.ts'
import { type Membership, rolesUnchanged } from '../model/membership.store.ts'
import {
  defaultRole,
  foundMembership,
  memberMay,
  memberMayGrant,
  requireMemberRoles,
  resolveOrganizationId,
} from '../model/membership.ts'
import { organizationOptions, resolveLimit } from '../model/organization.config.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { invitationErrors as errors } from './invitations.errors.ts'
import { invitationMail } from './invitations.mails.ts'
import { addInvitation, findInviter, invitationConditions } from './invite.store.ts'
import { addressNotVerified, withinSendingBudget } from './sending-budget.ts'

export interface NewInvitation {
  email: string
  role: string | string[]
  organizationId?: string | undefined
  resend?: boolean | undefined
  teamId?: string | undefined
}

/** Invites the owner of an address to an organization and mails the link. */
export async function inviteMember(scope: Scope, caller: Caller, input: NewInvitation): Promise<Invitation> {
  const { organizationId: given, teamId = null, email } = input
  const role = requireMemberRoles(scope, input.role)
  const refusals = { missing: shared.ORGANIZATION_NOT_FOUND, outside: shared.MEMBER_NOT_FOUND }
  const organizationId = resolveOrganizationId(caller, given, refusals.missing)
  const found = await findInviter(scope.db, caller.user.id, organizationId, { teamId, email })
  const membership = foundMembership(scope, caller, given, found.membership, refusals)
  return invite(scope, caller.user, { ...found, membership }, { ...input, role })
}

/** The same for a server, in the name of a member. @throws USER_NOT_FOUND, MEMBER_NOT_FOUND */
export async function inviteMemberFor(
  scope: Scope,
  inviterId: string,
  input: NewInvitation & { organizationId: string },
): Promise<Invitation> {
  const { organizationId, teamId = null, email } = input
  const role = requireMemberRoles(scope, input.role)
  const inviter = await findUserById(scope.db, inviterId)
  if (!inviter) throw core.USER_NOT_FOUND()
  const found = await findInviter(scope.db, inviterId, organizationId, { teamId, email })
  if (!found.membership) throw shared.MEMBER_NOT_FOUND()
  return invite(scope, inviter, { ...found, membership: found.membership }, { ...input, role })
}

/** Decides by the role of the inviter, and within the budgets of mails. */
async function invite(
  scope: Scope,
  inviter: User,
  { membership, hasTeam, invited, pending }: Awaited<ReturnType<typeof findInviter>> & { membership: Membership },
  input: NewInvitation & { role: string },
): Promise<Invitation> {
  const { teams } = organizationOptions.of(scope)
  const { teamId = null, role } = input
  const { member, organization } = membership
  // A guest has proven no address and must not send mails in the name of the product.
  if (isGuest(inviter) || !memberMay(scope, member, { invitation: ['create'] })) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION()
  }
  // An invitation that is sent again gets the new role in place of its own.
  const roles = input.resend && pending ? [role, pending.role ?? defaultRole] : [role]
  if (!roles.every((one) => memberMayGrant(scope, member, one))) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE()
  }
  // An invitation is a mail with text of its sender. An account is free; a proven mailbox is not.
  if (!inviter.emailVerified && scope.settings.profile === 'strict') throw addressNotVerified(scope)
  if (teamId !== null && !teams.enabled) throw shared.TEAMS_ARE_NOT_ENABLED()
  if (teamId !== null && !hasTeam) throw shared.TEAM_NOT_FOUND()
  return withinSendingBudget(scope, { inviter, organizationId: organization.id }, () =>
    write(scope, inviter, membership, { ...input, role, teamId, invited, pending }),
  )
}

/** Writes the invitation with its mail. The batch decides about members, pending invitations and the limit. */
async function write(
  scope: Scope,
  inviter: User,
  { organization, member }: Membership,
  {
    email,
    role,
    teamId,
    invited,
    pending,
    resend = false,
  }: Omit<NewInvitation, 'teamId'> & {
    role: string
    teamId: string | null
    invited: Pick<User, 'language'> | null
    pending: Invitation | null
  },
): Promise<Invitation> {
  const { invitationExpiresIn, invitationLimit, cancelPendingInvitationsOnReInvite } = organizationOptions.of(scope)
  const now = scope.now()
  // The option asks for a new invitation in place of the earlier one.
  const again = resend && !cancelPendingInvitationsOnReInvite ? pending : null
  const invitation: Invitation = {
    id: again?.id ?? newId(),
    organizationId: organization.id,
    email: comparedAddress(email),
    role,
    teamId,
    status: 'pending',
    expiresAt: after(now, invitationExpiresIn),
    inviterId: inviter.id,
    createdAt: again?.createdAt ?? now,
  }
  const limit = await resolveLimit(invitationLimit, { user: inviter, organization, member })
  const replace = resend && (cancelPendingInvitationsOnReInvite || again !== null)
  const conditions = invitationConditions(invitation, { limit, replace, again, now })
  const work = unitOfWork(scope)
  work.require(conditions.isNoMember, shared.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION)
  if (!replace) work.require(conditions.isNotInvited, errors.USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION)
  work.require(conditions.isStillPending, errors.INVITATION_NOT_FOUND)
  work.require(rolesUnchanged(member), errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION)
  work.require(conditions.teamExists, shared.TEAM_NOT_FOUND)
  work.require(conditions.isBelowLimit, errors.INVITATION_LIMIT_REACHED)
  const written = { email: invitation.email, role, teamId, expiresAt: invitation.expiresAt }
  work.audit({ organizationId: organization.id, subjectType: 'invitation', subjectId: null, after: written })
  addInvitation(scope, work, invitation, { replace, again })
  work.defer('mail', await invitationMail(scope, organization, inviter, invitation, invited))
  await work.commit()
  return invitation
}
