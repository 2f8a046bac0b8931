import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { urlInput } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { invitationsContract } from './invitations/invitations.contract.ts'
import { membersContract } from './members/members.contract.ts'
import {
  fullOrganizationAnswer,
  idInput,
  memberAnswer,
  optionalOrganization,
  organizationAnswer,
} from './membership/membership.answers.ts'
import { changingErrors, organizationErrors as errors } from './membership/membership.errors.ts'
import { rolesContract } from './roles/roles.contract.ts'

const nameInput = z.string().trim().min(1).max(128)

/** Stands in addresses as it is: no white space, nothing invisible, nothing that a URL gives a meaning, as `..`. */
const slugInput = z
  .string()
  .min(1)
  .max(64)
  .regex(
    /^(?!\.{1,2}$)[^\s\p{Cc}\p{Cf}/\\?#%]+$/u,
    'no spaces, slashes or other signs that cannot be seen or mean something in an address',
  )

const metadataInput = z
  .record(z.string(), z.unknown())
  .refine((metadata) => JSON.stringify(metadata).length <= 16_384, 'at most 16 KiB')

export const organizationContract = {
  createOrganization: endpoint({
    method: 'POST',
    path: '/organization/create',
    summary: 'Creates an organization with the caller as its owner, and makes it their active one',
    access: 'session',
    body: z.object({
      name: nameInput,
      slug: slugInput,
      /** Taken from servers only (organization.rpc.ts); over HTTP the organization is always the caller's. */
      userId: z.unknown().optional(),
      logo: urlInput.nullish(),
      metadata: metadataInput.nullish(),
      keepCurrentActiveOrganization: z.boolean().optional(),
    }),
    answer: organizationAnswer.extend({
      metadata: z.record(z.string(), z.unknown()).optional(),
      members: z.array(memberAnswer),
    }),
    errors: [
      core.UNAUTHORIZED,
      errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION,
      errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS,
      errors.ORGANIZATION_ALREADY_EXISTS,
    ],
    budget: { d1: 2 },
    changes: ['organization', 'session'],
  }),
  checkSlug: endpoint({
    method: 'POST',
    path: '/organization/check-slug',
    summary: 'Whether a slug is free',
    access: 'session',
    body: z.object({ slug: slugInput }),
    answer: z.object({ status: z.literal(true) }),
    errors: [core.UNAUTHORIZED, errors.SLUG_IS_TAKEN],
    budget: { d1: 2 },
    changes: [],
  }),
  updateOrganization: endpoint({
    method: 'POST',
    path: '/organization/update',
    summary: 'Changes name, slug, logo or metadata; null empties logo and metadata',
    access: 'session',
    body: z.object({
      data: z.object({
        name: nameInput.optional(),
        slug: slugInput.optional(),
        logo: urlInput.nullish(),
        metadata: metadataInput.nullish(),
      }),
      organizationId: optionalOrganization,
    }),
    answer: organizationAnswer,
    errors: [
      core.UNAUTHORIZED,
      errors.ORGANIZATION_NOT_FOUND,
      changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION,
      errors.ORGANIZATION_ALREADY_EXISTS,
    ],
    budget: { d1: 3 },
    changes: ['organization'],
  }),
  deleteOrganization: endpoint({
    method: 'POST',
    path: '/organization/delete',
    summary: 'Deletes an organization with its members, invitations and teams',
    access: 'own-session',
    body: z.object({ organizationId: idInput.min(1) }),
    answer: organizationAnswer,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION,
    ],
    budget: { d1: 3 },
    changes: ['organization', 'session'],
  }),
  setActiveOrganization: endpoint({
    method: 'POST',
    path: '/organization/set-active',
    summary: "Chooses the session's active organization; null for none",
    access: 'session',
    body: z.object({ organizationId: idInput.nullish(), organizationSlug: z.string().max(64).optional() }),
    answer: fullOrganizationAnswer.nullable(),
    errors: [core.UNAUTHORIZED, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION],
    budget: { d1: 2 },
    changes: ['session'],
  }),
  getFullOrganization: endpoint({
    method: 'GET',
    path: '/organization/get-full-organization',
    summary: 'An organization with its members, invitations and teams; null when none is named and none is active',
    access: 'session',
    query: z.object({ organizationId: optionalOrganization, organizationSlug: z.string().max(64).optional() }),
    answer: fullOrganizationAnswer.nullable(),
    errors: [core.UNAUTHORIZED, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION],
    budget: { d1: 1 },
    changes: [],
  }),
  listOrganizations: endpoint({
    method: 'GET',
    path: '/organization/list',
    summary: "The caller's organizations",
    access: 'session',
    answer: z.array(organizationAnswer),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  ...membersContract,
  ...invitationsContract,
  ...rolesContract,
}
