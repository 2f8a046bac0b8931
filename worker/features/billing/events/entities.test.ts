import { describe, expect, it } from 'vitest'
import { type BillingEventType, parseEvent } from './events.ts'

/**
 * Each entity of the specification with its fields, in each variant, as the provider's API returned it when the
 * specification was written. webhook.test.ts covers the current fields with the types of the SDK.
 */

const moment = '2026-05-01T12:00:00.123456+02:00'
const dated = { id: 'id_1', created_at: moment, modified_at: null }
const metadata = { text: 'a', number: 1.5, yes: true }
const seller = { organization_id: 'org_1' }
const address = { line1: null, line2: null, postal_code: '1010', city: 'Wien', state: null, country: 'AT' }

const customer = {
  ...dated,
  metadata,
  external_id: null,
  email: 'buyer@example.com',
  email_verified: true,
  name: null,
  billing_address: address,
  tax_id: ['ATU12345678', 'eu_vat'],
  ...seller,
  deleted_at: null,
  avatar_url: 'https://images.example.com/a.png',
}

const publicBenefit = { ...dated, type: 'custom', description: 'Help', selectable: true, deletable: false, ...seller }

const benefitProperties: [type: string, properties: object][] = [
  ['custom', { note: null }],
  ['discord', { guild_id: 'g', role_id: 'r', guild_token: 't' }],
  ...['pull', 'triage', 'push', 'maintain', 'admin'].map((permission): [string, object] => [
    'github_repository',
    { repository_owner: 'o', repository_name: 'n', permission },
  ]),
  ['downloadables', { archived: { file_1: false }, files: ['file_1'] }],
  ['license_keys', { prefix: null, expires: null, activations: null, limit_usage: null }],
  ...['year', 'month', 'day'].map((timeframe): [string, object] => [
    'license_keys',
    {
      prefix: 'KEY',
      expires: { ttl: 2, timeframe },
      activations: { limit: 3, enable_customer_admin: true },
      limit_usage: 4,
    },
  ]),
  ['meter_credit', { units: 10, rollover: true, meter_id: 'meter_1' }],
]
const benefits = benefitProperties.map(([type, properties]) => ({ ...publicBenefit, type, properties, metadata }))

const grantProperties = [
  {},
  { account_id: 'a', guild_id: 'g', role_id: 'r' },
  { account_id: 'a', repository_owner: 'o', repository_name: 'n', permission: 'pull' },
  { files: ['file_1'] },
  { license_key_id: 'l', display_key: '****-1' },
]
const grantOf = (properties: object) => ({
  ...dated,
  granted_at: moment,
  is_granted: true,
  revoked_at: null,
  is_revoked: false,
  subscription_id: null,
  order_id: 'order_1',
  customer_id: 'id_1',
  benefit_id: 'id_1',
  error: { message: 'no such account', type: 'BenefitActionRequired', timestamp: moment },
  customer,
  properties,
  benefit: benefits[0],
  previous_properties: properties,
})

const priceFields = {
  ...dated,
  is_archived: false,
  product_id: 'prod_1',
  type: 'recurring',
  recurring_interval: 'month',
}
const once = { type: 'one_time', recurring_interval: null }
const currency = { price_currency: 'eur' }
const prices = [
  { ...priceFields, amount_type: 'fixed', ...currency, price_amount: 1900 },
  { ...priceFields, ...once, amount_type: 'fixed', ...currency, price_amount: 1900 },
  {
    ...priceFields,
    ...once,
    amount_type: 'custom',
    ...currency,
    minimum_amount: 100,
    maximum_amount: null,
    preset_amount: 5,
  },
  { ...priceFields, amount_type: 'free' },
  {
    ...priceFields,
    recurring_interval: 'year',
    amount_type: 'metered_unit',
    ...currency,
    unit_amount: '0.000125',
    cap_amount: null,
    meter_id: 'meter_1',
    meter: { id: 'meter_1', name: 'Calls' },
  },
  { ...priceFields, amount_type: 'fixed', ...currency, price_amount: 1900, legacy: true },
  {
    ...priceFields,
    amount_type: 'custom',
    ...currency,
    minimum_amount: null,
    maximum_amount: null,
    preset_amount: null,
    legacy: true,
  },
  { ...priceFields, amount_type: 'free', legacy: true },
]

const media = {
  id: 'file_1',
  ...seller,
  name: 'a.png',
  path: '/a.png',
  mime_type: 'image/png',
  size: 1024,
  storage_version: null,
  checksum_etag: null,
  checksum_sha256_base64: null,
  checksum_sha256_hex: null,
  last_modified_at: null,
  version: null,
  service: 'product_media',
  is_uploaded: true,
  created_at: moment,
  size_readable: '1 KB',
  public_url: 'https://files.example.com/a.png',
}

const words = { form_label: 'Size', form_help_text: 'Yours', form_placeholder: 'M' }
const customFields = [
  ['checkbox', words],
  ['date', { ...words, ge: 1, le: 2 }],
  ['number', { ge: -1, le: 2 }],
  ['select', { ...words, options: [{ value: 'm', label: 'M' }] }],
  ['text', { ...words, textarea: true, min_length: 1, max_length: 20 }],
] as const
const attached = customFields.map(([type, properties], order) => ({
  custom_field_id: 'id_1',
  custom_field: { ...dated, metadata, type, slug: 'size', name: 'Size', ...seller, properties },
  order,
  required: true,
}))

const bought = {
  ...dated,
  name: 'Pro',
  description: null,
  recurring_interval: 'month',
  is_recurring: true,
  is_archived: false,
  ...seller,
  prices,
  benefits: [publicBenefit],
  medias: [media],
  attached_custom_fields: attached,
}
const product = { ...bought, metadata, benefits }

const whole = {
  ...dated,
  metadata,
  starts_at: null,
  ends_at: null,
  max_redemptions: null,
  redemptions_count: 0,
  ...seller,
}
const named = { id: 'discount_1', name: 'Spring', code: null }
const discounts = [
  { type: 'fixed', amount: 500, currency: 'eur' },
  { type: 'percentage', basis_points: 1250 },
].flatMap((kind) =>
  [{ duration: 'once' }, { duration: 'forever' }, { duration: 'repeating', duration_in_months: 3 }].flatMap(
    (duration) => [
      { ...named, ...kind, ...duration },
      { ...whole, ...named, ...kind, ...duration },
    ],
  ),
)

const checkout = {
  ...dated,
  custom_field_data: { a: 'b', n: 1, yes: true, on: moment, none: null },
  payment_processor: 'stripe',
  status: 'open',
  client_secret: 'c',
  url: 'https://example.com/c',
  expires_at: moment,
  success_url: 'https://example.com/bought',
  embed_origin: null,
  amount: 1900,
  discount_amount: 0,
  net_amount: 1900,
  tax_amount: null,
  total_amount: 1900,
  currency: 'eur',
  product_id: 'prod_1',
  product_price_id: 'price_1',
  discount_id: null,
  allow_discount_codes: true,
  require_billing_address: false,
  is_discount_applicable: true,
  is_free_product_price: false,
  is_payment_required: true,
  is_payment_setup_required: false,
  is_payment_form_required: true,
  customer_id: null,
  is_business_customer: false,
  customer_name: null,
  customer_email: null,
  customer_ip_address: '203.0.113.7',
  customer_billing_name: null,
  customer_billing_address: address,
  customer_tax_id: null,
  payment_processor_metadata: { intent: 'i' },
  metadata,
  customer_external_id: null,
  products: [bought],
  product: bought,
  product_price: prices[0],
  discount: null,
  subscription_id: null,
  attached_custom_fields: attached,
  customer_metadata: metadata,
  customer_billing_address_fields: {
    country: true,
    state: false,
    city: false,
    postal_code: false,
    line1: false,
    line2: false,
  },
}

const meterOf = (aggregation: object) => ({
  ...dated,
  name: 'Calls',
  filter: {
    conjunction: 'and',
    clauses: [
      { property: 'name', operator: 'eq', value: 'call' },
      {
        conjunction: 'or',
        clauses: ['ne', 'gt', 'gte', 'lt', 'lte', 'like', 'not_like'].map((operator) => ({
          property: 'n',
          operator,
          value: 1,
        })),
      },
    ],
  },
  aggregation,
  ...seller,
  metadata,
})
const aggregations = [{ func: 'count' }, ...['sum', 'max', 'min', 'avg'].map((func) => ({ func, property: 'n' }))]

const period = {
  ...dated,
  amount: 1900,
  currency: 'eur',
  recurring_interval: 'month',
  current_period_start: moment,
  current_period_end: null,
  cancel_at_period_end: false,
  canceled_at: null,
  started_at: null,
  ends_at: null,
  product_id: 'prod_1',
  discount_id: null,
  metadata,
  custom_field_data: {},
}
const subscription = {
  ...period,
  status: 'active',
  ended_at: null,
  customer_id: 'id_1',
  checkout_id: null,
  customer_cancellation_reason: null,
  customer_cancellation_comment: null,
  customer,
  product,
  discount: null,
  prices,
  meters: aggregations.map((aggregation) => ({
    ...dated,
    consumed_units: 1.5,
    credited_units: 10,
    amount: 0,
    meter_id: 'meter_1',
    meter: meterOf(aggregation),
  })),
}

const order = {
  ...dated,
  status: 'paid',
  paid: true,
  subtotal_amount: 1900,
  discount_amount: 0,
  net_amount: 1900,
  amount: 1900,
  tax_amount: 0,
  total_amount: 1900,
  refunded_amount: 0,
  refunded_tax_amount: 0,
  currency: 'eur',
  billing_reason: 'purchase',
  billing_name: null,
  billing_address: null,
  is_invoice_generated: false,
  customer_id: 'id_1',
  product_id: 'prod_1',
  discount_id: null,
  subscription_id: null,
  checkout_id: null,
  metadata,
  custom_field_data: {},
  customer,
  user_id: 'user_1',
  product,
  discount: null,
  subscription: null,
  items: [{ ...dated, label: 'Pro', amount: 1900, tax_amount: 0, proration: false, product_price_id: null }],
}

const refund = {
  ...dated,
  status: 'succeeded',
  reason: 'other',
  amount: 1900,
  tax_amount: 0,
  currency: 'eur',
  ...seller,
  order_id: 'order_1',
  subscription_id: null,
  customer_id: 'id_1',
  revoke_benefits: true,
  metadata,
}

const platforms = ['x', 'github', 'facebook', 'instagram', 'youtube', 'tiktok', 'linkedin', 'other']
const organization = {
  ...dated,
  name: 'Seller',
  slug: 'seller',
  avatar_url: null,
  email: null,
  website: null,
  socials: platforms.map((platform) => ({ platform, url: 'https://example.com' })),
  details_submitted_at: null,
  feature_settings: { issue_funding_enabled: true, usage_based_billing_enabled: true },
  subscription_settings: {
    allow_multiple_subscriptions: false,
    allow_customer_updates: true,
    proration_behavior: 'prorate',
  },
}

const state = {
  ...customer,
  active_subscriptions: [{ ...period, status: 'active', meters: [] }],
  granted_benefits: grantProperties.map((properties) => ({
    ...dated,
    granted_at: moment,
    benefit_id: 'id_1',
    benefit_type: 'custom',
    properties,
  })),
  active_meters: [{ ...dated, meter_id: 'meter_1', consumed_units: 1, credited_units: 2, balance: 1 }],
}

const each = (entity: object, field: string, values: string) =>
  values.split(' ').map((value) => ({ ...entity, [field]: value }))

/** An event for each entity in all its variants. */
const entities: [BillingEventType, object[]][] = [
  ['customer.created', [customer, { ...customer, tax_id: null, billing_address: null }]],
  ['customer.state_changed', [state]],
  ['benefit.created', benefits],
  ['benefit_grant.created', grantProperties.map(grantOf)],
  [
    'checkout.created',
    [
      ...each(checkout, 'status', 'open expired confirmed succeeded failed'),
      ...discounts.map((discount) => ({ ...checkout, discount })),
    ],
  ],
  [
    'order.created',
    [
      ...each(order, 'status', 'pending paid refunded partially_refunded'),
      ...each(order, 'billing_reason', 'purchase subscription_create subscription_cycle subscription_update'),
      { ...order, subscription: period, discount: discounts[1], billing_address: address },
    ],
  ],
  ['organization.updated', [organization, { ...organization, feature_settings: null }]],
  ['product.created', [product, { ...product, recurring_interval: null, is_recurring: false }]],
  [
    'refund.created',
    [
      ...each(refund, 'status', 'pending succeeded failed canceled'),
      ...each(
        refund,
        'reason',
        'duplicate fraudulent customer_request service_disruption satisfaction_guarantee other',
      ),
    ],
  ],
  [
    'subscription.created',
    [
      ...each(subscription, 'status', 'incomplete incomplete_expired trialing active past_due canceled unpaid'),
      ...each(
        subscription,
        'customer_cancellation_reason',
        'customer_service low_quality missing_features switched_service too_complex too_expensive unused other',
      ),
      ...discounts.map((discount) => ({ ...subscription, discount })),
    ],
  ],
]

const parse = (type: BillingEventType, data: unknown) => parseEvent(type, { type, timestamp: moment, data })

describe('what the specification describes is read, and handed on as it came', () => {
  it.each(entities)('%s', (type, variants) => {
    for (const data of variants) expect(parse(type, data)).toEqual({ type, timestamp: moment, data })
  })

  it('what has been added since as well: fields, kinds and words', () => {
    const price = { ...dated, amount_type: 'seat_based', tiers: [] }
    const more = { ...product, prices: [price], visibility: 'public', benefits: [{ ...publicBenefit, type: 'slack' }] }
    expect(parse('product.updated', more).data).toEqual(more)
    const flag = { ...publicBenefit, type: 'feature_flag', properties: {}, metadata }
    expect(parse('benefit.updated', flag).data).toEqual(flag)
    expect(parse('refund.updated', { ...refund, reason: 'dispute_prevention' }).data).toMatchObject({ metadata })
  })

  it('the settings of a seller that are not told are off', () => {
    const { data } = parse('organization.updated', { ...organization, feature_settings: {} })
    expect(data).toMatchObject({
      feature_settings: { issue_funding_enabled: false, usage_based_billing_enabled: false },
    })
  })
})

/** The error of each, and the entity with one changed field. */
const wrong: [BillingEventType, string, object][] = [
  ['customer.updated', 'an address without a country', { ...customer, billing_address: { city: 'Wien' } }],
  ['customer.updated', 'a time without an offset', { ...customer, modified_at: '2026-05-01T12:00:00' }],
  ['customer.updated', 'a day for a time', { ...customer, created_at: '2026-05-01' }],
  ['customer.updated', 'metadata of metadata', { ...customer, metadata: { a: {} } }],
  ...prices.flatMap((price): [BillingEventType, string, object][] =>
    ['price_amount', 'minimum_amount', 'cap_amount']
      .filter((field) => field in price)
      .map((field) => ['product.updated', `${field} in part`, { ...product, prices: [{ ...price, [field]: 0.5 }] }]),
  ),
  ['product.updated', 'a price per unit as a number', { ...product, prices: [{ ...prices[4], unit_amount: 0.5 }] }],
  ['product.updated', 'a file of another service', { ...product, medias: [{ ...media, service: 'avatar' }] }],
  [
    'product.updated',
    'a list to choose from without a list',
    {
      ...product,
      attached_custom_fields: [
        { ...attached[3], custom_field: { ...attached[3]!.custom_field, properties: { options: null } } },
      ],
    },
  ],
  ...benefits
    .filter(({ type }) => type !== 'custom')
    .map((benefit): [BillingEventType, string, object] => [
      'benefit.updated',
      `${benefit.type} without what it is`,
      { ...benefit, properties: { activations: {} } },
    ]),
  ...discounts.map((discount): [BillingEventType, string, object] => [
    'subscription.updated',
    `a discount ${discount.type} ${discount.duration} in part`,
    { ...subscription, discount: { ...discount, amount: 0.5, basis_points: 0.5 } },
  ]),
  [
    'subscription.updated',
    'a discount that repeats for an unknown time',
    { ...subscription, discount: { ...named, type: 'fixed', amount: 5, currency: 'eur', duration: 'repeating' } },
  ],
  ...['amount', 'subtotal_amount', 'tax_amount', 'total_amount', 'refunded_amount', 'refunded_tax_amount'].map(
    (field): [BillingEventType, string, object] => ['order.updated', `${field} in part`, { ...order, [field]: 0.5 }],
  ),
]

describe('what breaks the rules for amounts, times and forms is not', () => {
  it.each(wrong)('%s: %s', (type, _what, data) => {
    expect(() => parse(type, data)).toThrow(/^Failed to parse '\w+' from JSON$/)
  })
})
