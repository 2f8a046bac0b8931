import { defineFeature } from '../../http/feature.ts'
import { enterpriseIsOn, enterpriseOptions } from './enterprise.config.ts'

/** Single sign-on of organizations: connections, verified domains, rules for sign-ins. */
export const enterprise = defineFeature({
  name: 'enterprise',
  options: enterpriseOptions,
  on: enterpriseIsOn,
  publicConfiguration: () => ({ features: { singleSignOn: true as const } }),
  places: ['signingIn', 'recording'],
  gives: ['forbids', 'cron', 'keeps', 'stored'],
  endpoints: async () => (await import('./enterprise.endpoints.ts')).enterpriseEndpoints,
  parts: async () => (await import('./enterprise.parts.ts')).enterpriseParts,
  ends: async () => (await import('./enterprise.ends.ts')).enterpriseEnds,
})
