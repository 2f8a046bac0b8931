import { defineFeature } from '../../../http/feature.ts'
import { accountOptions } from '../../../identity/accounts/accounts.config.ts'
import { codeRules } from './address.config.ts'
import type { OptionalPublicConfiguration } from './address.contract.ts'

/** Asks for an email address when the provider does not return one (account.askForEmail). */
export const socialAddress = defineFeature({
  name: 'social-address',
  on: (options) => accountOptions.of({ options }).askForEmail,
  publicConfiguration: (): OptionalPublicConfiguration => ({
    features: { askForEmail: true },
    addressCode: { digits: codeRules.length, lifetime: codeRules.expiresIn },
  }),
  endpoints: async () => (await import('./address.endpoints.ts')).socialAddressEndpoints,
})
