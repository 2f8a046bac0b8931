import * as z from 'zod'
import { operation } from '../../http/operations.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { listOf, pageOf, pageQuery } from '../../kit/page.ts'
import { apiKeyContract } from './api-key.contract.ts'
import { apiKeyErrors as errors, keyRefusals } from './api-key.errors.ts'
import { presentKey, serverCreateInput, serverUpdateInput, verifyInput } from './key-properties.ts'
import { createKey, deleteAnyKey, listKeysFor, purgeExpiredKeys, updateKey } from './manage.ts'
import { refused, verifyKey } from './verify.ts'

const { createApiKey: creations, updateApiKey: updates, listApiKeys: lists } = apiKeyContract
const apiKey = updates.answer

/** The errors of values that servers set, which users cannot. */
const valueErrors = [
  errors.METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED,
  errors.METADATA_IS_DISABLED,
  errors.THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE,
  errors.THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE,
  errors.CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED,
  errors.THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL,
  errors.REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED,
  errors.REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED,
  errors.THE_REMAINING_COUNT_IS_EITHER_TOO_LARGE_OR_TOO_SMALL,
] as const

export const apiKeyOperations = {
  verifyApiKey: operation(
    {
      summary:
        'Verifies and uses an API key once, with these permissions. A rejection is a normal result: INVALID_API_KEY, KEY_NOT_FOUND (missing permissions), KEY_DISABLED, KEY_EXPIRED, USER_IS_BANNED, USAGE_EXCEEDED, RATE_LIMITED (`details.tryAgainIn` in milliseconds).',
      permission: 'api-keys:verify',
      input: verifyInput,
      answer: z.union([
        z.object({ valid: z.literal(true), error: z.null(), key: apiKey }),
        z.object({
          valid: z.literal(false),
          error: z.object({
            message: z.string(),
            code: z.string(),
            details: z.object({ tryAgainIn: z.number() }).optional(),
          }),
          key: z.null(),
        }),
      ]),
      errors: [],
      // A read, another if it is from a replica and the key may have changed, and the count of a use.
      budget: { d1: 3 },
      // The use of the key is counted, but a repetition counts as another use.
      changes: [],
      reads: { replica: true },
      method: { bare: true, whenInvalid: () => refused(keyRefusals.INVALID_API_KEY()) },
    },
    (scope, { key, permissions }) => verifyKey(scope, key, permissions),
  ),
  listApiKeys: operation(
    {
      summary: 'Lists the API keys of a user or of an organization, oldest first, without secrets and metadata.',
      permission: 'api-keys:read',
      input: z
        .object({
          userId: z.string().min(1).max(128).optional(),
          organizationId: z.string().min(1).max(128).optional(),
          ...pageQuery,
        })
        .refine(({ userId, organizationId }) => !userId !== !organizationId, 'either a userId or an organizationId'),
      answer: z.object({ keys: listOf(apiKey.omit({ metadata: true })) }),
      errors: [],
      budget: lists.budget,
      changes: [],
    },
    async (scope, { userId, organizationId, ...page }) => {
      const owner = userId === undefined ? { organizationId: organizationId! } : { userId }
      return { keys: (await listKeysFor(scope, owner, pageOf(page))).map(presentKey) }
    },
  ),
  createApiKey: operation(
    {
      summary: 'Creates an API key of a user or an organization, with properties that only servers may set.',
      permission: 'api-keys:write',
      input: serverCreateInput,
      answer: creations.answer,
      errors: [
        coreErrors.USER_NOT_FOUND,
        errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION,
        errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_API_KEYS,
        errors.THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL,
        ...valueErrors,
      ],
      budget: { d1: 3 },
      changes: ['api-key'],
      audit: 'server.create-api-key',
    },
    async (scope, { userId, organizationId, ...properties }) => {
      const owner = userId === undefined ? { organizationId: organizationId! } : { userId }
      const { key, shown } = await createKey(scope, owner, properties, null)
      return { ...presentKey(key), key: shown }
    },
  ),
  updateApiKey: operation(
    {
      limits: { whenFull: 'secures' },
      summary: 'Changes an API key; with a `userId` only if that user owns it.',
      permission: 'api-keys:write',
      input: serverUpdateInput,
      answer: apiKey,
      errors: [errors.API_KEY_NOT_FOUND, errors.NO_VALUES_TO_UPDATE, ...valueErrors],
      budget: { d1: 2 },
      changes: ['api-key'],
      audit: 'server.update-api-key',
    },
    async (scope, { keyId, userId, ...properties }) =>
      presentKey(await updateKey(scope, { id: keyId, server: true, userId }, properties)),
  ),
  revokeApiKey: operation(
    {
      limits: { whenFull: 'ends' },
      summary: 'Deletes an API key, which stops working immediately; with a `userId` only if that user owns it.',
      permission: 'api-keys:write',
      input: z.object({ keyId: z.string().min(1).max(128), userId: z.string().min(1).max(128).optional() }),
      answer: z.object({ status: z.literal(true) }),
      errors: [errors.API_KEY_NOT_FOUND],
      budget: { d1: 3 },
      changes: ['api-key'],
      audit: 'server.revoke-api-key',
    },
    async (scope, { keyId, userId }) => {
      await deleteAnyKey(scope, { id: keyId, server: true, userId })
      return { status: true } as const
    },
  ),
  deleteExpiredApiKeys: operation(
    {
      limits: { whenFull: 'ends' },
      summary: 'Deletes all expired API keys, at most every ten seconds.',
      permission: 'api-keys:write',
      input: z.object({}),
      answer: z.object({ success: z.literal(true), error: z.null() }),
      errors: [],
      budget: { d1: 1 },
      changes: ['api-key'],
      audit: 'server.delete-expired-api-keys',
      method: { bare: true },
    },
    async (scope) => {
      await purgeExpiredKeys(scope)
      return { success: true, error: null } as const
    },
  ),
}
