import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { pictureErrors } from '../../identity/pictures/pictures.errors.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { guessErrors } from '../../identity/verifications/guesses.errors.ts'
import { boundedRecord } from '../../kit/bounded-record.ts'
import { imageInput, nameInput } from '../../kit/inputs.ts'
import { fitsAsMetadata, metadataBytes } from '../../kit/metadata.ts'
import { listOf, pageQuery } from '../../kit/page.ts'
import type { Roles } from '../../kit/permissions.ts'
import { minutes, seconds } from '../../kit/time.ts'
import { invitationsContract } from './invitations/invitations.contract.ts'
import { membersContract } from './members/members.contract.ts'
import {
  fullOrganizationAnswer,
  idInput,
  memberAnswer,
  optionalOrganization,
  organizationAnswer,
} from './model/membership.schemas.ts'
import { changingErrors, organizationErrors as errors } from './organization.errors.ts'
import { rolesContract } from './roles/roles.contract.ts'

const organizationName = nameInput.min(1).max(128)

/** Part of addresses: no white space, no invisible characters and no text with a meaning in a URL, such as `..`. */
const slugInput = z
  .string()
  .min(1)
  .max(64)
  .regex(
    /^(?!\.{1,2}$)[^\s\p{Cc}\p{Cf}/\\?#%]+$/u,
    'no spaces, slashes or other signs that cannot be seen or mean something in an address',
  )

const metadataInput = boundedRecord(z.string().max(metadataBytes), z.unknown(), 1000).refine(
  fitsAsMetadata,
  `at most ${metadataBytes} bytes`,
)

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { organization: true; teams: boolean }
  lifetimes: { invitation: number }
  organization: {
    roles: Roles
    /** The role of the user who creates an organization. */
    creatorRole: string
    deletable: boolean
    creatable: boolean
    /** The target of the link of an invitation, with `id` in its query. */
    invitationPage: string
  }
}

export const organizationContract = {
  createOrganization: post('/organization/create', {
    summary: 'Creates an organization with the caller as owner and sets it as the active organization of the session',
    access: 'session',
    input: {
      body: z.object({
        name: organizationName,
        slug: slugInput,
        /** Ignored: over HTTP the caller is the owner. Servers name another user (organization.operations.ts). */
        userId: z.unknown().optional(),
        logo: imageInput.nullish(),
        metadata: metadataInput.nullish(),
        keepCurrentActiveOrganization: z.boolean().optional(),
      }),
    },
    answer: organizationAnswer.extend({
      metadata: z.record(z.string(), z.unknown()).optional(),
      members: z.array(memberAnswer).max(1),
    }),
    errors: [
      core.UNAUTHORIZED,
      errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION,
      errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS,
      errors.ORGANIZATION_ALREADY_EXISTS,
    ],
    budget: { d1: 2, durable: 1, read: 300 },
    limits: { rate: { max: 20, window: seconds(60) } },
    changes: ['organization', 'session'],
    audit: 'organization.create',
  }),
  checkSlug: post('/organization/check-slug', {
    summary: 'Checks whether a slug is available',
    access: 'session',
    input: { body: z.object({ slug: slugInput }) },
    answer: z.object({ status: z.literal(true) }),
    errors: [core.UNAUTHORIZED, errors.SLUG_IS_TAKEN],
    budget: { d1: 2 },
    changes: [],
  }),
  updateOrganization: post('/organization/update', {
    summary: 'Updates the name, slug, logo or metadata of an organization; null clears logo and metadata',
    access: 'session',
    input: {
      body: z.object({
        data: z.object({
          name: organizationName.optional(),
          slug: slugInput.optional(),
          logo: imageInput.nullish(),
          metadata: metadataInput.nullish(),
        }),
        organizationId: optionalOrganization,
      }),
    },
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
    audit: 'organization.update',
    limits: { creates: false },
  }),
  uploadLogo: post('/organization/logo', {
    summary: 'Uploads a logo for an organization: WebP, at most 256 pixels wide and high, at most 32 KiB',
    access: 'session',
    input: { body: z.object({ webp: z.base64().max(64 * 1024), organizationId: optionalOrganization }) },
    answer: organizationAnswer,
    errors: [
      core.UNAUTHORIZED,
      errors.ORGANIZATION_NOT_FOUND,
      changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION,
      pictureErrors.NOT_A_PICTURE,
      pictureErrors.PICTURE_TOO_LARGE,
      guessErrors.TOO_MANY_REQUESTS,
    ],
    limits: { rate: { max: 10, window: minutes(10) } },
    budget: { d1: 3, durable: 1 },
    changes: ['organization'],
    audit: 'organization.logo',
  }),
  readLogo: get('/organization/logo/:name', {
    summary: 'Returns an uploaded logo by its unguessable name',
    access: 'visitor',
    input: { params: z.object({ name: z.string().max(64) }) },
    answer: 'page',
    errors: [pictureErrors.NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
  deleteOrganization: post('/organization/delete', {
    summary: 'Deletes an organization with its members, invitations and teams',
    access: 'recent-authentication',
    input: { body: z.object({ organizationId: idInput.min(1) }) },
    answer: organizationAnswer,
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      changingErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION,
    ],
    budget: { d1: 3, read: 200, written: 80 },
    changes: ['organization', 'session'],
    audit: 'organization.delete',
    limits: { creates: 'ends' },
  }),
  setActiveOrganization: post('/organization/set-active', {
    summary: 'Sets the active organization of the session; null clears it',
    access: 'session',
    input: { body: z.object({ organizationId: idInput.nullish(), organizationSlug: z.string().max(64).optional() }) },
    answer: fullOrganizationAnswer.nullable(),
    errors: [core.UNAUTHORIZED, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION],
    budget: { d1: 2, read: 80 },
    changes: ['session'],
    audit: 'organization.set-active',
    limits: { creates: false },
  }),
  getFullOrganization: get('/organization/get-full-organization', {
    summary:
      'Returns an organization with its members, invitations and teams; null without an id, slug or active organization',
    access: 'session',
    input: {
      query: z.object({ organizationId: optionalOrganization, organizationSlug: z.string().max(64).optional() }),
    },
    answer: fullOrganizationAnswer.nullable(),
    errors: [core.UNAUTHORIZED, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION],
    budget: { d1: 1, read: 2600 },
    changes: [],
  }),
  listOrganizations: get('/organization/list', {
    summary: 'Lists the organizations of the caller, without metadata',
    access: 'session',
    input: { query: z.object(pageQuery) },
    answer: listOf(organizationAnswer.omit({ metadata: true })),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 1600 },
    changes: [],
    reads: { replica: true },
  }),
  ...membersContract,
  ...invitationsContract,
  ...rolesContract,
}
