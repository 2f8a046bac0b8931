import { defineEndpoints } from '../../http/feature.ts'
import { adminErrors } from './admin.errors.ts'
import { adminOperations } from './admin.operations.ts'
import { adminRoutes } from './admin.routes.ts'

export const adminEndpoints = defineEndpoints({
  routes: adminRoutes,
  operations: adminOperations,
  errorsAt: ({ path }) => (path.startsWith('/delete-user') ? [adminErrors.THE_LAST_ADMINISTRATOR_MUST_REMAIN] : []),
})
