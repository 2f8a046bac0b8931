import { defineEndpoints } from '../../http/feature.ts'
import { organizationOperations } from './organization.operations.ts'
import { organizationRoutes } from './organization.routes.ts'

export const organizationEndpoints = defineEndpoints({
  routes: organizationRoutes,
  operations: organizationOperations,
})
