import * as z from 'zod'

/**
 * What the entities of webhooks are made of, as the specification describes it. Fields that the provider's API has
 * given up or made optional since may be missing; fields, kinds and words that it has added are let through.
 */

export const id = z.string()
export const text = z.string().nullish()
/** Minor units of a currency, or a count. */
export const amount = z.int()
export const maybeAmount = amount.nullish()
export const moment = z.iso.datetime({ offset: true })
export const maybe = moment.nullish()
export const metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
export const customFieldData = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional()
export const part = z.looseObject({})

/** One of the words, or one that has been added since. */
export const word = <const W extends string>(..._words: W[]) => z.string() as z.ZodType<W | (string & {})>

/** With what nearly all have in common. */
export const entity = <S extends z.ZodRawShape>(shape: S) =>
  z.looseObject({ id, created_at: moment, modified_at: moment.nullable(), ...shape })

/** For a union: what it knows by one of its words is not to be taken for something new. */
export const unknownWord = (known: readonly string[]) => z.string().refine((one) => !known.includes(one))

export const interval = word('month', 'year')

export const address = z.looseObject({
  country: z.string(),
  line1: text,
  line2: text,
  postal_code: text,
  city: text,
  state: text,
})

/** A number and the format that it has, such as `eu_vat`. */
export const taxId = z.array(z.string().nullable()).nullish()

const priceOf = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  entity({
    amount_type: z.literal(type),
    is_archived: z.boolean(),
    product_id: id,
    type: z.enum(['one_time', 'recurring']).optional(),
    recurring_interval: interval.nullish(),
    /** Of recurring prices that are from before products recurred. */
    legacy: z.literal(true).optional(),
    ...shape,
  })

const knownPrices = [
  priceOf('fixed', { price_currency: z.string(), price_amount: amount }),
  priceOf('custom', {
    price_currency: z.string(),
    minimum_amount: maybeAmount,
    maximum_amount: maybeAmount,
    preset_amount: maybeAmount,
  }),
  priceOf('free', {}),
  priceOf('metered_unit', {
    price_currency: z.string(),
    unit_amount: z.string(),
    cap_amount: maybeAmount,
    meter_id: id,
    meter: z.looseObject({ id, name: z.string() }),
  }),
] as const

export const price = z.union([
  z.discriminatedUnion('amount_type', knownPrices),
  entity({ amount_type: unknownWord(knownPrices.map(({ shape }) => shape.amount_type.value)) }),
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
  last_modified_at: maybe,
  version: text,
  service: z.literal('product_media'),
  is_uploaded: z.boolean(),
  created_at: moment,
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
  entity({ type: unknownWord(knownFields.map(({ shape }) => shape.type.value)) }),
])

export const attachedCustomFields = z.array(
  z.looseObject({ custom_field_id: id, custom_field: customField, order: amount, required: z.boolean() }),
)

const discountFields = { id, name: z.string(), code: text }

/** What a discount adds when its entity is told as a whole. */
const wholeDiscount = {
  created_at: moment.optional(),
  modified_at: maybe,
  metadata: metadata.optional(),
  starts_at: maybe,
  ends_at: maybe,
  max_redemptions: maybeAmount,
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

const operator = word('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'not_like')
const clause = z.looseObject({
  property: z.string(),
  operator,
  value: z.union([z.string(), z.number(), z.boolean()]),
})
// Clauses may be filters again. Handlers get them as they are: a type that names itself cannot be spelled out for them.
const filter: z.ZodType<{ conjunction: 'and' | 'or' | (string & {}); clauses: unknown[] }> = z.lazy(() =>
  z.looseObject({ conjunction: word('and', 'or'), clauses: z.array(z.union([clause, filter])) }),
)

export const meter = entity({
  name: z.string(),
  filter,
  aggregation: z.looseObject({ func: word('count', 'sum', 'max', 'min', 'avg'), property: z.string().optional() }),
  organization_id: id,
  metadata,
})
