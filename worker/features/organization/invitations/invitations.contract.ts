import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { emailInput } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { guessErrors } from '../../../identity/verifications/guesses.errors.ts'
import {
  idInput,
  invitationAnswer,
  memberAnswer,
  optionalOrganization,
  roleInput,
} from '../membership/membership.answers.ts'
import { organizationErrors as shared } from '../membership/membership.errors.ts'
import { invitationErrors as errors } from './invitations.errors.ts'

const byId = z.object({ invitationId: idInput })
const byIdQuery = z.object({ id: idInput })

export const invitationsContract = {
  inviteMember: endpoint({
    method: 'POST',
    path: '/organization/invite-member',
    summary: 'Invites somebody by mail; `resend` invites again who is already invited',
    access: 'own-session',
    body: z.object({
      email: emailInput,
      role: roleInput,
      organizationId: optionalOrganization,
      resend: z.boolean().optional(),
      teamId: idInput.optional(),
    }),
    answer: invitationAnswer,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      shared.ROLE_NOT_FOUND,
      shared.ORGANIZATION_NOT_FOUND,
      shared.MEMBER_NOT_FOUND,
      errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE,
      shared.TEAMS_ARE_NOT_ENABLED,
      shared.TEAM_NOT_FOUND,
      shared.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION,
      errors.USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION,
      errors.INVITATION_LIMIT_REACHED,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    budget: { d1: 3, durable: 2 },
    changes: ['invitation'],
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/organization/accept-invitation',
    summary: 'Becomes a member, and makes the organization the active one',
    access: 'own-session',
    body: byId,
    answer: z.object({ invitation: invitationAnswer, member: memberAnswer }),
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      errors.INVITATION_NOT_FOUND,
      errors.FAILED_TO_RETRIEVE_INVITATION,
      errors.YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION,
      errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION,
      core.EMAIL_NOT_VERIFIED,
      shared.ROLE_NOT_FOUND,
      shared.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION,
      shared.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED,
    ],
    budget: { d1: 3 },
    changes: ['member', 'invitation', 'session'],
  }),
  rejectInvitation: endpoint({
    method: 'POST',
    path: '/organization/reject-invitation',
    summary: 'Turns an invitation down',
    access: 'own-session',
    body: byId,
    answer: z.object({ invitation: invitationAnswer, member: z.null() }),
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      errors.INVITATION_NOT_FOUND,
      errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION,
      errors.YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION,
    ],
    budget: { d1: 3 },
    changes: ['invitation'],
  }),
  cancelInvitation: endpoint({
    method: 'POST',
    path: '/organization/cancel-invitation',
    summary: 'Takes a pending invitation back',
    access: 'own-session',
    body: byId,
    answer: invitationAnswer,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      errors.INVITATION_NOT_FOUND,
      errors.YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION,
    ],
    budget: { d1: 3 },
    changes: ['invitation'],
  }),
  getInvitation: endpoint({
    method: 'GET',
    path: '/organization/get-invitation',
    summary: 'A pending invitation, for whom it is addressed to',
    // The protocol has a message of its own for those who are not signed in.
    access: 'visitor',
    query: byIdQuery,
    answer: invitationAnswer.extend({
      organizationName: z.string(),
      organizationSlug: z.string(),
      inviterEmail: z.string(),
    }),
    errors: [
      errors.NOT_AUTHENTICATED,
      errors.INVITATION_NOT_FOUND,
      errors.YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION,
      errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION,
    ],
    budget: { d1: 1 },
    changes: [],
  }),
  previewInvitation: endpoint({
    method: 'GET',
    path: '/organization/invitation-preview',
    summary: 'Who invites whom to what, for whoever has the id of an open invitation, signed in or not',
    access: 'visitor',
    query: byIdQuery,
    answer: z.object({
      email: z.string(),
      role: z.string().nullable(),
      expiresAt: z.date(),
      organizationName: z.string(),
      organizationLogo: z.string().nullable(),
      inviterName: z.string(),
      inviterEmail: z.string(),
    }),
    errors: [errors.INVITATION_NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
  listInvitations: endpoint({
    method: 'GET',
    path: '/organization/list-invitations',
    summary: "An organization's invitations, for its members",
    access: 'session',
    query: z.object({ organizationId: optionalOrganization }),
    answer: z.array(invitationAnswer),
    errors: [core.UNAUTHORIZED, shared.ORGANIZATION_ID_IS_REQUIRED, shared.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION],
    budget: { d1: 1 },
    changes: [],
  }),
}
