import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { nameInput } from '../../../kit/inputs.ts'
import { days } from '../../../kit/time.ts'
import { scopeName } from '../identifiers.ts'
import { identityProviderErrors as errors } from '../identity-provider.errors.ts'

const id = z.string().min(1).max(64)

const maxScopes = 50

/** What an administrator can change. */
const properties = {
  name: nameInput.min(1).max(100),
  /** The scopes that only its tokens have, each with the words that the consent page shows. */
  scopes: z
    .record(scopeName.max(100), nameInput.min(1).max(200))
    .refine((scopes) => Object.keys(scopes).length <= maxScopes, `at most ${maxScopes} scopes`),
  /** Seconds; null: the lifetime of this server. */
  accessTokenExpiresIn: z.int().min(60).max(days(1)).nullable(),
  /** Client ids: these may introspect its tokens. */
  introspectedBy: z.array(z.string().min(1).max(512)).max(10),
}

const resourceAnswer = z
  .object({
    id: z.string(),
    identifier: z.string(),
    name: z.string(),
    scopes: z.record(z.string(), z.string()),
    accessTokenExpiresIn: z.number().nullable(),
    introspectedBy: z.array(z.string()).max(10),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'RegisteredResource' })

export const resourcesContract = {
  createResource: post('/admin/create-resource', {
    summary: 'Registers a resource server: an API for which clients can request opaque access tokens',
    access: { admin: { resource: ['create'] } },
    recentFor: () => true,
    body: z.object({ identifier: z.string().min(1).max(500), ...properties }),
    answer: resourceAnswer,
    errors: [
      core.UNAUTHORIZED,
      errors.INVALID_RESOURCE_IDENTIFIER,
      errors.RESOURCE_EXISTS,
      errors.RESOURCE_SCOPE_EXISTS,
      errors.RESOURCE_LIMIT_REACHED,
    ],
    budget: { d1: 2 },
    changes: ['resource'],
  }),
  updateResource: post('/admin/update-resource', {
    summary: 'Changes a registered resource server. A scope that it loses leaves the tokens that have it',
    access: { admin: { resource: ['update'] } },
    recentFor: () => true,
    body: z.object({ id, ...properties }),
    answer: resourceAnswer,
    errors: [core.UNAUTHORIZED, errors.RESOURCE_NOT_FOUND, errors.RESOURCE_SCOPE_EXISTS],
    budget: { d1: 2 },
    changes: ['resource'],
  }),
  deleteResource: post('/admin/delete-resource', {
    summary: 'Deletes a registered resource server and ends all tokens for it',
    access: { admin: { resource: ['delete'] } },
    recentFor: () => true,
    body: z.object({ id }),
    answer: z.object({ success: z.literal(true) }),
    errors: [core.UNAUTHORIZED, errors.RESOURCE_NOT_FOUND],
    budget: { d1: 2 },
    changes: ['resource'],
  }),
}
