import { isAdministratorFor } from '../../identity/registry.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { feedStatements, noteChange } from '../../identity/sessions/ended-sessions.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { type ServerPermission, serverPermissions } from '../../kit/server-permissions.ts'
import { actorStands } from '../admin/admin.store.ts'
import { makeServerKey, type NewServerKey } from './new-server-key.ts'
import { serverKeyOptions } from './server-keys.config.ts'
import { serverKeyErrors as errors } from './server-keys.errors.ts'
import * as store from './server-keys.store.ts'
import type { ServerKey } from './server-keys.table.ts'

/** A key as administrators see it. */
export const presentServerKey = ({ keyHash: _, createdBy, ...key }: ServerKey, creatorName: string | null) => ({
  ...key,
  createdBy: createdBy === null || creatorName === null ? null : { id: createdBy, name: creatorName },
})

/** Creates a key. @returns the row, and the key, which the response shows once */
export async function createServerKey(
  scope: Scope,
  caller: Caller,
  input: NewServerKey,
): Promise<{ row: ServerKey; shown: string }> {
  const { user, session } = caller
  const mayGrant = (name: string) => isAdministratorFor(scope, user, serverPermissions[name as ServerPermission])
  if (!input.permissions.every(mayGrant)) throw errors.YOU_CANNOT_GRANT_MORE_PERMISSIONS_THAN_YOU_HAVE()
  const made = makeServerKey(input, user.id, scope.now())
  const { id, name, permissions, addresses } = made.row
  const work = unitOfWork(scope)
  work.require(actorStands(scope.db, caller), errors.YOUR_PERMISSIONS_HAVE_CHANGED_IN_THE_MEANTIME)
  work.require(
    store.hasFewerServerKeys(serverKeyOptions.of(scope).maxKeys),
    errors.MAXIMUM_NUMBER_OF_SERVER_KEYS_REACHED,
  )
  work.run(store.insertServerKey(scope.db, made.row))
  const after = { name, permissions, addresses }
  work.audit({ action: 'create-server-key', subjectType: 'server-key', subjectId: id, after })
  securityEvent(scope, work, { type: 'server-key-created', user, sessionId: session.id, details: { id, name } })
  await work.commit()
  return made
}

/** Revokes a key. Its requests fail from now on here, and within 5 seconds elsewhere. @throws SERVER_KEY_NOT_FOUND */
export async function revokeServerKey(scope: Scope, caller: Caller, id: string): Promise<void> {
  const { user, session } = caller
  const work = unitOfWork(scope)
  work.require(actorStands(scope.db, caller), errors.YOUR_PERMISSIONS_HAVE_CHANGED_IN_THE_MEANTIME)
  work.run(feedStatements(scope, { ...store.rowsOfKey(id), prefix: 'server-key:' }))
  work.run(store.deleteServerKey(scope.db, id)).orFail(errors.SERVER_KEY_NOT_FOUND)
  work.audit({ action: 'revoke-server-key', subjectType: 'server-key', subjectId: id })
  securityEvent(scope, work, { type: 'server-key-revoked', user, sessionId: session.id, details: { id } })
  await work.commit()
  noteChange(scope, 'server-key:', id)
}
