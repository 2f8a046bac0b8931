import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { billingIsOn, billingOptions } from './billing.config.ts'
import type { OptionalPublicConfiguration } from './billing.contract.ts'
import { billingOperations } from './billing.operations.ts'
import { billingRoutes } from './billing.routes.ts'
import { endCustomer, makeCustomer, queueCustomerChange } from './customer/customer.steps.ts'
import { deleteCustomer, makeCustomerOf, updateCustomerOf } from './customer/customer.ts'
import { hasBought } from './entitlements/entitlements.store.ts'
import { inboxJobs } from './inbox/receive.ts'
import { usageJobs } from './usage/usage.ts'

export const billing = defineFeature({
  name: 'billing',
  steps: {
    creatingUser: makeCustomer,
    deletingUser: endCustomer,
    recording: queueCustomerChange,
  },
  routes: billingRoutes,
  operations: billingOperations,
  options: billingOptions,
  on: billingIsOn,
  publicConfiguration(scope: Scope): OptionalPublicConfiguration {
    const { products, returnUrl } = billingOptions.of(scope)
    return { features: { billing: true }, billing: { products, returnUrl } }
  },
  jobs: {
    'billing-customer': { run: makeCustomerOf, cost: 8 },
    'billing-customer-update': { run: updateCustomerOf, cost: 8 },
    'billing-customer-deletion': { run: deleteCustomer },
    ...inboxJobs,
    ...usageJobs,
  },
  keepsGuest: (scope, userId) => hasBought(userId, !billingOptions.of(scope).createCustomerOnSignUp),
})
