import type { AnswerOf } from '../../http/endpoint.ts'
import { reading, routes } from '../../http/routes.ts'
import { billingContract } from './billing.contract.ts'
import { createCheckout } from './checkout.ts'
import {
  customerState,
  listBenefits,
  listMeters,
  listOrders,
  listSubscriptions,
  openPortal,
} from './customer/portal.ts'
import { receiveWebhook } from './inbox/receive.ts'
import { verifyWebhook } from './inbox/verify.ts'
import { orderDocument } from './order-documents.ts'
import { listProducts } from './plans/plans.store.ts'
import { listPlans } from './plans/plans.ts'
import { ingestUsage } from './usage/usage.ts'
import { usageHistory } from './usage/usage-history.ts'

/** The provider's response; ask-provider.ts validates the fields that Gatehouse uses. */
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
    listPlans: reading(
      ({ scope }) => ({ products: listProducts(scope.db) }),
      ({ scope }, { products }) => listPlans(scope, products),
    ),
    orderDocument: ({ scope, caller, body }) => orderDocument(scope, caller, body),
    usageHistory: ({ scope, caller, query }) => usageHistory(scope, caller, query.meterId),
    ingestUsage: ({ scope, caller, body }) => ingestUsage(scope, caller, body),
    polarWebhook: ({ scope, party }) => receiveWebhook(scope, party),
  },
  { webhook: (scope, { request, raw }) => verifyWebhook(scope, request, raw) },
)
