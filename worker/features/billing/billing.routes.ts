import type { AnswerOf } from '../../http/endpoint.ts'
import { routes } from '../../http/routes.ts'
import { billingContract } from './billing.contract.ts'
import { createCheckout } from './checkout/checkout.ts'
import {
  customerState,
  listBenefits,
  listMeters,
  listOrders,
  listSubscriptions,
  openPortal,
} from './customer/portal.ts'
import { ingestUsage } from './usage/usage.ts'
import { receiveWebhook } from './webhook/receive.ts'
import { verifyWebhook } from './webhook/verify.ts'

/** As the provider tells it; ask-provider.ts has looked at what we rely on. */
type State = AnswerOf<typeof billingContract.customerState>

export const billingRoutes = routes(
  billingContract,
  {
    checkout: ({ scope, body }) => createCheckout(scope, body),
    customerPortal: ({ scope, caller }) => openPortal(scope, caller),
    customerState: ({ scope, caller }) => customerState(scope, caller) as Promise<State>,
    listBenefits: ({ scope, caller, query }) => listBenefits(scope, caller, query),
    listSubscriptions: ({ scope, caller, query }) => listSubscriptions(scope, caller, query),
    listOrders: ({ scope, caller, query }) => listOrders(scope, caller, query),
    listMeters: ({ scope, caller, query }) => listMeters(scope, caller, query),
    ingestUsage: ({ scope, caller, body }) => ingestUsage(scope, caller, body),
    polarWebhook: ({ scope, party }) => receiveWebhook(scope, party),
  },
  { webhook: (scope, { request, raw }) => verifyWebhook(scope, request, raw) },
)
