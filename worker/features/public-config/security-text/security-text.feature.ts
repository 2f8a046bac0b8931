import { defineFeature } from '../../../http/feature.ts'
import { securityTextOptions } from './security-text.config.ts'

/** Where researchers report vulnerabilities (RFC 9116). */
export const securityText = defineFeature({
  name: 'securityText',
  options: securityTextOptions,
  on: (options) => securityTextOptions.of({ options }).contact.length > 0,
  endpoints: async () => (await import('./security-text.endpoints.ts')).securityTextEndpoints,
})
