import type { Caller, Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { coreErrors } from '../../../identity/users/users.errors.ts'
import type { AppError } from '../../../kit/errors.ts'
import { newId } from '../../../kit/random.ts'
import { resendActiveOrganization, showActiveOrganization } from '../model/active-organization.ts'
import type { Invitation } from '../model/invitations.table.ts'
import type { Member } from '../model/members.table.ts'
import { hasFewerMembers, rolesUnchanged } from '../model/membership.store.ts'
import { defaultRole, memberMay, memberMayInvite, originFields, requireMemberRoles } from '../model/membership.ts'
import { organizationOptions } from '../model/organization.config.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { invitationErrors as errors } from './invitations.errors.ts'
import { acceptedMail } from './invitations.mails.ts'
import * as store from './invitations.store.ts'

type Found = store.InvitationWithContext
type Inviter = NonNullable<Found['inviterMember']>

const isOpen = (scope: Scope, { status, expiresAt }: Invitation) => status === 'pending' && expiresAt > scope.now()

/** The inviter's membership, while it permits the invitation. */
const currentInviter = (scope: Scope, { invitation, inviterMember }: Found): Inviter | null =>
  inviterMember && memberMayInvite(scope, inviterMember, invitation.role) ? inviterMember : null

const isRecipient = ({ user }: Caller, { email }: Invitation) => email.toLowerCase() === user.email.toLowerCase()

/** Requires a pending invitation to the caller. Only the recipient gets any other state, as `reason` of the error. */
function requireOwnInvitation(scope: Scope, caller: Caller, found: Found | null): Found {
  if (!found) throw errors.INVITATION_NOT_FOUND()
  const { invitation, inviterMember } = found
  if (isRecipient(caller, invitation)) {
    if (isOpen(scope, invitation)) return found
    throw noLongerOpen(invitation, inviterMember)
  }
  throw isOpen(scope, invitation) ? errors.YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION() : errors.INVITATION_NOT_FOUND()
}

function noLongerOpen({ status }: Invitation, inviterMember: Inviter | null): AppError {
  if (status === 'canceled' && !inviterMember) return errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION()
  return errors.INVITATION_NOT_FOUND({ extra: { reason: status === 'pending' ? 'expired' : status } })
}

export async function readInvitation(scope: Scope, id: string): Promise<Found> {
  const read = await scope.callerWith(() => ({ invitations: store.invitationQuery.statement(scope.db, id) }))
  if (!read) throw errors.NOT_AUTHENTICATED()
  const found = requireOwnInvitation(scope, read.caller, store.invitationQuery.read(read.rows.invitations))
  if (!currentInviter(scope, found)) throw errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION()
  return found
}

/** An open invitation for any visitor with its id, the secret of the mailed link. @throws INVITATION_NOT_FOUND */
export async function previewInvitation(scope: Scope, id: string): Promise<Found> {
  const found = await store.findInvitation(scope.db, id)
  if (!found || !isOpen(scope, found.invitation) || !currentInviter(scope, found)) throw errors.INVITATION_NOT_FOUND()
  return found
}

export async function acceptInvitation(
  scope: Scope,
  caller: Caller,
  id: string,
): Promise<{ invitation: Invitation; member: Member }> {
  const { requireEmailVerificationOnInvitation } = organizationOptions.of(scope)
  const { user, session } = caller
  // 1. The invitation, its recipient and its inviter.
  const read = await store.findInvitation(scope.db, id)
  // A repeated call whose first response was lost: the cookies follow the stored state.
  if (read?.invitation.status === 'accepted') resendActiveOrganization(scope, caller)
  const found = requireOwnInvitation(scope, caller, read)
  const { invitation, organization } = found
  const inviter = currentInviter(scope, found)
  if (!inviter) throw errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION()
  if (requireEmailVerificationOnInvitation && !user.emailVerified) throw coreErrors.EMAIL_NOT_VERIFIED()
  // Roles may have been removed from the configuration since the invitation was written.
  const role = requireMemberRoles(scope, invitation.role ?? defaultRole)

  // 2. The batch decides.
  const now = scope.now()
  const { organizationId, teamId } = invitation
  const granted = originFields('invitation', invitation.inviterId)
  const member = { id: newId(), organizationId, userId: user.id, role, teamId, createdAt: now, ...granted }
  const conditions = store.acceptanceConditions(invitation, user.id, now)
  const work = unitOfWork(scope)
  work.require(conditions.isPending, errors.FAILED_TO_RETRIEVE_INVITATION)
  work.require(conditions.isNoMember, shared.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION)
  work.require(rolesUnchanged(inviter), errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION)
  work.require(await hasFewerMembers(scope, { user, organization }), shared.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED)
  work.audit({ organizationId, subjectId: user.id, after: { role, teamId, invitedBy: invitation.inviterId } })
  const accepted = store.addAcceptance(scope, work, { invitation, organization, member, sessionId: session.id })
  // A placeholder address reaches no mailbox.
  if (!found.inviter.emailIsPlaceholder) {
    work.defer('mail', await acceptedMail(scope, organization, found.inviter, user, role))
  }
  await work.commit(() => showActiveOrganization(scope, caller, organizationId))
  return { invitation: accepted.invitation.row!, member: accepted.member.row! }
}

export async function rejectInvitation(scope: Scope, caller: Caller, id: string): Promise<Invitation> {
  const { invitation } = requireOwnInvitation(scope, caller, await store.findInvitation(scope.db, id))
  const work = unitOfWork(scope)
  const { organizationId, email, role } = invitation
  work.audit({ organizationId, subjectType: 'invitation', subjectId: null, before: { email, role } })
  const rejected = store.addRejection(scope, work, invitation.id).orFail(errors.INVITATION_NOT_FOUND)
  await work.commit()
  return rejected.row
}

export async function cancelInvitation(scope: Scope, caller: Caller, id: string): Promise<Invitation> {
  const found = await store.findInvitationFor(scope.db, caller.user.id, id)
  if (!found) throw errors.INVITATION_NOT_FOUND()
  if (!memberMay(scope, found.member, { invitation: ['cancel'] })) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION()
  }
  const work = unitOfWork(scope)
  const { organizationId, email, role } = found.invitation
  work.audit({ organizationId, subjectType: 'invitation', subjectId: null, before: { email, role } })
  const canceled = store.addCancellation(scope, work, id, found.member).orFail(errors.INVITATION_NOT_FOUND)
  await work.commit()
  return canceled.row
}

/** Cancels a pending invitation for a server. @throws INVITATION_NOT_FOUND */
export async function cancelAnyInvitation(scope: Scope, organizationId: string, id: string): Promise<Invitation> {
  const work = unitOfWork(scope)
  work.audit({ organizationId, subjectType: 'invitation', subjectId: null })
  const canceled = store.addCancellation(scope, work, id, { organizationId }).orFail(errors.INVITATION_NOT_FOUND)
  await work.commit()
  return canceled.row
}
