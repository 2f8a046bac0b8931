import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { emailInput } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { guessErrors } from '../../../identity/verifications/guesses.errors.ts'
import { listOf, pageQuery } from '../../../kit/page.ts'
import { seconds } from '../../../kit/time.ts'
import {
  idInput,
  invitationAnswer,
  memberAnswer,
  optionalOrganization,
  roleInput,
} from '../model/membership.schemas.ts'
import { grantsOrganizationAdministration } from '../model/organization.config.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { invitationErrors as errors } from './invitations.errors.ts'

const byId = z.object({ invitationId: idInput })
const byIdQuery = z.object({ id: idInput })

export const invitationsContract = {
  inviteMember: post('/organization/invite-member', {
    summary: 'Invites a user by mail; `resend` sends a pending invitation again',
    access: 'own-session',
    accessRules: { recentFor: grantsOrganizationAdministration },
    input: {
      body: z.object({
        email: emailInput,
        role: roleInput,
        organizationId: optionalOrganization,
        resend: z.boolean().optional(),
        teamId: idInput.optional(),
      }),
    },
    answer: invitationAnswer,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      shared.ROLE_NOT_FOUND,
      shared.ORGANIZATION_NOT_FOUND,
      shared.MEMBER_NOT_FOUND,
      errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE,
      core.EMAIL_NOT_VERIFIED,
      shared.TEAMS_ARE_NOT_ENABLED,
      shared.TEAM_NOT_FOUND,
      shared.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION,
      errors.USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION,
      errors.INVITATION_NOT_FOUND,
      errors.INVITATION_LIMIT_REACHED,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    // One of the Durable Objects only for an inviter without a verified address.
    budget: { d1: 3, durable: 6, read: 250 },
    limits: { rate: { max: 30, window: seconds(60) } },
    changes: ['invitation'],
    audit: 'organization.invite-member',
  }),
  acceptInvitation: post('/organization/accept-invitation', {
    summary: 'Accepts an invitation and sets the active organization of the session',
    access: 'own-session',
    input: { body: byId },
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
    budget: { d1: 3, durable: 1, read: 300 },
    limits: { rate: { max: 30, window: seconds(60) } },
    changes: ['member', 'invitation', 'session'],
    audit: 'organization.accept-invitation',
  }),
  rejectInvitation: post('/organization/reject-invitation', {
    summary: 'Rejects an invitation',
    access: 'own-session',
    input: { body: byId },
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
    audit: 'organization.reject-invitation',
    limits: { creates: 'ends' },
  }),
  cancelInvitation: post('/organization/cancel-invitation', {
    summary: 'Cancels a pending invitation',
    access: 'own-session',
    input: { body: byId },
    answer: invitationAnswer,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      errors.INVITATION_NOT_FOUND,
      errors.YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION,
    ],
    budget: { d1: 3 },
    changes: ['invitation'],
    audit: 'organization.cancel-invitation',
    limits: { creates: 'ends' },
  }),
  getInvitation: get('/organization/get-invitation', {
    summary: 'Returns a pending invitation to its recipient',
    // The protocol has a specific error for visitors.
    access: 'visitor',
    input: { query: byIdQuery },
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
  previewInvitation: get('/organization/invitation-preview', {
    summary: 'Returns the organization, inviter and recipient of a pending invitation to a visitor who has its id',
    access: 'visitor',
    input: { query: byIdQuery },
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
  listInvitations: get('/organization/list-invitations', {
    summary: 'Lists the invitations of an organization',
    access: 'session',
    input: { query: z.object({ organizationId: optionalOrganization, ...pageQuery }) },
    answer: listOf(invitationAnswer),
    errors: [core.UNAUTHORIZED, shared.ORGANIZATION_ID_IS_REQUIRED, shared.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION],
    budget: { d1: 1, read: 1100 },
    changes: [],
  }),
}
