import type { models } from '@polar-sh/sdk/2026-10'
import { dated, nextId, type Offer, offerOf, organization, price, productOf, seller } from './billing-offers.ts'

/** The form of purchases at the fake billing provider, in the types of its SDK. */

/** The inputs of a customer. */
export interface NewCustomer {
  email: string
  name?: string | null
  external_id?: string | null
  metadata?: models.CustomerIndividual['metadata']
}

export function newCustomer(now: Date, given: NewCustomer): models.CustomerIndividual {
  return {
    id: nextId(),
    ...dated(now),
    metadata: given.metadata ?? {},
    external_id: given.external_id ?? null,
    email: given.email,
    email_verified: false,
    type: 'individual',
    name: given.name ?? null,
    billing_name: null,
    billing_address: null,
    tax_id: null,
    organization_id: seller,
    deleted_at: null,
    first_user_event_at: null,
    avatar_url: null,
  }
}

/** The form in the portal, with the metadata and custom fields that the API and webhooks add. */
export type Subscription = models.CustomerSubscription & Pick<models.Subscription, 'metadata' | 'custom_field_data'>

export function newSubscription(
  now: Date,
  offer: Offer,
  customerId: string,
  checkout: { id: string; metadata: Record<string, string | number | boolean> },
): Subscription {
  const end = new Date(now)
  end.setUTCMonth(end.getUTCMonth() + 1)
  return {
    id: nextId(),
    ...dated(now),
    amount: offer.amount,
    currency: 'usd',
    recurring_interval: offer.interval ?? 'month',
    recurring_interval_count: 1,
    status: 'active',
    current_period_start: now.toISOString(),
    current_period_end: end.toISOString(),
    current_meter_period_start: null,
    current_meter_period_end: null,
    trial_start: null,
    trial_end: null,
    cancel_at_period_end: false,
    canceled_at: null,
    started_at: now.toISOString(),
    ends_at: null,
    ended_at: null,
    pause_at_period_end: false,
    paused_at: null,
    resumes_at: null,
    customer_id: customerId,
    product_id: offer.id,
    discount_id: null,
    checkout_id: checkout.id,
    units: null,
    customer_cancellation_reason: null,
    customer_cancellation_comment: null,
    product: productOf(now, offer),
    prices: [price(now, offer)],
    meters: [],
    pending_update: null,
    metadata: checkout.metadata,
    custom_field_data: {},
  }
}

export function newOrder(
  now: Date,
  offer: Offer,
  customerId: string,
  bought: { subscription: Subscription | null; checkoutId: string },
): models.CustomerOrder {
  const { subscription, checkoutId } = bought
  return {
    id: nextId(),
    ...dated(now),
    status: 'paid',
    paid: true,
    subtotal_amount: offer.amount,
    discount_amount: 0,
    net_amount: offer.amount,
    tax_amount: 0,
    total_amount: offer.amount,
    applied_balance_amount: 0,
    due_amount: 0,
    refunded_amount: 0,
    refunded_tax_amount: 0,
    currency: 'usd',
    billing_reason: subscription ? 'subscription_create' : 'purchase',
    billing_name: null,
    billing_address: null,
    invoice_number: `SELLER-${nextId()}`,
    is_invoice_generated: false,
    receipt_number: null,
    units: null,
    customer_id: customerId,
    product_id: offer.id,
    discount_id: null,
    subscription_id: subscription?.id ?? null,
    checkout_id: checkoutId,
    product: productOf(now, offer),
    subscription: subscription as models.CustomerOrder['subscription'],
    items: [
      {
        id: nextId(),
        ...dated(now),
        label: offer.name,
        amount: offer.amount,
        tax_amount: 0,
        proration: false,
        product_price_id: `price_${offer.id}`,
        start_timestamp: null,
        end_timestamp: null,
      },
    ],
    description: offer.name,
    refundable_amount: offer.amount,
    refundable_tax_amount: 0,
  }
}

export function newGrant(
  now: Date,
  offer: Offer,
  customer: models.CustomerIndividual,
  bought: { subscriptionId: string | null; orderId: string },
): models.CustomerBenefitGrantCustom {
  const { id, created_at, modified_at, email, email_verified, name } = customer
  return {
    id: nextId(),
    ...dated(now),
    granted_at: now.toISOString(),
    revoked_at: null,
    customer_id: id,
    benefit_id: `benefit_${offer.id}`,
    subscription_id: bought.subscriptionId,
    order_id: bought.orderId,
    is_granted: true,
    is_revoked: false,
    customer: {
      id,
      created_at,
      modified_at,
      email,
      email_verified,
      name,
      billing_name: null,
      billing_address: null,
      tax_id: null,
      oauth_accounts: {},
    },
    benefit: {
      id: `benefit_${offer.id}`,
      ...dated(now),
      type: 'custom',
      description: offer.benefit,
      selectable: true,
      deletable: true,
      is_deleted: false,
      organization_id: seller,
      organization: organization(now) as unknown as models.BenefitCustomSubscriber['organization'],
      properties: { note: 'Thank you' },
    },
    properties: {},
  }
}

export const newMeter = (now: Date, customerId: string, meter: NonNullable<Offer['meter']>) =>
  ({
    id: nextId(),
    ...dated(now),
    customer_id: customerId,
    meter_id: meter.id,
    consumed_units: 0,
    credited_units: meter.units,
    balance: meter.units,
    meter: { id: meter.id, ...dated(now), name: meter.name },
  }) satisfies models.CustomerCustomerMeter

export interface CheckoutInput {
  products: string[]
  external_customer_id?: string | null
  success_url?: string | null
  metadata?: Record<string, string | number | boolean>
  custom_field_data?: Record<string, string | number | boolean | null>
}

export function newCheckout(
  now: Date,
  origin: string,
  input: CheckoutInput,
  customerId: string | null,
): models.Checkout {
  const offer = offerOf(input.products[0] ?? '')
  const id = nextId()
  const amount = offer?.amount ?? 0
  return {
    id,
    ...dated(now),
    custom_field_data: input.custom_field_data ?? {},
    payment_processor: 'stripe',
    status: 'open',
    client_secret: `secret_${id}`,
    url: `${origin}/checkout/${id}`,
    expires_at: new Date(now.getTime() + 3_600_000).toISOString(),
    success_url: (input.success_url ?? `${origin}/bought`).replace('{CHECKOUT_ID}', id),
    return_url: null,
    embed_origin: null,
    amount,
    units: null,
    min_units: null,
    max_units: null,
    discount_amount: 0,
    net_amount: amount,
    tax_amount: 0,
    tax_behavior: null,
    total_amount: amount,
    currency: 'usd',
    allow_trial: null,
    active_trial_interval: null,
    active_trial_interval_count: null,
    trial_end: null,
    organization_id: seller,
    product_id: offer?.id ?? null,
    product_price_id: offer ? `price_${offer.id}` : null,
    discount_id: null,
    allow_discount_codes: true,
    require_billing_address: false,
    is_discount_applicable: false,
    is_free_product_price: false,
    is_payment_required: true,
    is_payment_setup_required: false,
    is_payment_form_required: true,
    customer_id: customerId,
    is_business_customer: false,
    customer_name: null,
    customer_email: null,
    customer_ip_address: null,
    customer_billing_name: null,
    customer_billing_address: null,
    customer_tax_id: null,
    payment_method_type: null,
    payment_processor_metadata: {},
    billing_address_fields: {
      country: 'required',
      state: 'disabled',
      city: 'disabled',
      postal_code: 'disabled',
      line1: 'disabled',
      line2: 'disabled',
    },
    trial_interval: null,
    trial_interval_count: null,
    metadata: input.metadata ?? {},
    external_customer_id: input.external_customer_id ?? null,
    products: offer ? [productOf(now, offer)] : [],
    product: offer ? productOf(now, offer) : null,
    product_price: offer ? price(now, offer) : null,
    prices: null,
    discount: null,
    subscription_id: null,
    attached_custom_fields: null,
    customer_metadata: {},
  }
}
