import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { badWebhook, billingErrors as errors } from './billing.errors.ts'

const value = z.union([z.string().max(500), z.number(), z.boolean()])
const values = z
  .record(z.string().max(40), value)
  .refine((fields) => Object.keys(fields).length <= 50, 'at most 50 entries')
const reference = z.string().min(1).max(200)

const page = {
  page: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
}
const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()

/** What the provider tells, in camelCase; only what we rely on is named. */
const item = z.object({ id: z.string() }).catchall(z.any())
const list = z.object({
  result: z.object({
    items: z.array(item),
    pagination: z.object({ totalCount: z.int(), maxPage: z.int() }).catchall(z.any()),
  }),
})
const redirect = z.object({ url: z.string(), redirect: z.literal(true) })

export const billingContract = {
  checkout: endpoint({
    method: 'POST',
    path: '/checkout',
    summary: 'Begin a checkout: the address where the billing provider takes the payment',
    access: 'visitor',
    body: z.object({
      products: z.union([z.string(), z.array(z.string()).max(50)]).optional(),
      slug: z.string().optional(),
      referenceId: reference.optional(),
      customFieldData: values.optional(),
      metadata: values.optional(),
    }),
    answer: redirect,
    errors: [
      errors.YOU_MUST_BE_LOGGED_IN_TO_CHECKOUT,
      errors.PRODUCT_NOT_FOUND,
      errors.REFERENCE_NOT_ALLOWED,
      errors.CHECKOUT_CREATION_FAILED,
    ],
    // The caller; an organization that the reference names. The provider, and once more when it stumbles.
    budget: { d1: 2, outside: 2 },
    changes: [],
  }),
  customerPortal: endpoint({
    method: 'GET',
    path: '/customer/portal',
    summary: "The address of the billing provider's portal, where the caller is signed in",
    access: 'session',
    answer: redirect,
    errors: [coreErrors.UNAUTHORIZED, errors.CUSTOMER_PORTAL_CREATION_FAILED],
    budget: { d1: 1, outside: 2 },
    changes: [],
  }),
  customerState: endpoint({
    method: 'GET',
    path: '/customer/state',
    summary: 'What the caller has: subscriptions, benefits, meters. With `asOf` while the provider is down',
    access: 'session',
    answer: z
      .object({
        id: z.string(),
        activeSubscriptions: z.array(item),
        grantedBenefits: z.array(item),
        activeMeters: z.array(item),
        asOf: z.date().optional(),
      })
      .catchall(z.any()),
    errors: [coreErrors.UNAUTHORIZED, errors.SUBSCRIPTIONS_LIST_FAILED],
    // The caller; what webhooks have told, when the provider fails.
    budget: { d1: 2, outside: 2 },
    changes: [],
  }),
  listBenefits: endpoint({
    method: 'GET',
    path: '/customer/benefits/list',
    summary: "The caller's benefits",
    access: 'session',
    query: z.object(page),
    answer: list,
    errors: [coreErrors.UNAUTHORIZED, errors.BENEFITS_LIST_FAILED],
    budget: { d1: 1, outside: 3 },
    changes: [],
  }),
  listSubscriptions: endpoint({
    method: 'GET',
    path: '/customer/subscriptions/list',
    summary: "The caller's subscriptions, or those that were bought for an organization of theirs",
    access: 'session',
    query: z.object({ ...page, active: flag, referenceId: reference.optional() }),
    answer: list,
    errors: [
      coreErrors.UNAUTHORIZED,
      errors.REFERENCE_NOT_ALLOWED,
      errors.POLAR_SUBSCRIPTIONS_LIST_FAILED,
      errors.SUBSCRIPTIONS_LIST_WITH_REFERENCEID_FAILED,
    ],
    budget: { d1: 2, outside: 3 },
    changes: [],
  }),
  listOrders: endpoint({
    method: 'GET',
    path: '/customer/orders/list',
    summary: "The caller's orders",
    access: 'session',
    query: z.object({ ...page, productBillingType: z.enum(['recurring', 'one_time']).optional() }),
    answer: list,
    errors: [coreErrors.UNAUTHORIZED, errors.ORDERS_LIST_FAILED],
    budget: { d1: 1, outside: 3 },
    changes: [],
  }),
  listMeters: endpoint({
    method: 'GET',
    path: '/usage/meters/list',
    summary: "The caller's usage meters",
    access: 'session',
    query: z.object(page),
    answer: list,
    errors: [coreErrors.UNAUTHORIZED, errors.METERS_LIST_FAILED],
    budget: { d1: 1, outside: 3 },
    changes: [],
  }),
  ingestUsage: endpoint({
    method: 'POST',
    path: '/usage/ingest',
    summary: 'Count something that the caller has used',
    access: 'session',
    body: z.object({ event: z.string().min(1).max(128), metadata: values }),
    answer: z.object({ inserted: z.int() }),
    errors: [coreErrors.UNAUTHORIZED, errors.NEGATIVE_USAGE, errors.INGESTION_FAILED],
    budget: { d1: 2, outside: 2 },
    changes: ['usage'],
  }),
  polarWebhook: endpoint({
    method: 'POST',
    path: '/polar/webhooks',
    summary: 'Events of the billing provider, signed by it (Standard Webhooks)',
    access: 'webhook',
    raw: { json: z.looseObject({ type: z.string(), data: z.looseObject({}) }) },
    answer: z.object({ received: z.literal(true) }),
    errors: [
      badWebhook,
      errors.WEBHOOK_ERROR_SEE_SERVER_LOGS_FOR_MORE_INFORMATION,
      httpErrors.PAYLOAD_TOO_LARGE,
      errors.WEBHOOK_BODY_MISSING,
      errors.WEBHOOK_SECRET_NOT_FOUND,
    ],
    // The ledger with the effect in one batch; what became of the configured handlers.
    budget: { d1: 2 },
    changes: ['billing'],
  }),
}
