import { defineFeature } from '../../http/feature.ts'
import type { Scope } from '../../identity/scope.ts'
import { billingIsOn, billingOptions } from './billing.config.ts'
import { billingRoutes } from './billing.routes.ts'
import { deleteCustomer, makeCustomerOf, updateCustomerOf } from './customer/customer.ts'
import { sendWaitingUsage } from './usage/usage.ts'
import { retryWebhooks } from './webhook/receive.ts'

export const billing = defineFeature({
  name: 'billing',
  routes: billingRoutes,
  options: billingOptions,
  on: billingIsOn,
  publicConfiguration: (scope: Scope) => ({
    features: { billing: true },
    billing: { products: billingOptions.of(scope).products },
  }),
  tasks: {
    'billing-customer': makeCustomerOf,
    'billing-customer-update': updateCustomerOf,
    'billing-customer-deletion': deleteCustomer,
  },
  scheduled: async (scope: Scope) => {
    await retryWebhooks(scope)
    await sendWaitingUsage(scope)
  },
})
