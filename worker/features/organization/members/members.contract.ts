import * as z from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { httpErrors } from '../../../http/http.errors.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import {
  idInput,
  memberAnswer,
  memberWithUserAnswer,
  optionalOrganization,
  roleInput,
} from '../membership/membership.answers.ts'
import { organizationErrors as shared } from '../membership/membership.errors.ts'
import { memberErrors as errors } from './members.errors.ts'

export const membersContract = {
  getActiveMember: endpoint({
    method: 'GET',
    path: '/organization/get-active-member',
    summary: 'The caller as a member of the active organization',
    access: 'session',
    answer: memberWithUserAnswer,
    errors: [core.UNAUTHORIZED, shared.NO_ACTIVE_ORGANIZATION, shared.MEMBER_NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
  removeMember: endpoint({
    method: 'POST',
    path: '/organization/remove-member',
    summary: 'Removes a member, by id or by address',
    access: 'own-session',
    body: z.object({ memberIdOrEmail: z.string().min(1).max(254), organizationId: optionalOrganization }),
    answer: z.object({ member: memberWithUserAnswer }),
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      shared.NO_ACTIVE_ORGANIZATION,
      shared.MEMBER_NOT_FOUND,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER,
      errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
    ],
    budget: { d1: 3 },
    changes: ['member', 'session'],
  }),
  updateMemberRole: endpoint({
    method: 'POST',
    path: '/organization/update-member-role',
    summary: "Changes a member's roles",
    access: 'own-session',
    body: z.object({ role: roleInput, memberId: idInput, organizationId: optionalOrganization }),
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
  }),
  leaveOrganization: endpoint({
    method: 'POST',
    path: '/organization/leave',
    summary: 'Leaves an organization',
    access: 'own-session',
    body: z.object({ organizationId: idInput.min(1) }),
    answer: memberWithUserAnswer,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      shared.MEMBER_NOT_FOUND,
      errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
    ],
    budget: { d1: 3 },
    changes: ['member', 'session'],
  }),
}
