import type { Scope } from '../../identity/scope.ts'
import { fitsAsMetadata } from '../../kit/metadata.ts'
import { after, days } from '../../kit/time.ts'
import { apiKeyOptions } from './api-key.config.ts'
import { apiKeyErrors as errors } from './api-key.errors.ts'
import type { ApiKey } from './api-key.table.ts'
import { type KeyProperties, serverOnlyNames } from './key-properties.ts'

const serverOnly = errors.THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY

type Given = Readonly<Record<string, unknown>>

/** The properties that a caller may set over HTTP. @throws the server-only error for all others */
export function requireOwnProperties<T extends Given>(scope: Scope, userId: string, body: T): KeyProperties & T {
  if (body.userId !== undefined && body.userId !== null && body.userId !== userId) {
    throw errors.UNAUTHORIZED_OR_INVALID_SESSION()
  }
  for (const name of serverOnlyNames) {
    const value = body[name]
    if (value === undefined || value === null) continue
    if (name !== 'permissions' || !areSelectable(scope, value)) throw serverOnly()
  }
  // Null would remove a limit.
  const rest: Record<string, unknown> = { ...body }
  for (const name of serverOnlyNames) if (rest[name] === null) delete rest[name]
  return rest as KeyProperties & T
}

function areSelectable(scope: Scope, value: unknown): boolean {
  const { selectable } = apiKeyOptions.of(scope).permissions
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  // Without selectable permissions even an empty choice is rejected.
  if (Object.keys(selectable).length === 0) return false
  return Object.entries(value).every(
    ([resource, actions]) =>
      Object.hasOwn(selectable, resource) &&
      Array.isArray(actions) &&
      actions.every((action) => selectable[resource]!.includes(action)),
  )
}

/** @throws THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL */
export function checkPrefix(scope: Scope, prefix: string | null | undefined): void {
  const { minimumPrefixLength, maximumPrefixLength } = apiKeyOptions.of(scope)
  if (prefix === null || prefix === undefined) return
  if (prefix.length < minimumPrefixLength || prefix.length > maximumPrefixLength) {
    throw errors.THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL()
  }
}

/** The columns of the given properties. @throws the errors of the contract for values out of bounds */
export function valuesOf(scope: Scope, given: KeyProperties, now: Date, doing: 'create' | 'update'): Partial<ApiKey> {
  const { metadata, name, expiresIn, access, ...limits } = given
  const values: Partial<ApiKey> = {}
  if (metadata !== undefined) values.metadata = readMetadata(scope, metadata)
  if (limits.refillAmount && !limits.refillInterval) {
    throw errors.REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED()
  }
  if (limits.refillInterval && !limits.refillAmount) {
    throw errors.REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED()
  }
  if (expiresIn !== undefined && expiresIn !== null) values.expiresAt = readExpiry(scope, expiresIn, now)
  else if (expiresIn === null && doing === 'update') values.expiresAt = withoutExpiry(scope)
  if (doing === 'update' && limits.remaining === 0) throw errors.THE_REMAINING_COUNT_IS_EITHER_TOO_LARGE_OR_TOO_SMALL()
  if (name !== undefined && name !== null) values.name = readName(scope, name)
  if (access !== undefined) values.access = access
  const { remaining, refillAmount, refillInterval, rateLimitMax, rateLimitTimeWindow, permissions } = limits
  const columns = { remaining, refillAmount, refillInterval, rateLimitMax, rateLimitTimeWindow, permissions }
  Object.assign(values, withoutUndefined(columns))
  // A refill needs both an amount and an interval.
  if (refillAmount === null || refillInterval === null)
    Object.assign(values, { refillAmount: null, refillInterval: null })
  if (typeof limits.rateLimitEnabled === 'boolean') values.rateLimitEnabled = limits.rateLimitEnabled
  return values
}

const withoutUndefined = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

function readMetadata(scope: Scope, metadata: unknown): Record<string, unknown> | null {
  if (metadata === null) return null
  if (!apiKeyOptions.of(scope).enableMetadata) throw errors.METADATA_IS_DISABLED()
  const isRecord = typeof metadata === 'object' && !Array.isArray(metadata)
  if (!isRecord || !fitsAsMetadata(metadata)) {
    throw errors.METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED()
  }
  return metadata as Record<string, unknown>
}

/** @param expiresIn seconds */
function readExpiry(scope: Scope, expiresIn: number, now: Date): Date {
  const { disableCustomExpiresTime, minExpiresIn, maxExpiresIn } = apiKeyOptions.of(scope).keyExpiration
  if (disableCustomExpiresTime) throw errors.CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED()
  if (expiresIn < days(minExpiresIn)) throw errors.THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE()
  if (expiresIn > days(maxExpiresIn)) throw errors.THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE()
  return after(now, expiresIn)
}

/** If the configuration determines the lifetime, a key cannot be changed to never expire. */
function withoutExpiry(scope: Scope): null {
  if (apiKeyOptions.of(scope).keyExpiration.disableCustomExpiresTime) {
    throw errors.CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED()
  }
  return null
}

function readName(scope: Scope, name: string): string {
  const { minimumNameLength, maximumNameLength } = apiKeyOptions.of(scope)
  if (name.length < minimumNameLength || name.length > maximumNameLength) {
    throw errors.THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL()
  }
  return name
}
