import { reading, routes } from '../../http/routes.ts'
import { pageOf } from '../../kit/page.ts'
import { readCondition } from '../../platform/statements.ts'
import { apiKeyContract } from './api-key.contract.ts'
import { apiKeyErrors as errors } from './api-key.errors.ts'
import { findKey, isManager, keysThatMatch, listKeysOfOrganization, listKeysOfUser } from './api-key.store.ts'
import { requireOwnProperties } from './check-properties.ts'
import { presentKey } from './key-properties.ts'
import { createKey, deleteKey, keyRolesThatMay, managed, updateKey } from './manage.ts'

const foundAtOnce = 20

export const apiKeyRoutes = routes(apiKeyContract, {
  createApiKey: async ({ scope, caller, body }) => {
    const { organizationId, userId, ...properties } = requireOwnProperties(scope, caller.user.id, body)
    const owner = organizationId === undefined ? { userId: caller.user.id } : { organizationId }
    const { key, shown } = await createKey(scope, owner, properties, caller)
    return { ...presentKey(key), key: shown }
  },
  getApiKey: reading(
    ({ scope, own, query }) => ({ keys: findKey(scope.db, query.id, own.userId, keyRolesThatMay(scope, 'read')) }),
    (_call, { keys: [key] }) => {
      if (!key) throw errors.API_KEY_NOT_FOUND()
      return presentKey(key)
    },
  ),
  listApiKeys: reading(
    ({ scope, own, query: { organizationId, ...page } }) => {
      if (organizationId === undefined) {
        return { keys: listKeysOfUser(scope.db, own.userId, pageOf(page)), allowed: readCondition(scope.db) }
      }
      const may = isManager(own.userId, organizationId, keyRolesThatMay(scope, 'read'))
      return {
        keys: listKeysOfOrganization(scope.db, organizationId, may, pageOf(page)),
        allowed: readCondition(scope.db, may),
      }
    },
    (_call, { keys, allowed: [allowed] }) => {
      if (!allowed?.holds) throw errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION()
      return keys.map((key) => presentKey(key))
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
  findApiKeys: reading(
    ({ scope, query: { search, limit = foundAtOnce } }) => ({ keys: keysThatMatch(scope.db, search, limit) }),
    (_call, { keys }) => ({ keys }),
  ),
})
