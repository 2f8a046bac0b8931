import * as z from 'zod'
import type { DeploymentFacts } from '../../identity/settings.ts'
import type { PlanOf, ProductTypes } from '../../kit/account-types.ts'
import { howToSet } from '../../kit/how-to-set.ts'
import { callable, defineOptions, flag, objectOf, positive, type Retyped, section } from '../../kit/options.ts'
import { days, hours, seconds } from '../../kit/time.ts'
import { isRelativePath } from '../../kit/urls.ts'
import type { AnyEnv, EnvOf } from '../../platform/env.ts'
import type { BillingEventType, WebhookEvent } from './events/events.ts'

/** The second argument of a handler. */
export interface HandlerContext<Own = AnyEnv> {
  /** The Worker's bindings, variables and secrets. */
  env: EnvOf<Own>
}

/**
 * Handlers of webhook events, by type; `*` is called for every event, after the handler of its type. A handler that throws
 * is called again, so it may get an event twice.
 */
export type BillingHandlers<Own = AnyEnv> = {
  [T in BillingEventType]?: (event: WebhookEvent<T>, context: HandlerContext<Own>) => unknown
} & { '*'?: (event: WebhookEvent, context: HandlerContext<Own>) => unknown }

/** Metadata of a new customer. */
export type CustomerMetadata = (person: {
  id: string
  email: string
  name: string
}) => Record<string, string | number | boolean> | Promise<Record<string, string | number | boolean>>

const whenToSend = z.enum(['blocking', 'outbox']).default('blocking')

export const billingOptions = defineOptions(
  'billing',
  () =>
    section({
      /** null: on if there is an `accessToken` or a product. */
      enabled: z.boolean().nullable().default(null),
      /** `production`, `sandbox`, or the address of a server with the provider's API. */
      server: z.union([z.enum(['production', 'sandbox']), z.url({ protocol: /^https?$/ })]).default('production'),
      /** A secret: POLAR_ACCESS_TOKEN, or in development here. */
      accessToken: z.string().min(1).nullable().default(null),
      /** A secret: POLAR_WEBHOOK_SECRET, or in development here. Several, separated by commas, during a rotation. */
      webhookSecret: z.string().min(1).nullable().default(null),
      /** A sign-up creates a customer at the provider. */
      createCustomerOnSignUp: flag(false),
      /** Metadata of a new customer at the provider. */
      customerMetadata: callable<CustomerMetadata>().nullable().default(null),
      /** `blocking`: a sign-up fails when the provider fails. `outbox`: the customer is created later, with retries. */
      onSignUp: whenToSend,
      /** The same for usage: `outbox` stores the events and sends them in batches. */
      onUsage: whenToSend,
      /** The deletion of a user also deletes the customer at the provider, with the name on invoices. */
      deleteCustomerOnDeletion: flag(false),
      /**
       * What users buy by `slug`. The hosted screen shows price, period and benefits from the provider, and `name` and
       * `description` instead of those of the provider. `recommended`: the plan with the solid button.
       */
      products: z
        .array(
          objectOf({
            /** The id of the product at the provider. */
            productId: z.string().min(1),
            /** The name of the product in checkouts: `auth.checkout({ slug })`. */
            slug: z.string().min(1),
            /** The name on the hosted screen. @default the one of the provider */
            name: z.string().min(1).optional(),
            /** The description on the hosted screen. @default the one of the provider */
            description: z.string().min(1).optional(),
            /** Whether it is the plan with the solid button. */
            recommended: z.boolean().optional(),
          }),
        )
        .default([]),
      /** How long (s) products are shown without being read from the provider again; its webhooks replace them earlier. */
      productsLifetime: positive.default(hours(1)),
      /** The target of a checkout; below BASE_URL unless absolute. `{CHECKOUT_ID}` becomes its id. */
      successUrl: z.string().min(1).nullable().default(null),
      /** The product's address or path, to which "Back to <appName>" leads after a purchase. */
      returnUrl: z
        .string()
        .refine(
          (text) => isRelativePath(text) || /^https?:$/.test(protocolOf(text)),
          'must be an http(s) address, or a path',
        )
        .nullable()
        .default(null),
      /** A checkout requires a session. */
      authenticatedUsersOnly: flag(false),
      /** Whether usage events accept numbers below zero. */
      negativeUsage: flag(false),
      /** Your functions for webhook events of the provider, by type (`order.paid`); `*` gets every event. One that throws is called again. */
      on: (z.record(z.string(), callable()) as unknown as z.ZodType<BillingHandlers, BillingHandlers>).default({}),
      /** Timeout (s) of a request to the provider. */
      timeout: positive.default(seconds(5)),
      /**
       * How long a webhook's id is stored after it is processed, and its body after its handlers have failed permanently.
       */
      ledgerLifetime: positive.default(days(90)),
      /** How long rejected usage is stored. */
      refusedUsageLifetime: positive.default(days(90)),
    }),
  {
    strict: { onSignUp: 'outbox', onUsage: 'outbox' },
    contradictions: (own, { env }: DeploymentFacts) => [
      [
        isOn(own) && !own.accessToken && !env.POLAR_ACCESS_TOKEN,
        'POLAR_ACCESS_TOKEN',
        `is missing; ${howToSet('POLAR_ACCESS_TOKEN')}, or remove the products from billing`,
      ],
    ],
  },
)

const protocolOf = (text: string) => (URL.canParse(text) ? new URL(text).protocol : '')

const isOn = (own: { enabled: boolean | null; accessToken: string | null; products: unknown[] }): boolean =>
  own.enabled ?? (own.accessToken !== null || own.products.length > 0)

export const billingIsOn = (options: Readonly<Record<string, unknown>>): boolean => isOn(billingOptions.of({ options }))

type Sold = NonNullable<NonNullable<(typeof billingOptions)['strict']>['products']>[number]

export interface TypedBillingOptions<T extends ProductTypes> {
  billing?: Retyped<
    typeof billingOptions,
    { on?: BillingHandlers<T['env']>; products?: readonly (Omit<Sold, 'slug'> & { slug: PlanOf<T['product']> })[] }
  >
}
