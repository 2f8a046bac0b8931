import { defineFeature } from '../../http/feature.ts'

export const securityLog = defineFeature({
  name: 'security-log',
  gives: ['jobs', 'cron'],
  endpoints: async () => (await import('./security-log.endpoints.ts')).securityLogEndpoints,
  parts: async () => (await import('./security-log.parts.ts')).securityLogParts,
})
