import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { billingIsOn, billingOptions } from './billing.config.ts'
import type { OptionalPublicConfiguration } from './billing.contract.ts'

export const billing = defineFeature({
  name: 'billing',
  options: billingOptions,
  on: billingIsOn,
  publicConfiguration(scope: Scope): OptionalPublicConfiguration {
    const { products, returnUrl } = billingOptions.of(scope)
    return { features: { billing: true }, billing: { products, returnUrl } }
  },
  places: ['creatingUser', 'deletingUser', 'recording'],
  gives: ['jobs', 'keeps'],
  endpoints: async () => (await import('./billing.endpoints.ts')).billingEndpoints,
  parts: async () => (await import('./billing.parts.ts')).billingParts,
  ends: async () => (await import('./billing.ends.ts')).billingEnds,
})
