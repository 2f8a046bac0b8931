import { defineFeature } from '../../../http/feature.ts'
import { accountOptions } from '../../../identity/settings.ts'
import { codeRules } from './address.config.ts'
import { addressRoutes } from './address.routes.ts'

/** People who come by a provider that tells no address are asked for one (account.askForEmail). */
export const socialAddress = defineFeature({
  name: 'social-address',
  routes: addressRoutes,
  on: (options) => accountOptions.of({ options }).askForEmail,
  publicConfiguration: () => ({
    features: { askForEmail: true },
    addressCode: { digits: codeRules.length, lifetime: codeRules.expiresIn },
  }),
})
