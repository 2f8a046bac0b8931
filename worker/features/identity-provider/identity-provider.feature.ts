import { defineFeature } from '../../http/feature.ts'
import { jwtOptions } from '../jwt/jwt.config.ts'
import { identityProviderOptions } from './identity-provider.config.ts'
import type { OptionalPublicConfiguration } from './identity-provider.contract.ts'

/** Signs users in to other applications: OAuth 2.0 and OpenID Connect. */
export const identityProvider = defineFeature({
  name: 'identity-provider',
  options: identityProviderOptions,
  // Clients verify its signatures with the keys of this feature.
  on: (options) => jwtOptions.of({ options }).enabled,
  publicConfiguration: (scope): OptionalPublicConfiguration => ({
    features: {
      identityProvider: true,
      ...(identityProviderOptions.of(scope).resourcesPerOrganization > 0 ? { organizationResources: true } : {}),
    },
  }),
  places: ['sessionIssued', 'recording'],
  gives: ['jobs', 'cron', 'revokes', 'stored'],
  endpoints: async () => (await import('./identity-provider.endpoints.ts')).identityProviderEndpoints,
  parts: async () => (await import('./identity-provider.parts.ts')).identityProviderParts,
  ends: async () => (await import('./identity-provider.ends.ts')).identityProviderEnds,
})
