import { defineFeature } from '../../../http/feature.ts'
import { multiSessionOptions } from './multi-session.config.ts'
import type { OptionalPublicConfiguration } from './multi-session.contract.ts'

export const multiSession = defineFeature({
  name: 'multi-session',
  options: multiSessionOptions,
  publicConfiguration: (scope): OptionalPublicConfiguration => ({
    features: { multiSession: true },
    multiSession: { maximumSessions: multiSessionOptions.of(scope).maximumSessions },
  }),
  places: ['sessionIssued', 'sessionRead', 'signingOut'],
  endpoints: async () => (await import('./multi-session.endpoints.ts')).multiSessionEndpoints,
  parts: async () => (await import('./multi-session.parts.ts')).multiSessionParts,
})
