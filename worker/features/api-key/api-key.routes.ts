import { reading, routes } from '../../http/routes.ts'
import { apiKeyContract } from './api-key.contract.ts'
import { apiKeyErrors as errors } from './api-key.errors.ts'
import { findKey, holds, isManager, listKeysOfOrganization, listKeysOfUser } from './api-key.store.ts'
import { requireOwnProperties } from './check-properties.ts'
import { createKey, deleteKey, managed, updateKey } from './manage.ts'
import { rolesThatMay } from './organization-keys.ts'
import { presentKey } from './present-key.ts'

export const apiKeyRoutes = routes(apiKeyContract, {
  createApiKey: async ({ scope, caller, body }) => {
    const { organizationId, userId, ...properties } = requireOwnProperties(scope, caller.user.id, body)
    const owner = organizationId === undefined ? { userId: caller.user.id } : { organizationId }
    const { key, shown } = await createKey(scope, owner, properties, caller)
    return { ...presentKey(key), key: shown }
  },
  getApiKey: reading(
    ({ scope, own, query }) => [findKey(scope.db, query.id, own.userId, rolesThatMay(scope, 'read'))],
    (_call, [[key]]) => {
      if (!key) throw errors.API_KEY_NOT_FOUND()
      return presentKey(key)
    },
  ),
  listApiKeys: reading(
    ({ scope, own, query: { organizationId } }) => {
      if (organizationId === undefined) return [listKeysOfUser(scope.db, own.userId)]
      const may = isManager(own.userId, organizationId, rolesThatMay(scope, 'read'))
      return [listKeysOfOrganization(scope.db, organizationId, may), holds(scope.db, may)]
    },
    (_call, [keys, may]) => {
      if (may?.[0]?.holds === 0) throw errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION()
      return keys.map(presentKey)
    },
  ),
  updateApiKey: async ({ scope, caller, body }) => {
    const { keyId, userId, ...properties } = requireOwnProperties(scope, caller.user.id, body)
    return presentKey(await updateKey(scope, managed(scope, caller, keyId, 'update'), properties))
  },
  deleteApiKey: async ({ scope, caller, body }) => {
    await deleteKey(scope, caller, body.keyId)
    return { success: true }
  },
})
