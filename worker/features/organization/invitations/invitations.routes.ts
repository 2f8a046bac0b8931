import { type Handlers, reading } from '../../../http/routes.ts'
import { pageOf } from '../../../kit/page.ts'
import { plainWords } from '../../../kit/plain-words.ts'
import { membershipQuery } from '../model/membership.store.ts'
import { foundMembership } from '../model/membership.ts'
import { presentInvitation, presentMember } from '../model/present-membership.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import type { invitationsContract } from './invitations.contract.ts'
import { inOrder, invitationsQuery } from './invitations.store.ts'
import {
  acceptInvitation,
  cancelInvitation,
  previewInvitation,
  readInvitation,
  rejectInvitation,
} from './invitations.ts'
import { inviteMember } from './invite.ts'
import { showInvitation } from './shown-invitation.ts'

export const invitationHandlers: Handlers<typeof invitationsContract> = {
  inviteMember: async ({ scope, caller, body }) => presentInvitation(scope, await inviteMember(scope, caller, body)),
  acceptInvitation: async ({ scope, caller, body }) => {
    const { invitation, member } = await acceptInvitation(scope, caller, body.invitationId)
    return { invitation: presentInvitation(scope, invitation), member: presentMember(scope, member) }
  },
  rejectInvitation: async ({ scope, caller, body }) => ({
    invitation: presentInvitation(scope, await rejectInvitation(scope, caller, body.invitationId)),
    member: null,
  }),
  cancelInvitation: async ({ scope, caller, body }) =>
    presentInvitation(scope, await cancelInvitation(scope, caller, body.invitationId)),
  getInvitation: async ({ scope, query }) => {
    const { invitation, organization, inviter } = await readInvitation(scope, query.id)
    return {
      ...presentInvitation(scope, invitation),
      organizationName: organization.name,
      organizationSlug: organization.slug,
      inviterEmail: inviter.email,
    }
  },
  previewInvitation: async ({ scope, query }) => {
    const { invitation, organization, inviter } = await previewInvitation(scope, query.id)
    const { email, role, expiresAt } = invitation
    return {
      email,
      role,
      expiresAt,
      organizationName: organization.name,
      organizationLogo: organization.logo,
      inviterName: plainWords(inviter.name),
      inviterEmail: inviter.email,
    }
  },
  listInvitations: reading(
    ({ scope, own, query }) => {
      const key = { id: query.organizationId || own.ofSession('activeOrganizationId') }
      return {
        memberships: membershipQuery(scope.db, own.userId, key),
        invitations: invitationsQuery(scope.db, own.userId, key, pageOf(query)),
      }
    },
    ({ scope, caller, query }, { memberships: [found], invitations }) => {
      const { member } = foundMembership(scope, caller, query.organizationId, found, {
        missing: shared.ORGANIZATION_ID_IS_REQUIRED,
        outside: shared.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION,
      })
      return inOrder(invitations).map((invitation) => showInvitation(scope, caller, member, invitation))
    },
  ),
}
