import { defineFeature } from '../../http/feature.ts'
import { socialProviderOptions } from './social-providers.config.ts'

export const social = defineFeature({
  name: 'social',
  options: socialProviderOptions,
  gives: ['publicConfiguration', 'wayIn', 'jobs', 'keeps', 'stored'],
  endpoints: async () => (await import('./social.endpoints.ts')).socialEndpoints,
  parts: async () => (await import('./social.parts.ts')).socialParts,
  ends: async () => (await import('./social.ends.ts')).socialEnds,
})
