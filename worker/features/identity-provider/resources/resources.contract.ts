import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { boundedRecord } from '../../../kit/bounded-record.ts'
import { nameInput } from '../../../kit/inputs.ts'
import { listOf } from '../../../kit/page.ts'
import { days, minutes } from '../../../kit/time.ts'
import { organizationErrors } from '../../organization/organization.errors.ts'
import { scopeName, tokenFormats } from '../identifiers.ts'
import { identityProviderErrors as errors } from '../identity-provider.errors.ts'
import { claimNames } from '../model/protocol/requested-claims.ts'
import { maxResources } from '../model/protocol/resources.table.ts'

const id = z.string().min(1).max(64)
const organizationId = z.string().min(1).max(64)

const maxScopes = 50

/** What an administrator can change. */
const properties = {
  name: nameInput.min(1).max(100),
  /** The scopes that only its tokens have, each with the words that the consent page shows. */
  scopes: boundedRecord(scopeName().max(100), nameInput.min(1).max(200), maxScopes),
  /** Seconds, at most an hour for JWTs; null: the lifetime of this server. */
  accessTokenExpiresIn: z.int().min(60).max(days(1)).nullable(),
  /** Client ids: these may introspect its tokens. */
  introspectedBy: z.array(z.string().min(1).max(512)).max(10),
  /** Claims of its JWTs about the user. A token has those of its scopes, such as `email` with the scope of this name. */
  claims: z.array(z.enum(claimNames)).max(20).default([]),
}

const resourceAnswer = z
  .object({
    id: z.string(),
    identifier: z.string(),
    name: z.string(),
    /** Null: the resource of the deployment. */
    organizationId: z.string().nullable(),
    scopes: z.record(z.string(), z.string()),
    accessTokenExpiresIn: z.number().nullable(),
    introspectedBy: z.array(z.string()).max(10),
    tokenFormat: z.enum(tokenFormats),
    claims: listOf(z.string()),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'RegisteredResource' })

/** A resource of the configuration, or a registered one, as the pages show it. */
export const shownResource = z
  .object({
    /** Null: the configuration defines it. */
    id: z.string().nullable(),
    /** Null: the configuration has none. */
    name: z.string().nullable(),
    /** Whose it is; null: of the deployment. */
    organization: z.object({ id: z.string(), name: z.string() }).nullable(),
    identifier: z.string(),
    /** Each scope with its words. */
    scopes: z.record(z.string(), z.string()),
    tokenFormat: z.enum(tokenFormats),
    /** Seconds. */
    accessTokenExpiresIn: z.number(),
    /** The same; null: the lifetime of this server. */
    ownLifetime: z.number().nullable(),
    /** Claims of its JWTs about the user. */
    claims: listOf(z.string()),
    /** Whether a function of the configuration adds claims to its JWTs. */
    addsClaims: z.boolean(),
    /** Clients that may introspect its tokens. */
    introspectedBy: listOf(z.string()),
  })
  .meta({ id: 'Resource' })

const managing = {
  access: 'recent-authentication',
  limits: { rate: { max: 30, window: minutes(1) } },
  changes: ['resource'],
} as const

const managingErrors = [
  core.UNAUTHORIZED,
  organizationErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
  organizationErrors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION,
]

const deleted = z.object({ success: z.literal(true) })
const creation = z.object({
  identifier: z.string().min(1).max(500),
  /** `opaque` tokens need introspection; a `jwt` is verified without a request (RFC 9068). It never changes. */
  tokenFormat: z.enum(tokenFormats).default('opaque'),
  ...properties,
})
const creationErrors = [
  errors.INVALID_RESOURCE_IDENTIFIER,
  errors.INVALID_RESOURCE_LIFETIME,
  errors.RESOURCE_EXISTS,
  errors.RESOURCE_SCOPE_EXISTS,
  errors.RESOURCE_LIMIT_REACHED,
]
const changeErrors = [errors.RESOURCE_NOT_FOUND, errors.INVALID_RESOURCE_LIFETIME, errors.RESOURCE_SCOPE_EXISTS]

/** Of an organization: the owner of a scope is part of its name, which the server adds. */
const shortScopes = boundedRecord(scopeName().max(50), nameInput.min(1).max(200), maxScopes)

export const resourcesContract = {
  createResource: post('/admin/create-resource', {
    summary: 'Registers a resource server: an API for which clients can request access tokens',
    access: { admin: { resource: ['create'] } },
    accessRules: { recentFor: () => true },
    input: { body: creation },
    answer: resourceAnswer,
    errors: [core.UNAUTHORIZED, ...creationErrors],
    // The scopes of all resources, of which there are at most 300.
    budget: { d1: 2, read: 1000 },
    changes: ['resource'],
    audit: 'admin.create-resource',
  }),
  updateResource: post('/admin/update-resource', {
    summary:
      'Changes a resource server of the deployment. A scope that it loses leaves opaque tokens; earlier JWTs end',
    access: { admin: { resource: ['update'] } },
    accessRules: { recentFor: () => true },
    input: { body: z.object({ id, ...properties }) },
    answer: resourceAnswer,
    errors: [core.UNAUTHORIZED, ...changeErrors],
    budget: { d1: 2 },
    changes: ['resource'],
    audit: 'admin.update-resource',
  }),
  deleteResource: post('/admin/delete-resource', {
    limits: { whenFull: 'ends' },
    summary: 'Deletes a registered resource server, also that of an organization, and ends all tokens for it',
    access: { admin: { resource: ['delete'] } },
    accessRules: { recentFor: () => true },
    input: { body: z.object({ id }) },
    answer: deleted,
    errors: [core.UNAUTHORIZED, errors.RESOURCE_NOT_FOUND],
    budget: { d1: 2 },
    changes: ['resource'],
    audit: 'admin.delete-resource',
  }),
  listOrganizationResources: get('/organization/list-resources', {
    summary: 'Lists the resource servers of an organization, newest first, for members who may update the organization',
    access: 'session',
    input: { query: z.object({ organizationId }) },
    answer: z.object({
      resources: z.array(shownResource).max(maxResources.organizations),
      /** The maximum of the organization. */
      limit: z.number(),
    }),
    errors: managingErrors,
    budget: { d1: 3 },
    changes: [],
  }),
  createOrganizationResource: post('/organization/create-resource', {
    ...managing,
    audit: 'organization.create-resource',
    summary:
      'Registers a resource server of an organization, for whose members clients can request access tokens. The identifier is an address at a verified domain of the organization, or a word that becomes part of a URN. The names of its scopes begin with it',
    input: { body: creation.extend({ organizationId, identifier: z.string().min(1).max(200), scopes: shortScopes }) },
    answer: resourceAnswer,
    errors: [...managingErrors, ...creationErrors, errors.RESOURCE_DOMAIN_NOT_VERIFIED],
    budget: { d1: 3, durable: 1 },
  }),
  updateOrganizationResource: post('/organization/update-resource', {
    ...managing,
    audit: 'organization.update-resource',
    summary: 'Changes a resource server of an organization',
    input: { body: z.object({ organizationId, id, ...properties, scopes: shortScopes }) },
    answer: resourceAnswer,
    errors: [...managingErrors, ...changeErrors],
    budget: { d1: 4, durable: 1 },
  }),
  deleteOrganizationResource: post('/organization/delete-resource', {
    ...managing,
    limits: { ...managing.limits, whenFull: 'ends' },
    audit: 'organization.delete-resource',
    summary: 'Deletes a resource server of an organization and ends all tokens for it',
    input: { body: z.object({ organizationId, id }) },
    answer: deleted,
    errors: [...managingErrors, errors.RESOURCE_NOT_FOUND],
    budget: { d1: 3, durable: 1 },
  }),
}
