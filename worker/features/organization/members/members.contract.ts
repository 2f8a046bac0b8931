import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import {
  idInput,
  memberAnswer,
  memberWithUserAnswer,
  optionalOrganization,
  roleInput,
} from '../model/membership.schemas.ts'
import { grantsOrganizationAdministration } from '../model/organization.config.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { memberErrors as errors } from './members.errors.ts'

export const membersContract = {
  getActiveMember: get('/organization/get-active-member', {
    summary: "Returns the caller's membership in the active organization",
    access: 'session',
    answer: memberWithUserAnswer,
    errors: [core.UNAUTHORIZED, shared.NO_ACTIVE_ORGANIZATION, shared.MEMBER_NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
  removeMember: post('/organization/remove-member', {
    summary: 'Removes a member by id or email address',
    access: 'own-session',
    input: { body: z.object({ memberIdOrEmail: z.string().min(1).max(254), organizationId: optionalOrganization }) },
    answer: z.object({ member: memberWithUserAnswer }),
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      shared.NO_ACTIVE_ORGANIZATION,
      shared.MEMBER_NOT_FOUND,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER,
      errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
    ],
    budget: { d1: 3, read: 150 },
    changes: ['member', 'session'],
    audit: 'organization.remove-member',
    limits: { creates: 'ends' },
  }),
  updateMemberRole: post('/organization/update-member-role', {
    summary: 'Updates the roles of a member',
    access: 'own-session',
    accessRules: { recentFor: grantsOrganizationAdministration },
    input: { body: z.object({ role: roleInput, memberId: idInput, organizationId: optionalOrganization }) },
    answer: memberAnswer,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      shared.ROLE_NOT_FOUND,
      shared.NO_ACTIVE_ORGANIZATION,
      shared.MEMBER_NOT_FOUND,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER,
      errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
    ],
    budget: { d1: 3 },
    changes: ['member'],
    audit: 'organization.update-member-role',
    limits: { whenFull: 'secures', creates: false },
  }),
  leaveOrganization: post('/organization/leave', {
    summary: 'Removes the caller from an organization',
    access: 'own-session',
    input: { body: z.object({ organizationId: idInput.min(1) }) },
    answer: memberWithUserAnswer,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      shared.MEMBER_NOT_FOUND,
      errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
    ],
    budget: { d1: 3, read: 200 },
    changes: ['member', 'session'],
    audit: 'organization.leave',
    limits: { creates: 'ends' },
  }),
}
