import { defineFeature } from '../../http/feature.ts'
import { anonymousOptions } from './anonymous.config.ts'
import type { OptionalPublicConfiguration } from './anonymous.contract.ts'

export const anonymous = defineFeature({
  name: 'anonymous',
  options: anonymousOptions,
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { anonymous: true } }),
  shows: { user: ['isAnonymous'] },
  places: ['signingIn'],
  gives: ['jobs', 'cron'],
  endpoints: async () => (await import('./anonymous.endpoints.ts')).anonymousEndpoints,
  parts: async () => (await import('./anonymous.parts.ts')).anonymousParts,
})
