import { defineEndpoints } from '../../http/feature.ts'
import { billingOperations } from './billing.operations.ts'
import { billingRoutes } from './billing.routes.ts'

export const billingEndpoints = defineEndpoints({
  routes: billingRoutes,
  operations: billingOperations,
})
