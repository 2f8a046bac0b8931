import * as z from 'zod'
import { operation } from '../../http/operations.ts'
import { emailInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { createOrganizationFor } from './create-organization.ts'
import { invitationErrors } from './invitations/invitations.errors.ts'
import { inviteMemberFor } from './invitations/invite.ts'
import { memberErrors } from './members/members.errors.ts'
import { addMember } from './members/members.ts'
import { idInput, invitationAnswer, memberAnswer, organizationAnswer, roleInput } from './model/membership.schemas.ts'
import { presentInvitation, presentMember, presentOrganization } from './model/present-membership.ts'
import { organizationContract } from './organization.contract.ts'
import { organizationErrors as errors } from './organization.errors.ts'

const { name, slug, logo, metadata } = organizationContract.createOrganization.input.body.shape
const id = idInput.min(1)

export const organizationOperations = {
  createOrganization: operation(
    {
      summary: 'Creates an organization with a user as its owner.',
      permission: 'organizations:write',
      input: z.object({ userId: id, name, slug, logo, metadata }),
      answer: organizationAnswer.extend({ members: z.array(memberAnswer).max(1) }),
      errors: [
        core.USER_NOT_FOUND,
        errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION,
        errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS,
        errors.ORGANIZATION_ALREADY_EXISTS,
      ],
      budget: { d1: 3 },
      changes: ['organization'],
      audit: 'server.create-organization',
    },
    async (scope, { userId, ...input }) => {
      const { organization, creator } = await createOrganizationFor(scope, userId, input)
      return { ...presentOrganization(organization), members: [presentMember(scope, creator)] }
    },
  ),
  addMember: operation(
    {
      summary: 'Makes a user a member of an organization without an invitation.',
      permission: 'members:write',
      input: z.object({ organizationId: idInput, userId: id, role: roleInput, teamId: id.optional() }),
      answer: memberAnswer,
      errors: [
        errors.ROLE_NOT_FOUND,
        errors.NO_ACTIVE_ORGANIZATION,
        errors.TEAMS_ARE_NOT_ENABLED,
        errors.ORGANIZATION_NOT_FOUND,
        memberErrors.USER_NOT_FOUND,
        errors.TEAM_NOT_FOUND,
        errors.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED,
        errors.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION,
      ],
      budget: { d1: 3 },
      changes: ['member'],
      audit: 'server.add-member',
    },
    async (scope, input) => presentMember(scope, await addMember(scope, input)),
  ),
  createInvitation: operation(
    {
      summary:
        'Invites the owner of an address to an organization and mails the link. `inviterId`: the member who invites; their role must permit it. `resend` sends a pending invitation again.',
      permission: 'invitations:write',
      input: z.object({
        organizationId: id,
        inviterId: id,
        email: emailInput,
        role: roleInput,
        resend: z.boolean().optional(),
        teamId: id.optional(),
      }),
      answer: invitationAnswer,
      errors: [
        errors.ROLE_NOT_FOUND,
        core.USER_NOT_FOUND,
        errors.MEMBER_NOT_FOUND,
        invitationErrors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION,
        invitationErrors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE,
        core.EMAIL_NOT_VERIFIED,
        errors.TEAMS_ARE_NOT_ENABLED,
        errors.TEAM_NOT_FOUND,
        errors.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION,
        invitationErrors.USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION,
        invitationErrors.INVITATION_LIMIT_REACHED,
        guessErrors.TOO_MANY_REQUESTS,
      ],
      budget: { d1: 4, durable: 5 },
      changes: ['invitation'],
      audit: 'server.create-invitation',
    },
    async (scope, { inviterId, ...input }) => presentInvitation(scope, await inviteMemberFor(scope, inviterId, input)),
  ),
}
