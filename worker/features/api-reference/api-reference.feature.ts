import { defineFeature } from '../../http/feature.ts'
import { apiReferenceOptions } from './api-reference.config.ts'

export const apiReference = defineFeature({
  name: 'api-reference',
  options: apiReferenceOptions,
  alsoAt: (options) => ({ reference: [apiReferenceOptions.of({ options }).path] }),
  endpoints: async () => (await import('./api-reference.endpoints.ts')).apiReferenceEndpoints,
})
