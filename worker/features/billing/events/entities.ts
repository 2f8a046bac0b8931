import * as z from 'zod'
import { benefit, grantProperties, publicBenefit } from './benefits.ts'
import * as parts from './parts.ts'
import { amount, entity, id, looseEntity, metadata, openEnum, optionalTimestamp, text, timestamp } from './parts.ts'

/** The schemas of webhook entities from the specification, as lenient as parts.ts describes. */

export { benefit }

const { address, attachedCustomFields, customFieldData, discount, interval, price } = parts

const customerFields = {
  metadata,
  external_id: text,
  email: text,
  email_verified: z.boolean(),
  name: text,
  billing_address: address.nullish(),
  tax_id: parts.taxId,
  organization_id: id,
  deleted_at: optionalTimestamp,
  avatar_url: text,
}

export const customer = entity(customerFields)

const meterAmounts = { meter_id: id, consumed_units: z.number(), credited_units: z.number() }

const period = {
  amount,
  currency: z.string(),
  recurring_interval: interval,
  current_period_start: timestamp,
  current_period_end: optionalTimestamp,
  cancel_at_period_end: z.boolean(),
  canceled_at: optionalTimestamp,
  started_at: optionalTimestamp,
  ends_at: optionalTimestamp,
  product_id: id,
  discount_id: text,
  metadata,
  custom_field_data: customFieldData,
}

export const customerStateEntity = entity({
  ...customerFields,
  active_subscriptions: z.array(
    entity({ ...period, status: z.enum(['active', 'trialing']), meters: z.array(looseEntity).optional() }),
  ),
  granted_benefits: z.array(
    entity({ granted_at: timestamp, benefit_id: id, benefit_type: z.string(), properties: grantProperties }),
  ),
  active_meters: z.array(entity({ ...meterAmounts, balance: z.number() })),
})

export const benefitGrant = entity({
  granted_at: optionalTimestamp,
  is_granted: z.boolean(),
  revoked_at: optionalTimestamp,
  is_revoked: z.boolean(),
  subscription_id: text,
  order_id: text,
  customer_id: id,
  benefit_id: id,
  error: z.looseObject({ message: z.string(), type: z.string(), timestamp: z.string() }).nullish(),
  customer,
  benefit,
  properties: grantProperties,
  previous_properties: grantProperties.nullish(),
})

const productFields = {
  name: z.string(),
  description: text,
  recurring_interval: interval.nullish(),
  is_recurring: z.boolean(),
  is_archived: z.boolean(),
  organization_id: id,
}

export const product = entity({
  ...productFields,
  metadata,
  prices: z.array(price),
  benefits: z.array(publicBenefit),
  medias: z.array(parts.media),
  attached_custom_fields: attachedCustomFields,
})

/** A product within a purchase, which has a part of its fields. */
const boughtProduct = entity({
  ...productFields,
  prices: z.array(price).optional(),
  benefits: z.array(publicBenefit).optional(),
  medias: z.array(parts.media).optional(),
})

export const checkout = entity({
  custom_field_data: customFieldData,
  payment_processor: openEnum('stripe'),
  status: z.enum(['open', 'expired', 'confirmed', 'succeeded', 'failed']),
  client_secret: z.string(),
  url: z.string(),
  expires_at: timestamp,
  success_url: z.string(),
  embed_origin: text,
  amount,
  discount_amount: amount,
  net_amount: amount,
  tax_amount: amount.nullish(),
  total_amount: amount,
  currency: z.string(),
  product_id: text,
  product_price_id: text,
  discount_id: text,
  allow_discount_codes: z.boolean(),
  require_billing_address: z.boolean(),
  is_discount_applicable: z.boolean(),
  is_free_product_price: z.boolean(),
  is_payment_required: z.boolean(),
  is_payment_setup_required: z.boolean(),
  is_payment_form_required: z.boolean(),
  customer_id: text,
  is_business_customer: z.boolean().optional(),
  customer_name: text,
  customer_email: text,
  customer_ip_address: text,
  customer_billing_name: text,
  customer_billing_address: address.nullish(),
  customer_tax_id: text,
  payment_processor_metadata: looseEntity,
  metadata,
  customer_external_id: text,
  products: z.array(boughtProduct),
  product: boughtProduct.nullish(),
  product_price: price.nullish(),
  discount: discount.nullish(),
  subscription_id: text,
  attached_custom_fields: attachedCustomFields.nullish(),
  customer_metadata: metadata,
  customer_billing_address_fields: z.record(z.string(), z.boolean()).optional(),
})

export const subscription = entity({
  ...period,
  status: z.enum([
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'canceled',
    'unpaid',
    // Added by the provider later.
    'paused',
  ]),
  ended_at: optionalTimestamp,
  customer_id: id,
  checkout_id: text,
  customer_cancellation_reason: openEnum(
    'customer_service',
    'low_quality',
    'missing_features',
    'switched_service',
    'too_complex',
    'too_expensive',
    'unused',
    'other',
  ).nullish(),
  customer_cancellation_comment: text,
  customer,
  product: boughtProduct,
  discount: discount.nullish(),
  prices: z.array(price),
  meters: z.array(entity({ ...meterAmounts, amount, meter: parts.meter })),
})

export const order = entity({
  status: z.enum(['draft', 'pending', 'paid', 'refunded', 'partially_refunded', 'void']),
  paid: z.boolean(),
  subtotal_amount: amount,
  discount_amount: amount,
  net_amount: amount,
  amount: amount.optional(),
  tax_amount: amount,
  total_amount: amount,
  refunded_amount: amount,
  refunded_tax_amount: amount,
  currency: z.string(),
  billing_reason: openEnum('purchase', 'subscription_create', 'subscription_cycle', 'subscription_update'),
  billing_name: text,
  billing_address: address.nullish(),
  is_invoice_generated: z.boolean(),
  customer_id: id,
  product_id: text,
  discount_id: text,
  subscription_id: text,
  checkout_id: text,
  metadata,
  custom_field_data: customFieldData,
  customer,
  user_id: text,
  product: boughtProduct.nullish(),
  discount: discount.nullish(),
  subscription: looseEntity.nullish(),
  items: z.array(
    entity({ label: z.string(), amount, tax_amount: amount, proration: z.boolean(), product_price_id: text }),
  ),
})

export const refund = entity({
  status: z.enum(['pending', 'succeeded', 'failed', 'canceled']),
  reason: openEnum(
    'duplicate',
    'fraudulent',
    'customer_request',
    'service_disruption',
    'satisfaction_guarantee',
    'other',
  ),
  amount,
  tax_amount: amount,
  currency: z.string(),
  organization_id: id,
  order_id: id,
  subscription_id: text,
  customer_id: id,
  revoke_benefits: z.boolean(),
  metadata,
})

const featureSettings = z.looseObject({
  issue_funding_enabled: z.boolean().default(false),
  usage_based_billing_enabled: z.boolean().default(false),
})

export const organization = entity({
  name: z.string(),
  slug: z.string(),
  avatar_url: text,
  email: text,
  website: text,
  socials: z.array(
    z.looseObject({
      platform: openEnum('x', 'github', 'facebook', 'instagram', 'youtube', 'tiktok', 'linkedin', 'other'),
      url: z.string(),
    }),
  ),
  details_submitted_at: optionalTimestamp,
  feature_settings: featureSettings.nullable(),
  subscription_settings: z.looseObject({
    allow_multiple_subscriptions: z.boolean(),
    allow_customer_updates: z.boolean().optional(),
    proration_behavior: openEnum('invoice', 'prorate').optional(),
  }),
})
