import { defineFeature } from '../../../http/feature.ts'
import { customProviderOptions } from '../custom-providers.config.ts'

export const genericOAuth = defineFeature({
  name: 'generic-oauth',
  options: customProviderOptions,
  gives: ['keeps'],
  endpoints: async () => (await import('./generic.endpoints.ts')).genericOAuthEndpoints,
  ends: async () => (await import('./generic.ends.ts')).genericOAuthEnds,
})
