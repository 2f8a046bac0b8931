import { defineEndpoints } from '../../http/feature.ts'
import { twoFactorOperations } from './two-factor.operations.ts'
import { twoFactorRoutes } from './two-factor.routes.ts'

export const twoFactorEndpoints = defineEndpoints({
  routes: twoFactorRoutes,
  operations: twoFactorOperations,
})
