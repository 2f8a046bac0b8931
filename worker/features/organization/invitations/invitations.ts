import type { Caller, Scope } from '../../../identity/scope.ts'
import { coreErrors } from '../../../identity/users/users.errors.ts'
import { newId } from '../../../kit/random.ts'
import { showActiveOrganization } from '../active-organization.ts'
import type { Member } from '../members/members.table.ts'
import { meantOrganization, memberMay, outsider, requireRoles } from '../membership.ts'
import { limitOf, organizationOptions } from '../organization.config.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { invitationErrors as errors } from './invitations.errors.ts'
import { mailAccepted } from './invitations.mails.ts'
import * as store from './invitations.store.ts'
import type { Invitation } from './invitations.table.ts'

/**
 * A pending, unexpired invitation to the caller. Only its recipient learns what became of one that is no longer
 * pending: `reason` in the error's body.
 * @throws INVITATION_NOT_FOUND, YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION
 */
async function requireOwnInvitation(scope: Scope, caller: Caller, id: string): Promise<store.InvitationWithContext> {
  const found = await store.findInvitation(scope.db, id)
  if (!found) throw errors.INVITATION_NOT_FOUND()
  const { email, status, expiresAt } = found.invitation
  const isRecipient = email.toLowerCase() === caller.user.email.toLowerCase()
  const isOpen = status === 'pending' && expiresAt > scope.now()
  if (isOpen && isRecipient) return found
  if (isOpen) throw errors.YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION()
  throw errors.INVITATION_NOT_FOUND(isRecipient ? { extra: { reason: status === 'pending' ? 'expired' : status } } : {})
}

/** @throws see the contract */
export async function readInvitation(scope: Scope, id: string): Promise<store.InvitationWithContext> {
  const caller = await scope.caller()
  if (!caller) throw errors.NOT_AUTHENTICATED()
  const found = await requireOwnInvitation(scope, caller, id)
  if (!found.inviterIsMember) throw errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION()
  return found
}

/** @throws see the contract */
export async function acceptInvitation(
  scope: Scope,
  caller: Caller,
  id: string,
): Promise<{ invitation: Invitation; member: Member }> {
  const { membershipLimit, requireEmailVerificationOnInvitation } = organizationOptions.of(scope)
  const { user, session } = caller
  const { invitation, organization, inviter } = await requireOwnInvitation(scope, caller, id)
  if (requireEmailVerificationOnInvitation && !user.emailVerified) throw coreErrors.EMAIL_NOT_VERIFIED()
  // Roles may have been taken out of the configuration since the invitation was written.
  const role = requireRoles(scope, invitation.role ?? 'member')
  const now = scope.now()
  const { organizationId, teamId } = invitation
  const member = { id: newId(), organizationId, userId: user.id, role, teamId, createdAt: now }
  const limit = await limitOf(membershipLimit, { user, organization })
  const result = await store.accept(scope.db, invitation, member, { limit, sessionId: session.id, now })
  switch (result.kind) {
    case 'gone':
      throw errors.FAILED_TO_RETRIEVE_INVITATION()
    case 'already-member':
      throw shared.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION()
    case 'full':
      throw shared.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED()
    case 'accepted':
      showActiveOrganization(scope, caller, organizationId)
      await mailAccepted(scope, organization, inviter, user, role)
      return result
  }
}

/** @throws see the contract */
export async function rejectInvitation(scope: Scope, caller: Caller, id: string): Promise<Invitation> {
  const { invitation } = await requireOwnInvitation(scope, caller, id)
  const rejected = await store.settle(scope.db, invitation.id, 'rejected', scope.now())
  if (!rejected) throw errors.INVITATION_NOT_FOUND()
  return rejected
}

/** @throws see the contract */
export async function cancelInvitation(scope: Scope, caller: Caller, id: string): Promise<Invitation> {
  const found = await store.findInvitationFor(scope.db, caller.user.id, id)
  if (!found) throw errors.INVITATION_NOT_FOUND()
  if (!memberMay(scope, found.member, { invitation: ['cancel'] })) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION()
  }
  const canceled = await store.cancel(scope.db, id, found.member)
  if (!canceled) throw errors.INVITATION_NOT_FOUND()
  return canceled
}

/** @throws ORGANIZATION_ID_IS_REQUIRED, YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION */
export async function listInvitations(scope: Scope, caller: Caller, given: string | undefined): Promise<Invitation[]> {
  const organizationId = meantOrganization(caller, given, shared.ORGANIZATION_ID_IS_REQUIRED)
  const list = await store.listInvitations(scope.db, caller.user.id, organizationId)
  if (!list) throw outsider(scope, caller, organizationId, shared.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION)
  return list
}
