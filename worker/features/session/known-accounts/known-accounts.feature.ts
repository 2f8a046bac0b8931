import { defineFeature } from '../../../http/feature.ts'
import { knownAccountsOptions } from './known-accounts.config.ts'
import type { OptionalPublicConfiguration } from './known-accounts.contract.ts'

export const knownAccountsFeature = defineFeature({
  name: 'known-accounts',
  options: knownAccountsOptions,
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { knownAccounts: true } }),
  places: ['sessionIssued', 'reactions'],
  endpoints: async () => (await import('./known-accounts.endpoints.ts')).knownAccountsEndpoints,
  parts: async () => (await import('./known-accounts.parts.ts')).knownAccountsParts,
})
