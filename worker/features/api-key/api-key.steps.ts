import type { Caller, Claim } from '../../identity/caller.ts'
import type { EndedAccess } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { defaultSessionFields } from '../../identity/sessions/session-fields.ts'
import { sessionOptions } from '../../identity/sessions/sessions.config.ts'
import { ownOfNobody } from '../../identity/sessions/sessions.store.ts'
import { AppError } from '../../kit/errors.ts'
import { after } from '../../kit/time.ts'
import type { Condition, Statement } from '../../platform/statements.ts'
import { apiKeyOptions, keyHeadersOf } from './api-key.config.ts'
import { deleteKeysOf, keysOf, type OwnedKey, ownOfKey } from './api-key.store.ts'
import { forgetKeys } from './forget-keys.ts'
import { prepareUse } from './verify.ts'

/** A key opens a session of its owner. A rejected key is an error: the caller does not count as a visitor. */
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
  const use = prepareUse(scope, shown, { ofPerson: true }, scope.io.mayLag)
  if (use instanceof AppError) return { own: ownOfNobody, reads: {}, accept: () => accept(use) }
  return {
    get own() {
      return ownOfKey(use.hash)
    },
    reads: use.reads,
    accept: async (rows) => accept(await use.judge(rows)),
  }
}

/** The session of a key. It is not stored, and its authentication is never recent. */
function callerOf(scope: Scope, shown: string, { key, owner }: OwnedKey): Caller {
  const { ip, userAgent } = scope.request
  return {
    via: 'api-key',
    key: { id: key.id, access: key.access, permissions: key.permissions },
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
      activeTeamId: null,
      impersonatedBy: null,
      authenticatedAt: new Date(0),
      amr: ['api_key'],
      method: null,
      proven: null,
      city: null,
      country: null,
      upstream: null,
      deviceKey: null,
      number: null,
    },
  }
}

/** Deletes the keys of an account that passes to the owner of its address. */
export const endKeys = (scope: Scope, userId: string, when: Condition): EndedAccess => ({
  statements: [...forgetKeys(scope, keysOf(userId, when)), deleteKeysOf(scope.db, userId, when)],
})

export const endAllKeys = (scope: Scope, userId: string): Statement[] => [
  ...forgetKeys(scope, keysOf(userId)),
  deleteKeysOf(scope.db, userId),
]
