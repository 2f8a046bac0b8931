import { defineFeature } from '../../http/feature.ts'
import type { PublicConfiguration } from './profile.contract.ts'

export const profile = defineFeature({
  name: 'profile',
  publicConfiguration: (): PublicConfiguration => ({ features: { pendingEmail: true } }),
  gives: ['cron'],
  endpoints: async () => (await import('./profile.endpoints.ts')).profileEndpoints,
  parts: async () => (await import('./profile.parts.ts')).profileParts,
})
