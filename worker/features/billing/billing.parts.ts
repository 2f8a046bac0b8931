import { defineParts } from '../../http/feature.ts'
import { endCustomer, makeCustomer, queueCustomerChange } from './customer/customer.steps.ts'
import { deleteCustomer, makeCustomerOf, updateCustomerOf } from './customer/customer.ts'
import { inboxJobs } from './inbox/receive.ts'
import { usageJobs } from './usage/usage.ts'

export const billingParts = defineParts({
  steps: {
    creatingUser: makeCustomer,
    deletingUser: endCustomer,
    recording: queueCustomerChange,
  },
  jobs: {
    'billing-customer': { run: makeCustomerOf, cost: 8 },
    'billing-customer-update': { run: updateCustomerOf, cost: 8 },
    'billing-customer-deletion': { run: deleteCustomer },
    ...inboxJobs,
    ...usageJobs,
  },
})
