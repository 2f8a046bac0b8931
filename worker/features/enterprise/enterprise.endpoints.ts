import { defineEndpoints } from '../../http/feature.ts'
import { enterpriseOperations } from './enterprise.operations.ts'
import { enterpriseRoutes } from './enterprise.routes.ts'

export const enterpriseEndpoints = defineEndpoints({
  routes: enterpriseRoutes,
  operations: enterpriseOperations,
})
