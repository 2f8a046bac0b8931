import { defineFeature } from '../../http/feature.ts'
import { apiKeyOptions } from './api-key.config.ts'
import { endKeys, tellOfApiKeys } from './api-key.hooks.ts'
import { apiKeyRoutes } from './api-key.routes.ts'
import { deleteExpiredKeys, describeKeysOf } from './api-key.store.ts'

export const apiKey = defineFeature({
  name: 'api-key',
  routes: apiKeyRoutes,
  options: apiKeyOptions,
  publicConfiguration: tellOfApiKeys,
  aboutUser: { apiKeys: ({ db }, userId) => describeKeysOf(db, userId) },
  endingAccess: endKeys,
  scheduled: (scope) => deleteExpiredKeys(scope.db, scope.now()),
})
