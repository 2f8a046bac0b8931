import * as z from 'zod'
import { operation } from '../../../http/operations.ts'
import { listOf, pageOf, pageQuery } from '../../../kit/page.ts'
import { read } from '../../../platform/statements.ts'
import { adminErrors } from '../../admin/admin.errors.ts'
import { invitationErrors } from '../invitations/invitations.errors.ts'
import { cancelAnyInvitation } from '../invitations/invitations.ts'
import { idInput, invitationAnswer, memberWithUserAnswer, organizationAnswer } from '../model/membership.schemas.ts'
import { presentInvitation, presentMember, presentOrganization } from '../model/present-membership.ts'
import { organizationContract } from '../organization.contract.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { administrationContract as contract } from './administration.contract.ts'
import { administrationErrors as errors } from './administration.errors.ts'
import {
  deleteAnyOrganization,
  invitationsOfAny,
  membersOfAny,
  organizationReads,
  organizationsRead,
  presentForAdministrator,
  presentOrganizations,
  removeOrganizationMember,
  transferOrganization,
  updateAnyOrganization,
  updateOrganizationMember,
} from './administration.ts'

const id = idInput.min(1)
const status = z.object({ status: z.literal(true) })
const done = { status: true } as const
const changing = [errors.ORGANIZATION_NOT_FOUND, errors.THE_ORGANIZATION_HAS_CHANGED_IN_THE_MEANTIME] as const
const ofOrganization = z.object({ organizationId: id, ...pageQuery })

/** The audit log records each change. */
export const administrationOperations = {
  listOrganizations: operation(
    {
      summary: 'Lists organizations, newest first, or those whose name or slug begins with `search`.',
      permission: 'organizations:read',
      input: contract.listAllOrganizations.input.query,
      answer: contract.listAllOrganizations.answer,
      errors: [adminErrors.INVALID_CURSOR],
      budget: { d1: 1 },
      changes: [],
    },
    async (scope, query) => presentOrganizations(await organizationsRead(scope, query), query),
  ),
  getOrganization: operation(
    {
      summary: 'Returns an organization with its members, teams and pending invitations.',
      permission: 'organizations:read',
      input: contract.getOrganization.input.query,
      answer: contract.getOrganization.answer,
      errors: [errors.ORGANIZATION_NOT_FOUND],
      budget: { d1: 1 },
      changes: [],
    },
    async (scope, query) => presentForAdministrator(scope, await read(scope.db, organizationReads(scope, query.id))),
  ),
  updateOrganization: operation(
    {
      summary: 'Updates the name, slug, logo or metadata of an organization; null clears logo and metadata.',
      permission: 'organizations:write',
      input: organizationContract.updateOrganization.input.body.extend({ organizationId: id }),
      answer: organizationAnswer,
      errors: [...changing, shared.ORGANIZATION_ALREADY_EXISTS],
      budget: { d1: 3 },
      changes: ['organization'],
      audit: 'server.update-organization',
    },
    async (scope, { organizationId, data }) =>
      presentOrganization(await updateAnyOrganization(scope, null, organizationId, data)),
  ),
  deleteOrganization: operation(
    {
      limits: { whenFull: 'ends' },
      summary: 'Deletes an organization with its members, invitations and teams.',
      permission: 'organizations:write',
      input: contract.deleteAnyOrganization.input.body,
      answer: status,
      errors: [...changing],
      budget: { d1: 3 },
      changes: ['organization', 'session'],
      audit: 'server.delete-organization',
    },
    async (scope, { organizationId }) => {
      await deleteAnyOrganization(scope, null, organizationId)
      return done
    },
  ),
  transferOrganization: operation(
    {
      limits: { whenFull: 'secures' },
      summary: 'Makes a member the owner in place of the present one, who becomes `formerRole`.',
      permission: 'members:write',
      input: contract.transferOrganization.input.body,
      answer: contract.transferOrganization.answer,
      errors: [
        ...changing,
        shared.MEMBER_NOT_FOUND,
        errors.MEMBER_IS_ALREADY_AN_OWNER,
        errors.FORMER_OWNER_IS_REQUIRED,
      ],
      budget: { d1: 3 },
      changes: ['member'],
      audit: 'server.transfer-organization',
    },
    async (scope, input) => presentMember(scope, await transferOrganization(scope, null, input)),
  ),
  listMembers: operation(
    {
      summary: 'Lists the members of an organization with their users, oldest first.',
      permission: 'members:read',
      input: ofOrganization,
      answer: z.object({ members: listOf(memberWithUserAnswer) }),
      errors: [errors.ORGANIZATION_NOT_FOUND],
      budget: { d1: 1 },
      changes: [],
    },
    async (scope, { organizationId, ...page }) => ({
      members: await membersOfAny(scope, organizationId, pageOf(page)),
    }),
  ),
  updateMember: operation(
    {
      limits: { whenFull: 'secures' },
      summary: 'Changes the roles of a member. One owner remains.',
      permission: 'members:write',
      input: contract.updateOrganizationMember.input.body,
      answer: contract.updateOrganizationMember.answer,
      errors: [...changing, shared.MEMBER_NOT_FOUND, shared.ROLE_NOT_FOUND, errors.THE_LAST_OWNER_MUST_REMAIN],
      budget: { d1: 3 },
      changes: ['member'],
      audit: 'server.update-member',
    },
    async (scope, change) => presentMember(scope, await updateOrganizationMember(scope, null, change)),
  ),
  removeMember: operation(
    {
      limits: { whenFull: 'ends' },
      summary: 'Removes a member. One owner remains.',
      permission: 'members:write',
      input: contract.removeOrganizationMember.input.body,
      answer: status,
      errors: [...changing, shared.MEMBER_NOT_FOUND, errors.THE_LAST_OWNER_MUST_REMAIN],
      budget: { d1: 3 },
      changes: ['member', 'session'],
      audit: 'server.remove-member',
    },
    async (scope, choice) => {
      await removeOrganizationMember(scope, null, choice)
      return done
    },
  ),
  listInvitations: operation(
    {
      summary: 'Lists the invitations of an organization: pending ones first, then the newest.',
      permission: 'invitations:read',
      input: ofOrganization,
      answer: z.object({ invitations: listOf(invitationAnswer) }),
      errors: [errors.ORGANIZATION_NOT_FOUND],
      budget: { d1: 1 },
      changes: [],
    },
    async (scope, { organizationId, ...page }) => ({
      invitations: await invitationsOfAny(scope, organizationId, pageOf(page)),
    }),
  ),
  cancelInvitation: operation(
    {
      limits: { whenFull: 'ends' },
      summary: 'Cancels a pending invitation.',
      permission: 'invitations:write',
      input: z.object({ organizationId: id, invitationId: id }),
      answer: invitationAnswer,
      errors: [invitationErrors.INVITATION_NOT_FOUND],
      budget: { d1: 2 },
      changes: ['invitation'],
      audit: 'server.cancel-invitation',
    },
    async (scope, { organizationId, invitationId }) =>
      presentInvitation(scope, await cancelAnyInvitation(scope, organizationId, invitationId)),
  ),
}
