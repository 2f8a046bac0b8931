import { defineEndpoints } from '../../../http/feature.ts'
import { teamsRoutes } from './teams.routes.ts'

export const teamsEndpoints = defineEndpoints({
  routes: teamsRoutes,
})
