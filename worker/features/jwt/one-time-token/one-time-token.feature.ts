import { defineFeature } from '../../../http/feature.ts'
import { oneTimeTokenOptions } from './one-time-token.config.ts'

export const oneTimeToken = defineFeature({
  name: 'one-time-token',
  options: oneTimeTokenOptions,
  endpoints: async () => (await import('./one-time-token.endpoints.ts')).oneTimeTokenEndpoints,
})
