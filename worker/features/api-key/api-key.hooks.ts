import type { Caller, Claim } from '../../identity/caller.ts'
import type { EndedAccess } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { defaultSessionFields } from '../../identity/sessions/session-fields.ts'
import { ownOfNobody } from '../../identity/sessions/sessions.store.ts'
import { sessionOptions } from '../../identity/settings.ts'
import { AppError } from '../../kit/errors.ts'
import { after } from '../../kit/time.ts'
import type { Condition } from '../../platform/statements.ts'
import { apiKeyOptions, keyHeadersOf } from './api-key.config.ts'
import { deleteKeysOf, type OwnedKey, ownOfKey } from './api-key.store.ts'
import { prepareUse, takeKey } from './verify.ts'

const ofPerson = { ofPerson: true }

/**
 * A key in its header is a session of its owner. Whoever shows a key that is not taken is told why, instead of being
 * taken for a visitor.
 */
export function claimByApiKey(scope: Scope): Claim | null {
  if (apiKeyOptions.of(scope).disableSessionForAPIKeys) return null
  const shown = keyHeadersOf(scope)
    .map((name) => scope.request.headers.get(name))
    .find(Boolean)
  if (!shown) return null
  const accept = (found: OwnedKey | AppError): Caller => {
    if (found instanceof AppError) throw found
    return callerOf(scope, shown, found)
  }
  const use = prepareUse(scope, shown, ofPerson)
  if (use instanceof AppError)
    return { own: ownOfNobody, find: async () => accept(use), statements: [], accept: () => null }
  return {
    get own() {
      return ownOfKey(use.hash)
    },
    find: async () => accept(await takeKey(scope, shown, ofPerson)),
    get statements() {
      return use.statements
    },
    accept: async (results) => accept(await use.judge(results)),
  }
}

/** The session that a key stands for. It is stored nowhere, and is as old as the key: never fresh for long. */
function callerOf(scope: Scope, shown: string, { key, owner }: OwnedKey): Caller {
  const { ip, userAgent } = scope.request
  return {
    via: 'api-key',
    user: owner!,
    session: {
      id: key.id,
      token: shown,
      userId: owner!.id,
      userAgent,
      ipAddress: ip,
      createdAt: key.createdAt,
      updatedAt: key.updatedAt,
      expiresAt: key.expiresAt ?? after(scope.now(), sessionOptions.of(scope).expiresIn),
      additionalFields: defaultSessionFields(scope, owner!),
      activeOrganizationId: null,
      impersonatedBy: null,
      endIsAwaited: false,
      method: null,
      proven: null,
      city: null,
      country: null,
    },
  }
}

/** Keys of an account that passes to whoever has proven its address. */
export const endKeys = (scope: Scope, userId: string, when: Condition): EndedAccess => ({
  statements: [deleteKeysOf(scope.db, userId, when)],
})

/** What the hosted screens are told. */
export function tellOfApiKeys(scope: Scope) {
  const { keyExpiration, maximumNameLength, permissions } = apiKeyOptions.of(scope)
  return {
    features: { apiKey: true },
    apiKey: {
      header: keyHeadersOf(scope)[0],
      /** Days. */
      minExpiresIn: keyExpiration.minExpiresIn,
      maxExpiresIn: keyExpiration.maxExpiresIn,
      customExpiry: !keyExpiration.disableCustomExpiresTime,
      /** Seconds, of keys whose maker says nothing; null: they do not expire. */
      defaultExpiresIn: keyExpiration.defaultExpiresIn,
      maximumNameLength,
      permissions: permissions.selectable,
    },
  }
}
