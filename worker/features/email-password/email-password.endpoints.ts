import { defineEndpoints } from '../../http/feature.ts'
import { emailPasswordOperations } from './email-password.operations.ts'
import { emailPasswordRoutes } from './email-password.routes.ts'

export const emailPasswordEndpoints = defineEndpoints({
  routes: emailPasswordRoutes,
  operations: emailPasswordOperations,
})
