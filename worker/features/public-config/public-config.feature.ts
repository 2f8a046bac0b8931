import { defineFeature } from '../../http/feature.ts'
import { signInOptions } from './sign-in.config.ts'

export const publicConfiguration = defineFeature({
  name: 'public-config',
  options: signInOptions,
  endpoints: async () => (await import('./public-config.endpoints.ts')).publicConfigurationEndpoints,
})
