import { defineFeature } from '../../http/feature.ts'
import { identityProviderOptions } from '../identity-provider/identity-provider.config.ts'
import { mcpOptions } from './mcp.config.ts'
import { mcpRoutes } from './mcp.routes.ts'

/** The identity provider for agents: authorization of the Model Context Protocol. */
export const mcp = defineFeature({
  name: 'mcp',
  routes: mcpRoutes,
  options: mcpOptions,
  on: (options) => identityProviderOptions.of({ options }).enabled,
})
