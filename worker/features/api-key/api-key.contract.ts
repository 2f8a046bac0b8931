import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { type KeyAccess, keyAccessLevels } from '../../kit/key-access.ts'
import { listOf, pageQuery } from '../../kit/page.ts'
import type { Permissions } from '../../kit/permissions.ts'
import { seconds } from '../../kit/time.ts'
import { apiKeyErrors as errors } from './api-key.errors.ts'
import { ownProperties, prefixInput, refusedProperties } from './key-properties.ts'

const idInput = z.string().min(1).max(128)

/** A key without its secret, in the order of the protocol. */
const apiKeyAnswer = z
  .object({
    name: z.string().nullable(),
    start: z.string().nullable(),
    prefix: z.string().nullable(),
    /** Null for the key of an organization. */
    userId: z.string().nullable(),
    /** Only for the key of an organization. */
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
    access: z.enum(keyAccessLevels),
    permissions: z.record(z.string(), z.array(z.string()).max(100).readonly()).nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    id: z.string(),
  })
  .meta({ id: 'ApiKey' })

/** A key as administrators find it. */
const foundKey = z.object({
  id: z.string(),
  name: z.string().nullable(),
  start: z.string().nullable(),
  /** Null for the key of an organization. */
  userId: z.string().nullable(),
  organizationId: z.string().nullable(),
  ownerName: z.string(),
  enabled: z.boolean(),
  remaining: z.number().nullable(),
  lastRequest: z.date().nullable(),
  expiresAt: z.date().nullable(),
  createdAt: z.date(),
})

const valueErrors = [
  errors.METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED,
  errors.METADATA_IS_DISABLED,
  errors.THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE,
  errors.THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE,
  errors.CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED,
  errors.THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL,
  errors.THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY,
] as const

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { apiKey: true }
  apiKey: {
    /** The header that carries a key. */
    header: string
    /** Days. */
    minExpiresIn: number
    maxExpiresIn: number
    customExpiry: boolean
    /** Seconds, for keys without an expiry of their own; null: they do not expire. */
    defaultExpiresIn: number | null
    maximumNameLength: number
    /** Of keys created without an access level; null: it depends on their permissions. */
    defaultAccess: KeyAccess | null
    /** The permissions that users may grant to their own keys. */
    permissions: Permissions
  }
}

export const apiKeyContract = {
  createApiKey: post('/api-key/create', {
    summary:
      'Creates an API key for the caller or an organization that the caller manages; only this response contains the key',
    access: 'recent-authentication',
    accessRules: { unauthorized: errors.UNAUTHORIZED_OR_INVALID_SESSION },
    input: {
      body: z.object({
        ...ownProperties,
        prefix: prefixInput,
        organizationId: idInput.optional(),
        /** Over HTTP only the caller's own id is accepted. */
        userId: z.unknown().optional(),
        ...refusedProperties,
      }),
    },
    answer: apiKeyAnswer.extend({ key: z.string() }),
    errors: [
      errors.UNAUTHORIZED_OR_INVALID_SESSION,
      httpErrors.OWN_SESSION_REQUIRED,
      errors.THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL,
      errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION,
      errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_API_KEYS,
      ...valueErrors,
    ],
    budget: { d1: 2, durable: 1, read: 250 },
    limits: { rate: { max: 10, window: seconds(60) } },
    changes: ['api-key'],
    audit: 'api-key.create',
  }),
  getApiKey: get('/api-key/get', {
    summary: 'Returns an API key without its secret',
    access: 'own-session',
    input: { query: z.object({ id: idInput }) },
    answer: apiKeyAnswer,
    errors: [core.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED, errors.API_KEY_NOT_FOUND],
    budget: { d1: 1 },
    changes: [],
  }),
  listApiKeys: get('/api-key/list', {
    summary:
      'Lists the API keys of the caller or of an organization that the caller manages, oldest first, without metadata',
    access: 'own-session',
    input: { query: z.object({ organizationId: idInput.optional(), ...pageQuery }) },
    answer: listOf(apiKeyAnswer.omit({ metadata: true })),
    errors: [
      core.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION,
    ],
    budget: { d1: 1, read: 1100 },
    changes: [],
  }),
  updateApiKey: post('/api-key/update', {
    summary: 'Updates the name, state, access level, expiry or metadata of an API key',
    access: 'own-session',
    // A key with more access, or one that is valid again, is a new credential.
    accessRules: {
      recentFor: ['access', 'enabled', 'expiresIn'],
      unauthorized: errors.UNAUTHORIZED_OR_INVALID_SESSION,
    },
    input: {
      body: z.object({
        keyId: idInput,
        ...ownProperties,
        enabled: z.boolean().optional(),
        userId: z.unknown().optional(),
        ...refusedProperties,
      }),
    },
    answer: apiKeyAnswer,
    errors: [
      errors.UNAUTHORIZED_OR_INVALID_SESSION,
      httpErrors.OWN_SESSION_REQUIRED,
      core.SESSION_IS_NOT_FRESH,
      errors.API_KEY_NOT_FOUND,
      errors.NO_VALUES_TO_UPDATE,
      ...valueErrors,
    ],
    budget: { d1: 2 },
    changes: ['api-key'],
    audit: 'api-key.update',
    limits: { whenFull: 'secures', creates: false },
  }),
  deleteApiKey: post('/api-key/delete', {
    summary: 'Deletes an API key, which stops working immediately',
    access: 'own-session',
    input: { body: z.object({ keyId: idInput }) },
    answer: z.object({ success: z.boolean() }),
    errors: [core.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED, errors.USER_IS_BANNED, errors.API_KEY_NOT_FOUND],
    budget: { d1: 2 },
    changes: ['api-key'],
    audit: 'api-key.delete',
    limits: { creates: 'ends' },
  }),
  findApiKeys: get('/admin/find-api-keys', {
    summary: 'Finds API keys of all users and organizations, without secrets',
    access: { admin: { apiKey: ['list'] } },
    input: {
      query: z.object({
        /** The beginning of an id, a name or the shown characters of a key. */
        search: z.string().trim().min(1).max(256),
        limit: z.coerce.number<number | string>().int().min(1).max(50).optional(),
      }),
    },
    answer: z.object({
      /** The key with exactly this id first, then by name. */
      keys: z.array(foundKey).max(50),
    }),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 1000 },
    changes: [],
  }),
}
