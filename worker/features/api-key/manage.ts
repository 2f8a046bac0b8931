import type { Caller, Scope } from '../../identity/scope.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { sha256 } from '../../kit/hash.ts'
import { newId } from '../../kit/random.ts'
import { after, ms, seconds } from '../../kit/time.ts'
import { apiKeyOptions } from './api-key.config.ts'
import { apiKeyErrors as errors } from './api-key.errors.ts'
import * as store from './api-key.store.ts'
import type { ApiKey } from './api-key.table.ts'
import { checkPrefix, valuesOf } from './check-properties.ts'
import { newKey } from './key-form.ts'
import type { KeyProperties } from './key-properties.ts'
import { rolesThatMay } from './organization-keys.ts'
import { isBanned } from './verdict.ts'

export type KeyOwner = { userId: string } | { organizationId: string }

/** A new key as it is shown once, and what is kept of it. */
export interface CreatedKey {
  key: ApiKey
  shown: string
}

/**
 * Makes a key of a person, or of an organization.
 * @param by who makes it, unless a server does
 * @throws USER_NOT_FOUND, YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION, and what valuesOf throws
 */
export async function createKey(
  scope: Scope,
  owner: KeyOwner,
  { prefix: given, ...properties }: KeyProperties & { prefix?: string | null | undefined },
  by: Caller | null,
): Promise<CreatedKey> {
  const { defaultPrefix, defaultKeyLength, startingCharactersConfig, keyExpiration, rateLimit, permissions } =
    apiKeyOptions.of(scope)
  checkPrefix(scope, given)
  const now = scope.now()
  const values = valuesOf(scope, properties, now, 'create')
  const prefix = given || defaultPrefix || null
  const shown = newKey(prefix ?? '', defaultKeyLength)
  const { shouldStore, charactersLength } = startingCharactersConfig
  const { defaultExpiresIn } = keyExpiration
  const key: ApiKey = {
    id: newId(),
    name: null,
    start: shouldStore ? shown.slice(0, charactersLength) : null,
    prefix,
    keyHash: sha256(shown),
    userId: null,
    organizationId: null,
    ...owner,
    enabled: true,
    expiresAt: defaultExpiresIn === null ? null : after(now, defaultExpiresIn),
    // A quota that is refilled begins full.
    remaining: values.refillAmount ?? null,
    refillAmount: null,
    refillInterval: null,
    lastRefillAt: null,
    rateLimitEnabled: rateLimit.enabled,
    rateLimitTimeWindow: rateLimit.timeWindow,
    rateLimitMax: rateLimit.maxRequests,
    requestCount: 0,
    windowStartedAt: null,
    lastRequest: null,
    permissions: permissions.defaultPermissions,
    metadata: null,
    createdAt: now,
    updatedAt: now,
    ...values,
  }
  if ('userId' in owner) {
    if (!(await store.insertKey(scope.db, key, store.userExists(owner.userId)))) throw coreErrors.USER_NOT_FOUND()
    return { key, shown }
  }
  const { organizationId } = owner
  const may = by
    ? store.isManager(by.user.id, organizationId, rolesThatMay(scope, 'create'))
    : store.organizationExists(organizationId)
  if (!(await store.insertKey(scope.db, key, may))) {
    throw errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION()
  }
  return { key, shown }
}

/** @throws API_KEY_NOT_FOUND, NO_VALUES_TO_UPDATE, and what valuesOf throws */
export async function updateKey(
  scope: Scope,
  choice: store.KeyChoice,
  { enabled, ...properties }: KeyProperties & { enabled?: boolean | undefined },
): Promise<ApiKey> {
  const now = scope.now()
  const values = { ...valuesOf(scope, properties, now, 'update'), ...(enabled === undefined ? {} : { enabled }) }
  if (Object.keys(values).length === 0) throw errors.NO_VALUES_TO_UPDATE()
  const key = await store.updateKey(scope.db, choice, { ...values, updatedAt: now })
  if (!key) throw errors.API_KEY_NOT_FOUND()
  return key
}

/** @throws USER_IS_BANNED, API_KEY_NOT_FOUND */
export async function deleteKey(scope: Scope, caller: Caller, id: string): Promise<void> {
  if (isBanned(caller.user, scope.now())) throw errors.USER_IS_BANNED()
  if (!(await store.deleteKey(scope.db, managed(scope, caller, id, 'delete')))) throw errors.API_KEY_NOT_FOUND()
}

/** A key by the right of a person. */
export const managed = (scope: Scope, caller: Caller, id: string, action: 'update' | 'delete'): store.KeyChoice => ({
  id,
  userId: caller.user.id,
  roles: rolesThatMay(scope, action),
})

const purgePause = ms(seconds(10))
let lastPurge = 0

/** Deletes what has expired, at most every ten seconds in an isolate. */
export async function purgeExpiredKeys(scope: Scope): Promise<void> {
  const now = scope.now()
  if (now.getTime() - lastPurge < purgePause) return
  lastPurge = now.getTime()
  await store.deleteExpiredKeys(scope.db, now)
}
