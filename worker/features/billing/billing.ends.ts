import { defineEnds } from '../../http/feature.ts'
import { billingOptions } from './billing.config.ts'
import { hasBought } from './entitlements/entitlements.store.ts'

export const billingEnds = defineEnds({
  keeps: { guest: (scope, userId) => hasBought(userId, !billingOptions.of(scope).createCustomerOnSignUp) },
})
