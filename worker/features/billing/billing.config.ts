import * as z from 'zod'
import { callable, positive } from '../../kit/option-schema.ts'
import { defineOptions } from '../../kit/options.ts'
import { days, seconds } from '../../kit/time.ts'
import type { Env } from '../../platform/env.ts'
import type { EventType, WebhookEvent } from './webhook/events.ts'

/** What a handler gets beside the event. */
export interface HandlerContext {
  env: Env
}

/**
 * Handlers of webhook events, by type; `*` is asked for every event, after the one of its type. A handler that throws
 * is tried again, so it has to be one that may see an event twice.
 */
export type Handlers = {
  [T in EventType]?: (event: WebhookEvent<T>, context: HandlerContext) => unknown
} & { '*'?: (event: WebhookEvent, context: HandlerContext) => unknown }

/** What the provider keeps beside address and name of whoever becomes a customer. */
export type CustomerMetadata = (person: {
  id: string
  email: string
  name: string
}) => Record<string, string | number | boolean> | Promise<Record<string, string | number | boolean>>

/** Somewhere a request of ours goes, or waits in the database until it has gone. */
const whenToAsk = z.enum(['blocking', 'outbox'])

export const billingOptions = defineOptions(
  'billing',
  {
    /** null: on as soon as there is an `accessToken` or a product here. */
    enabled: null as boolean | null,
    /** `production`, `sandbox`, or the address of a server that speaks the provider's API. */
    server: 'production',
    /** A secret: POLAR_ACCESS_TOKEN, or in development here. */
    accessToken: null as string | null,
    /** A secret: POLAR_WEBHOOK_SECRET, or in development here. Several, separated by commas, while one is replaced. */
    webhookSecret: null as string | null,
    /** Everybody who signs up becomes a customer at the provider. */
    createCustomerOnSignUp: false,
    /** What the provider is told of them besides, when they become one. */
    customerMetadata: null as CustomerMetadata | null,
    /** `blocking`: a sign-up fails when the provider does. `outbox`: it is told afterwards, until it has heard. */
    onSignUp: 'blocking' as 'blocking' | 'outbox',
    /** The same for usage: `outbox` keeps the events here and sends them in batches. */
    onUsage: 'blocking' as 'blocking' | 'outbox',
    /** A person who is deleted is deleted at the provider too, with their invoices' names. */
    deleteCustomerOnDeletion: false,
    /** What can be bought by `slug`; name and description are for the hosted screen. */
    products: [] as { productId: string; slug: string; name?: string; description?: string }[],
    /** Where a checkout leads; below BASE_URL unless absolute. `{CHECKOUT_ID}` becomes its id. */
    successUrl: null as string | null,
    /** Nobody checks out without a session. */
    authenticatedUsersOnly: false,
    /** Whether the numbers of usage events may be below zero. */
    negativeUsage: false,
    on: {} as Handlers,
    /** How long the provider is waited for, once. */
    timeout: seconds(5),
    /** How long the id of a webhook is remembered. */
    ledgerLifetime: days(90),
  },
  { onSignUp: 'outbox', onUsage: 'outbox' },
  {
    enabled: z.boolean().nullable(),
    server: z.union([z.enum(['production', 'sandbox']), z.url({ protocol: /^https?$/ })]),
    accessToken: z.string().min(1).nullable(),
    webhookSecret: z.string().min(1).nullable(),
    customerMetadata: callable<CustomerMetadata>().nullable(),
    onSignUp: whenToAsk,
    onUsage: whenToAsk,
    products: z.array(
      z.strictObject({
        productId: z.string().min(1),
        slug: z.string().min(1),
        name: z.string().min(1).optional(),
        description: z.string().min(1).optional(),
      }),
    ),
    successUrl: z.string().min(1).nullable(),
    on: z.record(z.string(), callable()),
    ledgerLifetime: positive,
  },
)

export const billingIsOn = (options: Readonly<Record<string, unknown>>): boolean => {
  const { enabled, accessToken, products } = billingOptions.of({ options })
  return enabled ?? (accessToken !== null || products.length > 0)
}
