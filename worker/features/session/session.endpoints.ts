import { defineEndpoints } from '../../http/feature.ts'
import { sessionOperations } from './session.operations.ts'
import { sessionRoutes } from './session.routes.ts'

export const sessionEndpoints = defineEndpoints({
  routes: sessionRoutes,
  operations: sessionOperations,
})
