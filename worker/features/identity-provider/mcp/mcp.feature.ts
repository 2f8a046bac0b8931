import { defineFeature } from '../../../http/feature.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { mcpOptions } from './mcp.config.ts'

/** The identity provider for agents: authorization of the Model Context Protocol. */
export const mcp = defineFeature({
  name: 'mcp',
  options: mcpOptions,
  on: (options) => identityProviderOptions.of({ options }).enabled,
  endpoints: async () => (await import('./mcp.endpoints.ts')).mcpEndpoints,
})
