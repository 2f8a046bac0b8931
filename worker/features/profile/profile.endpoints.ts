import { defineEndpoints } from '../../http/feature.ts'
import { profileOperations } from './profile.operations.ts'
import { profileRoutes } from './profile.routes.ts'

export const profileEndpoints = defineEndpoints({
  routes: profileRoutes,
  operations: profileOperations,
})
