import type { Caller, Scope } from '../../../identity/scope.ts'
import { coreErrors } from '../../../identity/users/users.errors.ts'
import type { AppError } from '../../../kit/errors.ts'
import { newId } from '../../../kit/random.ts'
import { resendActiveOrganization, showActiveOrganization } from '../membership/active-organization.ts'
import type { Invitation } from '../membership/invitations.table.ts'
import type { Member } from '../membership/members.table.ts'
import { limitOf, organizationOptions } from '../membership/membership.config.ts'
import { organizationErrors as shared } from '../membership/membership.errors.ts'
import { memberExists } from '../membership/membership.store.ts'
import { defaultRole, memberMay, memberMayInvite, requireRoles } from '../membership/membership.ts'
import type { Organization } from '../membership/organizations.table.ts'
import { invitationErrors as errors } from './invitations.errors.ts'
import { acceptedMail } from './invitations.mails.ts'
import * as store from './invitations.store.ts'

type Found = store.InvitationWithContext
type Inviter = NonNullable<Found['inviterMember']>

const isOpen = (scope: Scope, { status, expiresAt }: Invitation) => status === 'pending' && expiresAt > scope.now()

/** The inviter, while they are a member who may grant what they have offered. */
const standingInviter = (scope: Scope, { invitation, inviterMember }: Found): Inviter | null =>
  inviterMember && memberMayInvite(scope, inviterMember, invitation.role) ? inviterMember : null

const isRecipient = ({ user }: Caller, { email }: Invitation) => email.toLowerCase() === user.email.toLowerCase()

/**
 * A pending, unexpired invitation to the caller. Only its recipient learns what became of one that is no longer
 * pending: `reason` in the error's body.
 * @throws INVITATION_NOT_FOUND, YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION,
 *   INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION also when the invitation was canceled for that reason
 */
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

/** @throws see the contract */
export async function readInvitation(scope: Scope, id: string): Promise<Found> {
  const read = await scope.callerWith(() => [store.invitationQuery.statement(scope.db, id)])
  if (!read) throw errors.NOT_AUTHENTICATED()
  const [rows] = read.results as [Parameters<typeof store.invitationQuery.read>[0]]
  const found = requireOwnInvitation(scope, read.caller, store.invitationQuery.read(rows))
  if (!standingInviter(scope, found)) throw errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION()
  return found
}

/**
 * An open invitation, for whoever has its id: the mailed link is what they have to know.
 * @throws INVITATION_NOT_FOUND, which tells nothing of what became of it
 */
export async function previewInvitation(scope: Scope, id: string): Promise<Found> {
  const found = await store.findInvitation(scope.db, id)
  if (!found || !isOpen(scope, found.invitation) || !standingInviter(scope, found)) throw errors.INVITATION_NOT_FOUND()
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
  // 1. What is accepted, by whom, and who has offered it.
  const read = await store.findInvitation(scope.db, id)
  // Whoever repeats a call whose answer was lost has joined already: the cookies follow what is stored.
  if (read?.invitation.status === 'accepted') resendActiveOrganization(scope, caller)
  const found = requireOwnInvitation(scope, caller, read)
  const { invitation, organization } = found
  const inviter = standingInviter(scope, found)
  if (!inviter) throw errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION()
  if (requireEmailVerificationOnInvitation && !user.emailVerified) throw coreErrors.EMAIL_NOT_VERIFIED()
  // Roles may have been taken out of the configuration since the invitation was written.
  const role = requireRoles(scope, invitation.role ?? defaultRole)

  // 2. The statement decides.
  const now = scope.now()
  const { organizationId, teamId } = invitation
  const member = { id: newId(), organizationId, userId: user.id, role, teamId, createdAt: now }
  const limit = await limitOf(membershipLimit, { user, organization })
  const mail = acceptedMail(scope, organization, found.inviter, user, role)
  // Nobody reads a placeholder.
  const tasks = found.inviter.emailIsPlaceholder ? [] : await scope.mailTask(mail, memberExists(scope.db, member.id))
  const accepting = { invitation, member, inviter, limit, sessionId: session.id, now }
  const result = await store.accept(scope, accepting, tasks)
  switch (result.kind) {
    case 'gone':
      throw errors.FAILED_TO_RETRIEVE_INVITATION()
    case 'inviter-gone':
      throw errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION()
    case 'already-member':
      throw shared.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION()
    case 'full':
      throw shared.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED()
    case 'accepted':
      showActiveOrganization(scope, caller, organizationId)
      await accepted(scope, organization, result)
      return result
  }
}

async function accepted(
  scope: Scope,
  organization: Organization,
  { invitation, member }: { invitation: Invitation; member: Member },
): Promise<void> {
  for (const react of scope.lifecycle.invitationAccepted) await react(scope, { organization, invitation, member })
  for (const react of scope.lifecycle.memberAdded) await react(scope, { organization, member })
}

/** @throws see the contract */
export async function rejectInvitation(scope: Scope, caller: Caller, id: string): Promise<Invitation> {
  const { invitation } = requireOwnInvitation(scope, caller, await store.findInvitation(scope.db, id))
  const rejected = await store.settle(scope, invitation.id, 'rejected')
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
  const canceled = await store.cancel(scope, id, found.member)
  if (!canceled) throw errors.INVITATION_NOT_FOUND()
  return canceled
}
