import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { statusAnswer } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { boundedRecord } from '../../../kit/bounded-record.ts'
import { nameInput } from '../../../kit/inputs.ts'
import { listOf } from '../../../kit/page.ts'
import { days } from '../../../kit/time.ts'
import { identityProviderErrors as errors } from '../../identity-provider/identity-provider.errors.ts'
import { publicKeys } from '../../identity-provider/model/protocol/protocol.contract.ts'

const clientId = z.string().min(1).max(512)

/** Scopes by resource. */
const access = boundedRecord(z.string().max(2000), z.array(z.string().max(200)).max(50), 100)

const limit = z.object({ max: z.int().min(1).max(100_000), window: z.int().min(1).max(days(1)) })

export const serviceAnswer = z
  .object({
    clientId: z.string(),
    name: z.string(),
    /** Whether an administrator has registered it; otherwise the configuration has it. */
    registered: z.boolean(),
    /** `registered`: the credentials of a registered client. */
    credential: z.enum(['secret', 'key', 'workload', 'registered']),
    /** Issuers of the tokens that it exchanges. */
    issuers: listOf(z.string()),
    access: z.record(z.string(), listOf(z.string())),
    requireDPoP: z.boolean(),
    /** Tokens in a time (s). */
    limit: z.object({ max: z.number(), window: z.number() }),
    /** `expired`: its time has ended. */
    state: z.enum(['active', 'paused', 'expired']),
    /** Null: it has no end. */
    expiresAt: z.date().nullable(),
    /** Until when the secret before the last rotation is valid; null without one. */
    previousSecretEndsAt: z.date().nullable(),
  })
  .meta({ id: 'Service' })

const changing = {
  accessRules: { recentFor: () => true },
  budget: { d1: 3, read: 300 },
  changes: ['oauth-client'],
} as const

export const servicesContract = {
  createService: post('/admin/create-service', {
    ...changing,
    audit: 'admin.create-service',
    summary:
      'Registers a service: a client without users, which gets tokens for itself. The response is the only one that shows its secret; a service with keys has none',
    access: { admin: { service: ['create'] } },
    input: {
      body: z.object({
        name: nameInput.min(1).max(100),
        access,
        limit: limit.default({ max: 60, window: 60 }),
        requireDPoP: z.boolean().default(false),
        /** Days until it expires; null: never. */
        days: z.int().min(1).max(3650).nullable().default(null),
        ...publicKeys,
      }),
    },
    answer: z.object({ service: serviceAnswer, clientSecret: z.string().nullable() }),
    errors: [
      core.UNAUTHORIZED,
      errors.INVALID_SERVICE_ACCESS,
      errors.INVALID_SERVICE_KEYS,
      errors.SERVICE_LIMIT_REACHED,
    ],
  }),
  updateService: post('/admin/update-service', {
    ...changing,
    audit: 'admin.update-service',
    summary:
      'Changes a registered service. While it is paused, its tokens are invalid; after another access, it requests new JWTs',
    access: { admin: { service: ['update'] } },
    input: {
      body: z.object({
        clientId,
        name: nameInput.min(1).max(100).optional(),
        access: access.optional(),
        limit: limit.optional(),
        requireDPoP: z.boolean().optional(),
        state: z.enum(['active', 'paused']).optional(),
        /** Days from now until it expires; null: never. */
        days: z.int().min(1).max(3650).nullable().optional(),
        /** Keys replace those of a service with keys; a set with the old and the new key lets it change without a pause. */
        ...publicKeys,
      }),
    },
    answer: serviceAnswer,
    errors: [
      core.UNAUTHORIZED,
      errors.NOTHING_TO_UPDATE,
      errors.SERVICE_NOT_FOUND,
      errors.INVALID_SERVICE_ACCESS,
      errors.INVALID_SERVICE_KEYS,
    ],
  }),
  rotateServiceSecret: post('/admin/rotate-service-secret', {
    limits: { whenFull: 'secures' },
    ...changing,
    audit: 'admin.rotate-service-secret',
    summary: 'Gives a registered service another secret; the earlier one is valid for a while',
    access: { admin: { service: ['update'] } },
    input: {
      body: z.object({
        clientId,
        /** Seconds for which the earlier secret is valid. */
        overlap: z.int().min(0).max(days(7)).default(days(1)),
      }),
    },
    answer: z.object({ service: serviceAnswer, clientSecret: z.string() }),
    errors: [core.UNAUTHORIZED, errors.SERVICE_NOT_FOUND],
  }),
  deleteService: post('/admin/delete-service', {
    limits: { whenFull: 'ends' },
    ...changing,
    audit: 'admin.delete-service',
    summary: 'Deletes a registered service and ends its tokens',
    access: { admin: { service: ['delete'] } },
    input: { body: z.object({ clientId }) },
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED, errors.SERVICE_NOT_FOUND],
  }),
}
