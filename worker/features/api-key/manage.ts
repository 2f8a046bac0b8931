import type { Caller, Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { noteChange } from '../../identity/sessions/ended-sessions.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { isGuest } from '../../identity/users/guests.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { findUserById, userExists } from '../../identity/users/users.store.ts'
import type { Work } from '../../identity/work.ts'
import { sha256 } from '../../kit/hash.ts'
import { usualKeyAccess } from '../../kit/key-access.ts'
import { newKey } from '../../kit/key-form.ts'
import type { Page } from '../../kit/page.ts'
import { mayDo } from '../../kit/permissions.ts'
import { newId } from '../../kit/random.ts'
import { after, ms, seconds } from '../../kit/time.ts'
import type { Condition } from '../../platform/statements.ts'
import { organizationExists } from '../organization/model/membership.store.ts'
import { organizationOptions } from '../organization/model/organization.config.ts'
import { apiKeyOptions } from './api-key.config.ts'
import { apiKeyErrors as errors } from './api-key.errors.ts'
import * as store from './api-key.store.ts'
import type { ApiKey } from './api-key.table.ts'
import { checkPrefix, valuesOf } from './check-properties.ts'
import { forgetKeys } from './forget-keys.ts'
import type { KeyProperties } from './key-properties.ts'
import { isBanned } from './key-state.ts'

export type KeyOwner = { userId: string } | { organizationId: string }

/** A new key. `shown` is its secret, which is returned once. */
export interface CreatedKey {
  key: ApiKey
  shown: string
}

/** Creates a key of a user or an organization. @param by the caller; null for a server */
export async function createKey(
  scope: Scope,
  owner: KeyOwner,
  { prefix: given, ...properties }: KeyProperties & { prefix?: string | null | undefined },
  by: Caller | null,
): Promise<CreatedKey> {
  const {
    defaultAccess,
    defaultPrefix,
    defaultKeyLength,
    startingCharactersConfig,
    keyExpiration,
    rateLimit,
    permissions,
    keysPerOwner,
    keysPerGuest,
  } = apiKeyOptions.of(scope)
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
    // A quota with a refill starts full.
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
    access:
      defaultAccess ??
      usualKeyAccess(values.permissions === undefined ? permissions.defaultPermissions : values.permissions),
    permissions: permissions.defaultPermissions,
    metadata: null,
    method: by?.session.method ?? null,
    amr: by?.session.amr ?? [],
    createdAt: now,
    updatedAt: now,
    ...values,
  }
  const limit = by && 'userId' in owner && isGuest(by.user) ? keysPerGuest : keysPerOwner
  const work = unitOfWork(scope)
  work.require(
    mayOwn(scope, owner, by),
    'userId' in owner
      ? coreErrors.USER_NOT_FOUND
      : errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION,
  )
  work.require(store.hasFewerKeys(key, limit), errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_API_KEYS)
  work.audit({
    subjectType: 'api-key',
    subjectId: key.id,
    organizationId: key.organizationId,
    after: { name: key.name, access: key.access, permissions: key.permissions, expiresAt: key.expiresAt },
  })
  work.run(store.insertKey(scope.db, key))
  // A key of an organization that a server creates has no user to notify.
  const user = by?.user ?? (key.userId === null ? null : await findUserById(scope.db, key.userId))
  if (user) {
    const details = { id: key.id, ...(key.name === null ? {} : { name: key.name }) }
    securityEvent(scope, work, { type: 'api-key-created', user, sessionId: by?.session.id ?? null, details })
  }
  await work.commit()
  return { key, shown }
}

/** Holds while the owner exists, and the caller may create keys for the owner. */
function mayOwn(scope: Scope, owner: KeyOwner, by: Caller | null): Condition {
  if ('userId' in owner) return userExists(owner.userId)
  const { organizationId } = owner
  return by
    ? store.isManager(by.user.id, organizationId, keyRolesThatMay(scope, 'create'))
    : organizationExists(organizationId)
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
  const work = unitOfWork(scope)
  work.audit({ ...store.auditOfKey(choice.id), after: { ...values, metadata: values.metadata !== undefined } })
  work.run(forgetKeys(scope, store.isChosen(choice)))
  const updated = work
    .run(store.updateKey(scope.db, choice, { ...values, updatedAt: now }), { unlessUnchanged: true })
    .orFail(errors.API_KEY_NOT_FOUND)
  await work.commit(() => noteChange(scope, 'key:', choice.id))
  return updated.row
}

/** @throws USER_IS_BANNED, API_KEY_NOT_FOUND */
export async function deleteKey(scope: Scope, caller: Caller, id: string): Promise<void> {
  if (isBanned(caller.user, scope.now())) throw errors.USER_IS_BANNED()
  const { user, session } = caller
  const work = unitOfWork(scope)
  forgetAndDelete(scope, work, managed(scope, caller, id, 'delete'))
  securityEvent(scope, work, { type: 'api-key-deleted', user, sessionId: session.id, details: { id } })
  await work.commit()
}

function forgetAndDelete(scope: Scope, work: Work, choice: store.KeyChoice): void {
  work.audit(store.auditOfKey(choice.id))
  work.run(forgetKeys(scope, store.isChosen(choice)))
  const afterCommit = () => noteChange(scope, 'key:', choice.id)
  work.run(store.deleteKey(scope.db, choice), { afterCommit }).orFail(errors.API_KEY_NOT_FOUND)
}

/** Deletes a key for a server. @throws API_KEY_NOT_FOUND */
export async function deleteAnyKey(scope: Scope, choice: store.KeyChoice): Promise<void> {
  const [found] = await store.findKeyOfAny(scope.db, choice)
  if (!found) throw errors.API_KEY_NOT_FOUND()
  const work = unitOfWork(scope)
  forgetAndDelete(scope, work, choice)
  const { id } = choice
  // The key of an organization has no user whose log could have the event.
  if (found.owner) securityEvent(scope, work, { type: 'api-key-deleted', user: found.owner, details: { id } })
  await work.commit()
}

/** The keys of an owner for a server, oldest first, without their metadata. */
export const listKeysFor = (scope: Scope, owner: KeyOwner, page: Page) =>
  'userId' in owner
    ? store.listKeysOfUser(scope.db, owner.userId, page)
    : store.listKeysOfOrganization(scope.db, owner.organizationId, store.always, page)

/** The roles that permit an action on the keys of an organization; empty if organizations are off. */
export function keyRolesThatMay(
  scope: Pick<Scope, 'options'>,
  action: 'create' | 'read' | 'update' | 'delete',
): string[] {
  const { enabled, roles } = organizationOptions.of(scope)
  return enabled ? Object.keys(roles).filter((name) => mayDo(roles, name, { apiKey: [action] })) : []
}

/** A key that the caller manages. */
export const managed = (scope: Scope, caller: Caller, id: string, action: 'update' | 'delete'): store.KeyChoice => ({
  id,
  userId: caller.user.id,
  roles: keyRolesThatMay(scope, action),
})

const purgePause = ms(seconds(10))
let lastPurge = 0

/** Deletes expired keys, at most every ten seconds in an isolate. */
export async function purgeExpiredKeys(scope: Scope): Promise<void> {
  const now = scope.now()
  if (now.getTime() - lastPurge < purgePause) return
  lastPurge = now.getTime()
  await store.deleteExpiredKeys(scope.db, now)
}
