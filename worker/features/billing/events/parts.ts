import * as z from 'zod'

/** Parts of the entities of webhooks. Fields that the provider has removed may be missing; added ones are accepted. */

export const id = z.string()
export const text = z.string().nullish()
/** Minor units of a currency, or a count. */
export const amount = z.int()
export const optionalAmount = amount.nullish()
export const timestamp = z.iso.datetime({ offset: true })
export const optionalTimestamp = timestamp.nullish()
export const metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
export const customFieldData = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional()
export const looseEntity = z.looseObject({})

/** One of the values, or a value that was added later. */
export const openEnum = <const W extends string>(..._words: W[]) => z.string() as z.ZodType<W | (string & {})>

/** The fields that nearly all entities have. */
export const entity = <S extends z.ZodRawShape>(shape: S) =>
  z.looseObject({ id, created_at: timestamp, modified_at: timestamp.nullable(), ...shape })

/** For a union: a known value must not match the branch for new ones. */
export const unknownValue = (known: readonly string[]) => z.string().refine((one) => !known.includes(one))

export const interval = openEnum('month', 'year')

export const address = z.looseObject({
  country: z.string(),
  line1: text,
  line2: text,
  postal_code: text,
  city: text,
  state: text,
})

/** A number and its format, such as `eu_vat`. */
export const taxId = z.array(z.string().nullable()).nullish()

const priceOf = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  entity({
    amount_type: z.literal(type),
    is_archived: z.boolean(),
    product_id: id,
    type: z.enum(['one_time', 'recurring']).optional(),
    recurring_interval: interval.nullish(),
    /** For recurring prices from before products recurred. */
    legacy: z.literal(true).optional(),
    ...shape,
  })

const knownPrices = [
  priceOf('fixed', { price_currency: z.string(), price_amount: amount }),
  priceOf('custom', {
    price_currency: z.string(),
    minimum_amount: optionalAmount,
    maximum_amount: optionalAmount,
    preset_amount: optionalAmount,
  }),
  priceOf('free', {}),
  priceOf('metered_unit', {
    price_currency: z.string(),
    unit_amount: z.string(),
    cap_amount: optionalAmount,
    meter_id: id,
    meter: z.looseObject({ id, name: z.string() }),
  }),
] as const

export const price = z.union([
  z.discriminatedUnion('amount_type', knownPrices),
  entity({ amount_type: unknownValue(knownPrices.map(({ shape }) => shape.amount_type.value)) }),
])

export const media = z.looseObject({
  id,
  organization_id: id,
  name: z.string(),
  path: z.string(),
  mime_type: z.string(),
  size: amount,
  storage_version: text,
  checksum_etag: text,
  checksum_sha256_base64: text,
  checksum_sha256_hex: text,
  last_modified_at: optionalTimestamp,
  version: text,
  service: z.literal('product_media'),
  is_uploaded: z.boolean(),
  created_at: timestamp,
  size_readable: z.string(),
  public_url: z.string(),
})

const formTexts = {
  form_label: z.string().optional(),
  form_help_text: z.string().optional(),
  form_placeholder: z.string().optional(),
}
const bounds = { ge: amount.optional(), le: amount.optional() }

const fieldOf = <T extends string, P extends z.ZodRawShape>(type: T, properties: P) =>
  entity({
    metadata,
    type: z.literal(type),
    slug: z.string(),
    name: z.string(),
    organization_id: id,
    properties: z.looseObject({ ...formTexts, ...properties }),
  })

const knownFields = [
  fieldOf('checkbox', {}),
  fieldOf('date', bounds),
  fieldOf('number', bounds),
  fieldOf('select', { options: z.array(z.looseObject({ value: z.string(), label: z.string() })) }),
  fieldOf('text', { textarea: z.boolean().optional(), min_length: amount.optional(), max_length: amount.optional() }),
] as const

const customField = z.union([
  z.discriminatedUnion('type', knownFields),
  entity({ type: unknownValue(knownFields.map(({ shape }) => shape.type.value)) }),
])

export const attachedCustomFields = z.array(
  z.looseObject({ custom_field_id: id, custom_field: customField, order: amount, required: z.boolean() }),
)

const discountFields = { id, name: z.string(), code: text }

/** Fields of a discount that is the entity of an event. */
const wholeDiscount = {
  created_at: timestamp.optional(),
  modified_at: optionalTimestamp,
  metadata: metadata.optional(),
  starts_at: optionalTimestamp,
  ends_at: optionalTimestamp,
  max_redemptions: optionalAmount,
  redemptions_count: amount.optional(),
  organization_id: id.optional(),
}

const durations = [
  z.looseObject({ duration: z.enum(['once', 'forever']) }),
  z.looseObject({ duration: z.literal('repeating'), duration_in_months: amount }),
] as const

export const discount = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('fixed'), amount, currency: z.string(), ...discountFields, ...wholeDiscount }),
    z.looseObject({ type: z.literal('percentage'), basis_points: amount, ...discountFields, ...wholeDiscount }),
  ])
  .and(z.discriminatedUnion('duration', durations))

const operator = openEnum('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'not_like')
const clause = z.looseObject({
  property: z.string(),
  operator,
  value: z.union([z.string(), z.number(), z.boolean()]),
})
// Clauses can contain filters. Handlers get them unchanged, because a recursive type cannot be written out.
const filter: z.ZodType<{ conjunction: 'and' | 'or' | (string & {}); clauses: unknown[] }> = z.lazy(() =>
  z.looseObject({ conjunction: openEnum('and', 'or'), clauses: z.array(z.union([clause, filter])) }),
)

export const meter = entity({
  name: z.string(),
  filter,
  aggregation: z.looseObject({ func: openEnum('count', 'sum', 'max', 'min', 'avg'), property: z.string().optional() }),
  organization_id: id,
  metadata,
})
