import { isPartyAccess, serverPermissionOf } from '../../http/endpoint.ts'
import { defineEndpoints } from '../../http/feature.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { keyRefusals } from './api-key.errors.ts'
import { apiKeyOperations } from './api-key.operations.ts'
import { apiKeyRoutes } from './api-key.routes.ts'

export const apiKeyEndpoints = defineEndpoints({
  routes: apiKeyRoutes,
  operations: apiKeyOperations,
  // Visitors get them too, because a caller who sends a key expects to be identified.
  errorsAt: ({ access }) =>
    isPartyAccess(access) || serverPermissionOf({ access }) !== null
      ? []
      : [...Object.values(keyRefusals), httpErrors.API_KEY_ACCESS_DENIED],
})
