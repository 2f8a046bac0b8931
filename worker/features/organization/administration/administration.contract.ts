import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { listOf } from '../../../kit/page.ts'
import { adminErrors } from '../../admin/admin.errors.ts'
import {
  idInput,
  maxMembers,
  memberAnswer,
  memberWithUserAnswer,
  organizationAnswer,
  roleInput,
  teamAnswer,
} from '../model/membership.schemas.ts'
import { grantsOrganizationAdministration } from '../model/organization.config.ts'
import { organizationErrors as shared } from '../organization.errors.ts'
import { administrationErrors as errors } from './administration.errors.ts'

const id = idInput.min(1)

const listing = {
  admin: { organization: ['list'] },
  refusal: errors.YOU_ARE_NOT_ALLOWED_TO_LIST_ORGANIZATIONS,
} as const
const updating = {
  admin: { organization: ['update'] },
  refusal: errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_ORGANIZATIONS,
} as const

/** The errors of every change by an administrator. */
const changing = [
  core.UNAUTHORIZED,
  errors.ORGANIZATION_NOT_FOUND,
  errors.THE_ORGANIZATION_HAS_CHANGED_IN_THE_MEANTIME,
] as const

const counted = organizationAnswer.omit({ metadata: true }).extend({
  /** The count stops at 1000. */
  memberCount: z.number(),
})

/** An invitation without its id, which is a secret of the recipient. */
const pendingInvitation = z.object({
  email: z.string(),
  role: z.string().nullable(),
  teamId: z.string().nullable(),
  inviterName: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
})

export const administrationContract = {
  listAllOrganizations: get('/admin/list-organizations', {
    summary: 'Lists the organizations of all users, newest first, or searches them',
    access: listing,
    input: {
      query: z.object({
        /**
         * The beginning of a name or slug, or a whole id. It replaces the order and pages: organizations by name, at most
         * `limit`.
         */
        search: z.string().trim().max(128).optional(),
        limit: z.coerce.number<number | string>().int().min(1).max(200).optional(),
        /** The `nextCursor` of the previous page. */
        cursor: z.string().max(512).optional(),
      }),
    },
    answer: z.object({
      organizations: z.array(counted).max(200),
      nextCursor: z.string().nullable(),
      /** More organizations match the search than `limit`. */
      moreMatch: z.boolean(),
    }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_ORGANIZATIONS, adminErrors.INVALID_CURSOR],
    budget: { d1: 1 },
    changes: [],
  }),
  getOrganization: get('/admin/get-organization', {
    summary: 'Returns any organization with its members, owners first, its teams and its pending invitations',
    access: listing,
    input: { query: z.object({ id }) },
    answer: counted.extend({
      members: z.array(memberWithUserAnswer).max(maxMembers),
      teams: listOf(teamAnswer).nullable(),
      invitations: listOf(pendingInvitation),
    }),
    errors: [core.UNAUTHORIZED, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_ORGANIZATIONS, errors.ORGANIZATION_NOT_FOUND],
    budget: { d1: 1, read: 4500 },
    changes: [],
  }),
  updateOrganizationMember: post('/admin/update-organization-member', {
    summary: 'Updates the roles of a member of any organization; one owner remains',
    access: updating,
    accessRules: { recentFor: grantsOrganizationAdministration },
    input: { body: z.object({ organizationId: id, memberId: id, role: roleInput }) },
    answer: memberAnswer,
    errors: [
      ...changing,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_ORGANIZATIONS,
      shared.MEMBER_NOT_FOUND,
      shared.ROLE_NOT_FOUND,
      errors.THE_LAST_OWNER_MUST_REMAIN,
    ],
    budget: { d1: 3 },
    changes: ['member'],
    audit: 'admin.update-organization-member',
    limits: { whenFull: 'secures', creates: false },
  }),
  removeOrganizationMember: post('/admin/remove-organization-member', {
    summary: 'Removes a member from any organization; one owner remains',
    access: updating,
    input: { body: z.object({ organizationId: id, memberId: id }) },
    answer: z.object({ success: z.literal(true) }),
    errors: [
      ...changing,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_ORGANIZATIONS,
      shared.MEMBER_NOT_FOUND,
      errors.THE_LAST_OWNER_MUST_REMAIN,
    ],
    budget: { d1: 3, read: 150 },
    changes: ['member', 'session'],
    audit: 'admin.remove-organization-member',
    limits: { creates: 'ends' },
  }),
  transferOrganization: post('/admin/transfer-organization', {
    summary: 'Makes a member the owner of an organization in place of its present owner',
    access: updating,
    accessRules: { recentFor: () => true },
    input: {
      body: z.object({
        organizationId: id,
        /** The new owner. */
        memberId: id,
        /** The former owner, by member id. Required if the organization has several. */
        from: id.optional(),
        /** The role of the former owner afterwards. */
        formerRole: z.enum(['admin', 'member']),
      }),
    },
    answer: memberAnswer,
    errors: [
      ...changing,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_ORGANIZATIONS,
      shared.MEMBER_NOT_FOUND,
      errors.MEMBER_IS_ALREADY_AN_OWNER,
      errors.FORMER_OWNER_IS_REQUIRED,
    ],
    budget: { d1: 3 },
    changes: ['member'],
    audit: 'admin.transfer-organization',
    limits: { whenFull: 'secures', creates: false },
  }),
  deleteAnyOrganization: post('/admin/delete-organization', {
    summary: 'Deletes any organization with its members, invitations and teams',
    access: {
      admin: { organization: ['delete'] },
      refusal: errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_ORGANIZATIONS,
    },
    accessRules: { recentFor: () => true },
    input: { body: z.object({ organizationId: id }) },
    answer: z.object({ success: z.literal(true) }),
    errors: [...changing, errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_ORGANIZATIONS],
    budget: { d1: 3, read: 200, written: 80 },
    changes: ['organization', 'session'],
    audit: 'admin.delete-organization',
    limits: { creates: 'ends' },
  }),
}
