import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { serverPermissionNames } from '../../kit/server-permissions.ts'
import { days } from '../../kit/time.ts'
import { isAddressRange } from '../../platform/client-address.ts'
import { serverKeyErrors as errors } from './server-keys.errors.ts'

const serverKey = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The first characters of the key. */
    start: z.string(),
    permissions: z.array(z.string()).max(100),
    /** Addresses and ranges that may use the key; empty: any. */
    addresses: z.array(z.string()).max(50),
    expiresAt: z.date().nullable(),
    lastUsedAt: z.date().nullable(),
    createdAt: z.date(),
    /** Null: the command line, or a deleted administrator. */
    createdBy: z.object({ id: z.string(), name: z.string() }).nullable(),
  })
  .meta({ id: 'ServerKey' })

const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_SERVER_KEYS

/** The inputs of a new key, for the console and the command line. */
export const newServerKey = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .regex(/^[^\p{Cc}\p{Cf}]*$/u, 'no control characters'),
  permissions: z
    .array(z.enum(serverPermissionNames as [string, ...string[]]))
    .min(1)
    .max(serverPermissionNames.length),
  /** Seconds; without it the key does not expire. */
  expiresIn: z.int().min(60).max(days(3650)).nullish(),
  /** IPv4 and IPv6 addresses and ranges (CIDR); empty: any address. */
  addresses: z
    .array(z.string().max(64).refine(isAddressRange, 'must be an IP address or a range such as 203.0.113.0/24'))
    .max(50)
    .optional(),
})

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { serverKeys: true }
}

export const serverKeysContract = {
  listServerKeys: get('/admin/server-keys', {
    summary: 'Lists the server keys, newest first, without their secrets',
    access: { admin: { serverKey: ['list'] }, refusal },
    answer: z.object({ keys: z.array(serverKey).max(500) }),
    errors: [core.UNAUTHORIZED, refusal],
    budget: { d1: 1 },
    changes: [],
  }),
  createServerKey: post('/admin/create-server-key', {
    summary: 'Creates a server key with permissions that the administrator has; only this response contains the key',
    access: { admin: { serverKey: ['create'] }, refusal },
    accessRules: { recentFor: () => true },
    input: { body: newServerKey },
    answer: serverKey.extend({ key: z.string() }),
    errors: [
      core.UNAUTHORIZED,
      refusal,
      errors.YOU_CANNOT_GRANT_MORE_PERMISSIONS_THAN_YOU_HAVE,
      errors.MAXIMUM_NUMBER_OF_SERVER_KEYS_REACHED,
      errors.YOUR_PERMISSIONS_HAVE_CHANGED_IN_THE_MEANTIME,
    ],
    budget: { d1: 2 },
    changes: ['server-key'],
    audit: 'admin.create-server-key',
  }),
  revokeServerKey: post('/admin/revoke-server-key', {
    limits: { whenFull: 'ends' },
    summary: 'Revokes a server key, which stops working immediately',
    access: { admin: { serverKey: ['revoke'] }, refusal },
    input: { body: z.object({ id: z.string().min(1).max(64) }) },
    answer: z.object({ success: z.literal(true) }),
    errors: [
      core.UNAUTHORIZED,
      refusal,
      errors.SERVER_KEY_NOT_FOUND,
      errors.YOUR_PERMISSIONS_HAVE_CHANGED_IN_THE_MEANTIME,
    ],
    budget: { d1: 2 },
    changes: ['server-key'],
    audit: 'admin.revoke-server-key',
  }),
}
