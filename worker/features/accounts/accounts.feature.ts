import { defineFeature } from '../../http/feature.ts'

export const accounts = defineFeature({
  name: 'accounts',
  endpoints: async () => (await import('./accounts.endpoints.ts')).accountsEndpoints,
})
