import { isPartyAccess, serverPermissionOf } from '../../http/endpoint.ts'
import { defineFeature } from '../../http/feature.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { apiKeyOptions, keyHeadersOf } from './api-key.config.ts'
import { keyRefusals } from './api-key.errors.ts'
import { apiKeyOperations } from './api-key.operations.ts'
import { apiKeyRoutes } from './api-key.routes.ts'
import { claimByApiKey, endAllKeys, endKeys, publicApiKeyConfig } from './api-key.steps.ts'
import { credentialOfKey, deleteExpiredKeys, describeKeysOf, hasKeyInUse } from './api-key.store.ts'
import { forgetKeys, forgetKeysOfOwner } from './forget-keys.ts'

export const apiKey = defineFeature({
  name: 'api-key',
  steps: {
    identifying: claimByApiKey,
    recording: forgetKeysOfOwner,
  },
  routes: apiKeyRoutes,
  operations: apiKeyOperations,
  options: apiKeyOptions,
  corsHeaders: (scope) => ({ request: keyHeadersOf(scope) }),
  // Visitors get them too, because a caller who sends a key expects to be identified.
  errorsAt: ({ access }) =>
    isPartyAccess(access) || serverPermissionOf({ access }) !== null
      ? []
      : [...Object.values(keyRefusals), httpErrors.API_KEY_ACCESS_DENIED],
  publicConfiguration: publicApiKeyConfig,
  aboutUser: { apiKeys: ({ db }, userId) => describeKeysOf(db, userId) },
  endingAccess: endKeys,
  endingKeys: endAllKeys,
  endingCredentials: (scope, which) => forgetKeys(scope, which(credentialOfKey)),
  outlivesSession(scope) {
    const { enabled, maxAge } = apiKeyOptions.of(scope).cache
    return enabled ? { here: maxAge } : {}
  },
  keepsGuest: (_scope, userId, since) => hasKeyInUse(userId, since),
  scheduled: (scope) => deleteExpiredKeys(scope.db, scope.now()),
})
