import { defineFeature } from '../../http/feature.ts'
import { identityProviderOptions } from '../identity-provider/identity-provider.config.ts'
import { jwtOptions } from '../jwt/jwt.config.ts'

/** Clients of the identity provider that act for users (agents) or for themselves (services), with grants of their own. */
export const agents = defineFeature({
  name: 'agents',
  options: identityProviderOptions,
  on: (options) => jwtOptions.of({ options }).enabled,
  gives: ['oauth', 'jobs', 'cron', 'stored'],
  endpoints: async () => (await import('./agents.endpoints.ts')).agentsEndpoints,
  parts: async () => (await import('./agents.parts.ts')).agentsParts,
  ends: async () => (await import('./agents.ends.ts')).agentsEnds,
})
