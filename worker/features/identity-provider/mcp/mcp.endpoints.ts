import { defineEndpoints } from '../../../http/feature.ts'
import { mcpRoutes } from './mcp.routes.ts'

export const mcpEndpoints = defineEndpoints({
  routes: mcpRoutes,
})
