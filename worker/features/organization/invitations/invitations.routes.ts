import type { Handlers } from '../../../http/routes.ts'
import { presentInvitation, presentMember } from '../present-organization.ts'
import type { invitationsContract } from './invitations.contract.ts'
import { acceptInvitation, cancelInvitation, listInvitations, readInvitation, rejectInvitation } from './invitations.ts'
import { inviteMember } from './invite.ts'

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
  listInvitations: async ({ scope, caller, query }) =>
    (await listInvitations(scope, caller, query.organizationId)).map((one) => presentInvitation(scope, one)),
}
