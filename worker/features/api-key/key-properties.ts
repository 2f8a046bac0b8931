import * as z from 'zod'
import { boundedRecord } from '../../kit/bounded-record.ts'
import { keyAccessLevels } from '../../kit/key-access.ts'
import type { ApiKey } from './api-key.table.ts'

/** The properties of a key, for the contract and the use cases. */

const permissionsInput = boundedRecord(z.string().max(128), z.array(z.string().max(128)).max(100), 100)

/** Set by the creator of a key. */
export const ownProperties = {
  name: z.string().max(256).nullish(),
  /** Seconds; null: it does not expire. */
  expiresIn: z.number().min(1).max(Number.MAX_SAFE_INTEGER).nullish(),
  metadata: z.unknown().optional(),
  access: z.enum(keyAccessLevels).optional(),
}

export const prefixInput = z
  .string()
  .max(256)
  .regex(/^[a-zA-Z0-9_-]+$/, 'Invalid prefix format, must be alphanumeric and contain only underscores and hyphens.')
  .nullish()

/** The end of the longest period is still a date. */
const largest = { count: Number.MAX_SAFE_INTEGER, days: 1_000_000, milliseconds: 1e14 }

/** Set by servers only, through the RPC entrypoint. */
export const serverOnlyProperties = {
  remaining: z.int().min(0).max(largest.count).nullish(),
  refillAmount: z.int().min(1).max(largest.count).nullish(),
  /** Days. */
  refillInterval: z.int().min(1).max(largest.days).nullish(),
  rateLimitEnabled: z.boolean().nullish(),
  rateLimitMax: z.int().min(1).max(largest.count).nullish(),
  /** Milliseconds. */
  rateLimitTimeWindow: z.int().min(1).max(largest.milliseconds).nullish(),
  permissions: permissionsInput.nullish(),
}

export const serverOnlyNames = Object.keys(serverOnlyProperties) as (keyof typeof serverOnlyProperties)[]

/** The same over HTTP: of any type, because they are rejected as server-only. */
export const refusedProperties = Object.fromEntries(serverOnlyNames.map((name) => [name, z.unknown().optional()])) as {
  [K in keyof typeof serverOnlyProperties]: z.ZodOptional<z.ZodUnknown>
}

const anyProperties = z.object({ ...ownProperties, ...serverOnlyProperties })

/** Null is a value (no limit). */
export type KeyProperties = z.output<typeof anyProperties>

const idInput = z.string().min(1).max(128)
const owner = { userId: idInput.optional(), organizationId: idInput.optional() }

/** The arguments of the RPC methods. */
export const serverCreateInput = anyProperties
  .extend({ ...owner, prefix: prefixInput })
  .refine(({ userId, organizationId }) => !userId !== !organizationId, 'either a userId or an organizationId')
export const serverUpdateInput = anyProperties.extend({
  userId: owner.userId,
  keyId: idInput,
  enabled: z.boolean().optional(),
})
export type NewApiKey = z.input<typeof serverCreateInput>
export const verifyInput = z.object({ key: z.string().max(4096), permissions: permissionsInput.optional() })

/** A key without its hash and internal columns. */
export type PresentedKey = Omit<ApiKey, 'keyHash' | 'windowStartedAt' | 'method' | 'amr' | 'organizationId'> & {
  organizationId?: string
}

/** @param key with or without its metadata: lists have none */
export function presentKey<K extends Omit<ApiKey, 'metadata'>>({
  keyHash,
  windowStartedAt,
  method: _method,
  amr: _amr,
  organizationId,
  ...shown
}: K) {
  return organizationId === null ? shown : { ...shown, organizationId }
}
