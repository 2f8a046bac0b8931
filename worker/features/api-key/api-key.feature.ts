import { defineFeature } from '../../http/feature.ts'
import { apiKeyOptions } from './api-key.config.ts'
import { endKeys, tellOfApiKeys } from './api-key.hooks.ts'
import { apiKeyRoutes } from './api-key.routes.ts'
import { deleteExpiredKeys } from './api-key.store.ts'

export const apiKey = defineFeature({
  name: 'api-key',
  routes: apiKeyRoutes,
  options: apiKeyOptions,
  publicConfiguration: tellOfApiKeys,
  endingAccess: endKeys,
  scheduled: (scope) => deleteExpiredKeys(scope.db, scope.now()),
})
