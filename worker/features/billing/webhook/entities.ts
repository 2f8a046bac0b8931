import * as z from 'zod'

/**
 * What webhooks are about, as the specification describes it. Fields that the provider's API has given up or made
 * optional since may be missing; fields that it has added are let through.
 */

const id = z.string()
const text = z.string().nullish()
const amount = z.int()
const moment = z.iso.datetime({ offset: true })
const maybe = moment.nullish()
const metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
const customFieldData = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional()
const part = z.looseObject({})
const parts = z.array(part)

/** Common to nearly all. */
const common = { id, created_at: moment, modified_at: moment.nullable() }

const entity = <S extends z.ZodRawShape>(shape: S) => z.looseObject({ ...common, ...shape })

const address = z.looseObject({ country: z.string(), line1: text, line2: text, postal_code: text, city: text })

const customerFields = {
  metadata,
  external_id: z.string().nullish(),
  email: z.string().nullish(),
  email_verified: z.boolean(),
  name: text,
  billing_address: address.nullish(),
  tax_id: z.array(z.unknown()).nullish(),
  organization_id: id,
  deleted_at: maybe,
  avatar_url: text,
}

export const customer = entity(customerFields)

const meterAmounts = { meter_id: id, consumed_units: z.number(), credited_units: z.number() }

const recurrence = z.string()

export const customerState = entity({
  ...customerFields,
  active_subscriptions: z.array(
    entity({
      metadata,
      status: z.enum(['active', 'trialing']),
      amount: amount,
      currency: z.string(),
      recurring_interval: recurrence,
      current_period_start: moment,
      current_period_end: maybe,
      cancel_at_period_end: z.boolean(),
      canceled_at: maybe,
      started_at: maybe,
      ends_at: maybe,
      product_id: id,
      discount_id: text,
      meters: parts.optional(),
    }),
  ),
  granted_benefits: z.array(entity({ granted_at: moment, benefit_id: id, benefit_type: z.string(), properties: part })),
  active_meters: z.array(entity({ ...meterAmounts, balance: z.number() })),
})

const benefitFields = { description: z.string(), selectable: z.boolean(), deletable: z.boolean(), organization_id: id }

const benefitOf = <T extends string, P extends z.ZodRawShape>(type: T, properties: P) =>
  entity({ ...benefitFields, type: z.literal(type), metadata, properties: z.looseObject(properties) })

const limits = z.looseObject({ limit: z.int(), enable_customer_admin: z.boolean() })
const lifetime = z.looseObject({ ttl: z.int(), timeframe: z.enum(['year', 'month', 'day']) })

const known = [
  benefitOf('custom', { note: text }),
  benefitOf('discord', { guild_id: z.string(), role_id: z.string() }),
  benefitOf('github_repository', {
    repository_owner: z.string(),
    repository_name: z.string(),
    permission: z.enum(['pull', 'triage', 'push', 'maintain', 'admin']),
  }),
  benefitOf('downloadables', { archived: z.record(z.string(), z.boolean()), files: z.array(z.string()) }),
  benefitOf('license_keys', {
    prefix: text,
    expires: lifetime.nullish(),
    activations: limits.nullish(),
    limit_usage: z.int().nullish(),
  }),
  benefitOf('meter_credit', { units: z.number(), rollover: z.boolean(), meter_id: id }),
] as const

const knownTypes = known.map(({ shape }) => shape.type.value) as string[]

/** Types of benefit that have been added since are not known to us, and no reason to refuse an event. */
export const benefit = z.union([
  z.discriminatedUnion('type', known),
  entity({ ...benefitFields, type: z.string().refine((type) => !knownTypes.includes(type)) }),
])

export const benefitGrant = entity({
  granted_at: maybe,
  is_granted: z.boolean(),
  revoked_at: maybe,
  is_revoked: z.boolean(),
  subscription_id: text,
  order_id: text,
  customer_id: id,
  benefit_id: id,
  error: z.looseObject({ message: z.string(), type: z.string(), timestamp: z.string() }).nullish(),
  customer,
  benefit,
  properties: part,
  previous_properties: part.nullish(),
})

const price = entity({ amount_type: z.string(), is_archived: z.boolean(), product_id: id })

export const product = entity({
  name: z.string(),
  description: text,
  recurring_interval: recurrence.nullish(),
  is_recurring: z.boolean(),
  is_archived: z.boolean(),
  organization_id: id,
  metadata,
  prices: z.array(price),
  benefits: parts,
  medias: parts,
  attached_custom_fields: parts,
})

export const checkout = entity({
  custom_field_data: customFieldData,
  payment_processor: z.string(),
  status: z.enum(['open', 'expired', 'confirmed', 'succeeded', 'failed']),
  client_secret: z.string(),
  url: z.string(),
  expires_at: moment,
  success_url: z.string(),
  amount,
  discount_amount: amount,
  net_amount: amount,
  tax_amount: amount.nullish(),
  total_amount: amount,
  currency: z.string(),
  product_id: text,
  customer_id: text,
  metadata,
  products: parts,
})

export const order = entity({
  status: z.enum(['draft', 'pending', 'paid', 'refunded', 'partially_refunded', 'void']),
  paid: z.boolean(),
  subtotal_amount: amount,
  discount_amount: amount,
  net_amount: amount,
  tax_amount: amount,
  total_amount: amount,
  refunded_amount: amount,
  refunded_tax_amount: amount,
  currency: z.string(),
  billing_reason: z.string(),
  billing_name: text,
  billing_address: address.nullish(),
  customer_id: id,
  product_id: text,
  discount_id: text,
  subscription_id: text,
  checkout_id: text,
  metadata,
  custom_field_data: customFieldData,
  customer,
  items: z.array(entity({ label: z.string(), amount, tax_amount: amount, proration: z.boolean() })),
})

export const subscription = entity({
  amount,
  currency: z.string(),
  recurring_interval: recurrence,
  status: z.enum([
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'canceled',
    'unpaid',
    // Added by the provider since.
    'paused',
  ]),
  current_period_start: moment,
  current_period_end: maybe,
  cancel_at_period_end: z.boolean(),
  canceled_at: maybe,
  started_at: maybe,
  ends_at: maybe,
  ended_at: maybe,
  customer_id: id,
  product_id: id,
  discount_id: text,
  checkout_id: text,
  customer_cancellation_reason: text,
  customer_cancellation_comment: text,
  metadata,
  custom_field_data: customFieldData,
  customer,
  product: z.looseObject({ id, name: z.string() }),
  prices: parts,
  meters: z.array(entity({ ...meterAmounts, amount })),
})

export const refund = entity({
  status: z.enum(['pending', 'succeeded', 'failed', 'canceled']),
  reason: z.string(),
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

export const organization = entity({
  name: z.string(),
  slug: z.string(),
  avatar_url: text,
  email: text,
  website: text,
  socials: z.array(z.looseObject({ platform: z.string(), url: z.string() })),
  details_submitted_at: maybe,
  feature_settings: part.nullable(),
  subscription_settings: part,
})
