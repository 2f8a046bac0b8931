import * as z from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { httpErrors } from '../../http/http.errors.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { boundedRecord } from '../../kit/bounded-record.ts'
import { seconds } from '../../kit/time.ts'
import { badWebhook, billingErrors as errors } from './billing.errors.ts'

const value = z.union([
  z.string().max(500),
  z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
  z.boolean(),
])
const values = boundedRecord(z.string().max(40), value, 50)
const reference = z.string().min(1).max(200)

const page = {
  page: z.coerce.number<number | string>().int().min(1).max(1_000_000).optional(),
  limit: z.coerce.number<number | string>().int().min(1).max(100).optional(),
}
const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()

/** The provider's data in camelCase; only the fields that Gatehouse uses are named. */
const item = z.object({ id: z.string() }).catchall(z.any())
const list = z.object({
  result: z.object({
    items: z.array(item),
    pagination: z.object({ totalCount: z.int(), maxPage: z.int() }).catchall(z.any()),
  }),
})
/** An id of the provider. */
const providerId = z
  .string()
  .max(64)
  .regex(/^[\w-]+$/)
const interval = z.enum(['day', 'week', 'month', 'year'])
const plan = z.object({
  slug: z.string(),
  productId: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** The period is `intervalCount` times this. null: bought once. */
  interval: interval.nullable(),
  intervalCount: z.int(),
  trial: z.object({ interval, count: z.int() }).nullable(),
  recommended: z.boolean(),
  /** No longer sold. */
  isArchived: z.boolean(),
  /** Empty while the provider has not described the product. One price per currency, and prices of meters. */
  prices: z.array(
    z.object({
      kind: z.enum(['fixed', 'free', 'custom', 'seat', 'unit', 'metered', 'other']),
      currency: z.string(),
      /**
       * Minor units. For `custom` the minimum; for `seat`, `unit` and `metered` of one of them, with decimals, and of
       * several tiers the lowest.
       */
      amount: z.number().nullable(),
      /** The price of one by quantity, if it depends on it. `upTo`: the last quantity with this price. */
      tiers: z.array(z.object({ upTo: z.number().nullable(), amount: z.number() })).optional(),
      /** The name of the meter of a `metered` price. */
      unit: z.string().nullable(),
    }),
  ),
  benefits: z.array(z.object({ id: z.string(), type: z.string(), description: z.string() })),
})
const redirect = z.object({ url: z.string(), redirect: z.literal(true) })

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { billing: true }
  billing: {
    products: { productId: string; slug: string; name?: string; description?: string; recommended?: boolean }[]
    returnUrl: string | null
  }
}

export const billingContract = {
  checkout: post('/checkout', {
    summary: 'Creates a checkout and returns its URL at the billing provider',
    access: 'visitor',
    input: {
      body: z.object({
        products: z.union([reference, z.array(reference).max(50)]).optional(),
        slug: z.string().max(200).optional(),
        referenceId: reference.optional(),
        customFieldData: values.optional(),
        /** The currency of the checkout, such as `eur`. By default the provider decides. */
        currency: z
          .string()
          .max(3)
          .regex(/^[a-z]{3}$/)
          .optional(),
        metadata: values.optional(),
      }),
    },
    answer: redirect,
    errors: [
      errors.YOU_MUST_BE_LOGGED_IN_TO_CHECKOUT,
      errors.PRODUCT_NOT_FOUND,
      errors.REFERENCE_NOT_ALLOWED,
      errors.CHECKOUT_CREATION_FAILED,
    ],
    // One read for the caller, one for an organization that the reference names. One request to the provider, and one
    // retry.
    budget: { d1: 2, outside: 2 },
    changes: [],
  }),
  customerPortal: get('/customer/portal', {
    summary: "Returns a signed-in URL of the billing provider's customer portal",
    access: 'own-session',
    answer: redirect,
    errors: [coreErrors.UNAUTHORIZED, httpErrors.OWN_SESSION_REQUIRED, errors.CUSTOMER_PORTAL_CREATION_FAILED],
    budget: { d1: 1, outside: 2 },
    changes: [],
  }),
  customerState: get('/customer/state', {
    summary:
      'Returns the subscriptions, benefits and meters of the caller; `asOf` marks stored data while the provider is unavailable',
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
    // One read for the caller, one for the stored state if the provider fails.
    budget: { d1: 2, outside: 2 },
    changes: [],
  }),
  listBenefits: get('/customer/benefits/list', {
    summary: 'Lists the benefits of the caller',
    access: 'session',
    input: { query: z.object(page) },
    answer: list,
    errors: [coreErrors.UNAUTHORIZED, errors.BENEFITS_LIST_FAILED],
    budget: { d1: 1, outside: 3 },
    changes: [],
  }),
  listSubscriptions: get('/customer/subscriptions/list', {
    summary: 'Lists the subscriptions of the caller or of an organization of the caller',
    access: 'session',
    input: { query: z.object({ ...page, active: flag, referenceId: reference.optional() }) },
    answer: list,
    errors: [
      coreErrors.UNAUTHORIZED,
      errors.REFERENCE_NOT_ALLOWED,
      errors.POLAR_SUBSCRIPTIONS_LIST_FAILED,
      errors.SUBSCRIPTIONS_LIST_WITH_REFERENCEID_FAILED,
    ],
    budget: { d1: 2, outside: 3 },
    reads: { uses: ['permissions'] },
    changes: [],
  }),
  listOrders: get('/customer/orders/list', {
    summary: 'Lists the orders of the caller',
    access: 'session',
    input: { query: z.object({ ...page, productBillingType: z.enum(['recurring', 'one_time']).optional() }) },
    answer: list,
    errors: [coreErrors.UNAUTHORIZED, errors.ORDERS_LIST_FAILED],
    budget: { d1: 1, outside: 3 },
    changes: [],
  }),
  listPlans: get('/customer/plans/list', {
    summary:
      'Lists the configured products with their prices; `asOf` marks stored ones while the provider is unavailable',
    access: 'session',
    answer: z.object({ plans: z.array(plan), asOf: z.date().optional() }),
    errors: [coreErrors.UNAUTHORIZED],
    budget: { d1: 1, outside: 2 },
    changes: [],
  }),
  orderDocument: post('/customer/orders/document', {
    summary:
      'Returns the URL of an invoice or receipt; null while the provider makes it, so that the caller asks again',
    access: 'own-session',
    input: { body: z.object({ orderId: providerId, document: z.enum(['invoice', 'receipt']) }) },
    answer: z.object({ url: z.string().nullable() }),
    errors: [
      coreErrors.UNAUTHORIZED,
      httpErrors.OWN_SESSION_REQUIRED,
      errors.ORDER_NOT_FOUND,
      errors.ORDER_HAS_NO_INVOICE,
      errors.BILLING_DETAILS_MISSING,
      errors.INVOICE_FAILED,
    ],
    // A session at the provider, the order, its document; one retry.
    budget: { d1: 1, outside: 4 },
    limits: { rate: { max: 60, window: seconds(60) } },
    changes: [],
  }),
  usageHistory: get('/usage/meters/history', {
    summary: "Returns the caller's usage of a meter on each of the last 30 days (UTC)",
    access: 'session',
    input: { query: z.object({ meterId: providerId }) },
    answer: z.object({ days: z.array(z.object({ day: z.iso.date(), units: z.number() })), total: z.number() }),
    errors: [coreErrors.UNAUTHORIZED, errors.METERS_LIST_FAILED],
    budget: { d1: 1, outside: 2 },
    changes: [],
  }),
  listMeters: get('/usage/meters/list', {
    summary: 'Lists the usage meters of the caller',
    access: 'session',
    input: { query: z.object(page) },
    answer: list,
    errors: [coreErrors.UNAUTHORIZED, errors.METERS_LIST_FAILED],
    budget: { d1: 1, outside: 3 },
    changes: [],
  }),
  ingestUsage: post('/usage/ingest', {
    summary: 'Records usage of the caller, once per id that the caller passes',
    access: 'session',
    input: {
      body: z.object({
        event: z.string().min(1).max(128),
        metadata: values,
        /** The caller's id of the event. Events with the same id count once. */
        id: z.string().min(1).max(128).optional(),
      }),
    },
    answer: z.object({ inserted: z.int() }),
    errors: [coreErrors.UNAUTHORIZED, errors.NEGATIVE_USAGE, errors.INGESTION_FAILED],
    budget: { d1: 2, durable: 1, outside: 2 },
    limits: { rate: { max: 100, window: seconds(10) } },
    changes: ['usage'],
    audit: 'usage.ingest',
  }),
  polarWebhook: post('/polar/webhooks', {
    summary: 'Receives signed events of the billing provider (Standard Webhooks)',
    access: 'webhook',
    input: { raw: { json: z.looseObject({ type: z.string(), data: z.looseObject({}) }) } },
    answer: z.object({ received: z.literal(true) }),
    errors: [
      badWebhook,
      errors.WEBHOOK_ERROR_SEE_SERVER_LOGS_FOR_MORE_INFORMATION,
      httpErrors.PAYLOAD_TOO_LARGE,
      errors.WEBHOOK_BODY_MISSING,
      errors.WEBHOOK_SECRET_NOT_FOUND,
    ],
    // One batch for the job and the changes, one write for the result of the configured handlers.
    budget: { d1: 2 },
    changes: ['billing'],
    audit: 'polar.webhooks',
  }),
}
