import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { apiKeyErrors as errors } from './api-key.errors.ts'
import { ownProperties, prefixInput, refusedProperties } from './key-properties.ts'

const idInput = z.string().min(1).max(128)

/** A key as answers show it, in the order of the protocol. The key itself is not among it. */
const apiKeyAnswer = z
  .object({
    name: z.string().nullable(),
    start: z.string().nullable(),
    prefix: z.string().nullable(),
    /** Null for the key of an organization. */
    userId: z.string().nullable(),
    /** Only of the key of an organization. */
    organizationId: z.string().optional(),
    refillInterval: z.number().nullable(),
    refillAmount: z.number().nullable(),
    lastRefillAt: z.date().nullable(),
    enabled: z.boolean(),
    rateLimitEnabled: z.boolean(),
    rateLimitTimeWindow: z.number().nullable(),
    rateLimitMax: z.number().nullable(),
    requestCount: z.number(),
    remaining: z.number().nullable(),
    lastRequest: z.date().nullable(),
    expiresAt: z.date().nullable(),
    createdAt: z.date(),
    updatedAt: z.date(),
    permissions: z.record(z.string(), z.array(z.string()).readonly()).nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    id: z.string(),
  })
  .meta({ id: 'ApiKey' })

const valueErrors = [
  errors.METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED,
  errors.METADATA_IS_DISABLED,
  errors.THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE,
  errors.THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE,
  errors.CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED,
  errors.THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL,
  errors.THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY,
] as const

export const apiKeyContract = {
  createApiKey: endpoint({
    method: 'POST',
    path: '/api-key/create',
    summary:
      'A new key of the caller, or of an organization whose keys they manage; the only answer that holds the key',
    access: 'own-session',
    unauthorized: errors.UNAUTHORIZED_OR_INVALID_SESSION,
    body: z.object({
      ...ownProperties,
      prefix: prefixInput,
      organizationId: idInput.optional(),
      /** Over HTTP a key is always the caller's: anybody else's id is refused. */
      userId: z.unknown().optional(),
      ...refusedProperties,
    }),
    answer: apiKeyAnswer.extend({ key: z.string() }),
    errors: [
      errors.UNAUTHORIZED_OR_INVALID_SESSION,
      httpErrors.OWN_SESSION_REQUIRED,
      errors.THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL,
      errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION,
      ...valueErrors,
    ],
    budget: { d1: 2 },
    changes: ['api-key'],
  }),
  getApiKey: endpoint({
    method: 'GET',
    path: '/api-key/get',
    summary: 'A key, without the key itself',
    access: 'own-session',
    query: z.object({ id: idInput }),
    answer: apiKeyAnswer,
    errors: [core.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED, errors.API_KEY_NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
  listApiKeys: endpoint({
    method: 'GET',
    path: '/api-key/list',
    summary: "The caller's own keys, or those of an organization whose keys they manage, oldest first",
    access: 'own-session',
    query: z.object({ organizationId: idInput.optional() }),
    answer: z.array(apiKeyAnswer),
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION,
    ],
    budget: { d1: 1 },
    changes: [],
  }),
  updateApiKey: endpoint({
    method: 'POST',
    path: '/api-key/update',
    summary: 'Renames a key, turns it on or off, changes its expiry or metadata',
    access: 'own-session',
    unauthorized: errors.UNAUTHORIZED_OR_INVALID_SESSION,
    body: z.object({
      keyId: idInput,
      ...ownProperties,
      enabled: z.boolean().optional(),
      userId: z.unknown().optional(),
      ...refusedProperties,
    }),
    answer: apiKeyAnswer,
    errors: [
      errors.UNAUTHORIZED_OR_INVALID_SESSION,
      httpErrors.OWN_SESSION_REQUIRED,
      errors.API_KEY_NOT_FOUND,
      errors.NO_VALUES_TO_UPDATE,
      ...valueErrors,
    ],
    budget: { d1: 2 },
    changes: ['api-key'],
  }),
  deleteApiKey: endpoint({
    method: 'POST',
    path: '/api-key/delete',
    summary: 'Deletes a key, which ends it at once',
    access: 'own-session',
    body: z.object({ keyId: idInput }),
    answer: z.object({ success: z.boolean() }),
    errors: [core.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED, errors.USER_IS_BANNED, errors.API_KEY_NOT_FOUND],
    budget: { d1: 2 },
    changes: ['api-key'],
  }),
}
