import * as z from 'zod'

/** A price per seat or unit. */
export interface Tier {
  /** The last quantity with this price; null without an end. */
  upTo: number | null
  amount: number
}

/** A price in one currency. */
export interface Price {
  /**
   * `custom`: the buyer decides, from `amount` on. `seat` and `unit`: per seat or unit that the buyer takes. `metered`: per
   * unit of usage, in addition. `other`: only the checkout shows it.
   */
  kind: 'fixed' | 'free' | 'custom' | 'seat' | 'unit' | 'metered' | 'other'
  currency: string
  /** Minor units of the currency, with decimals per unit. Of several tiers the lowest. */
  amount: number | null
  /** The price by quantity, the smallest first; absent if it does not depend on the quantity. */
  tiers?: Tier[]
  /** The name of the meter. */
  unit: string | null
}

const units = ['day', 'week', 'month', 'year'] as const
type Unit = (typeof units)[number]

/** The fields of a product that buyers see. */
export interface Product {
  name: string
  description: string | null
  /** null: bought once. */
  interval: Unit | null
  /** The number of intervals of a period: 3 months. */
  intervalCount: number
  trial: { interval: Unit; count: number } | null
  isArchived: boolean
  prices: Price[]
  benefits: { id: string; type: string; description: string }[]
}

const unit = z.enum(units).nullish().catch(null)
const count = z.int().positive().nullish().catch(null)
const amount = z.number().nullish()

const priceAnswer = z.looseObject({
  amount_type: z.string(),
  price_currency: z.string().nullish(),
  is_archived: z.boolean().nullish(),
  /** `ad_hoc`: made for one checkout. */
  source: z.string().nullish(),
  price_amount: amount,
  minimum_amount: amount,
  unit_amount: z.string().nullish(),
  meter: z.looseObject({ name: z.string() }).nullish(),
  seat_tiers: z
    .looseObject({ tiers: z.array(z.looseObject({ price_per_seat: z.number(), max_seats: amount })) })
    .nullish(),
  tiers: z.looseObject({ tiers: z.array(z.looseObject({ unit_amount: z.string(), bound: amount })) }).nullish(),
})

/** A product in an answer of the provider, or in an event. */
export const productAnswer = z.looseObject({
  id: z.string(),
  created_at: z.string(),
  modified_at: z.string().nullish(),
  name: z.string(),
  description: z.string().nullish(),
  recurring_interval: unit,
  recurring_interval_count: count,
  trial_interval: unit,
  trial_interval_count: count,
  is_archived: z.boolean(),
  prices: z.array(priceAnswer),
  benefits: z.array(z.looseObject({ id: z.string(), type: z.string(), description: z.string() })),
})

export const productsAnswer = z.looseObject({ items: z.array(productAnswer) })

type Answer = z.output<typeof productAnswer>

function priceOf(given: Answer['prices'][number]): Price {
  const { amount_type: type, price_currency, price_amount, minimum_amount, unit_amount, meter } = given
  const price = (kind: Price['kind'], amount: number | null = null, unit: string | null = null): Price => {
    return { kind, currency: price_currency ?? 'usd', amount, unit }
  }
  const byTier = (kind: Price['kind'], tiers: Tier[], unit: string | null = null): Price => {
    const amount = Math.min(...tiers.map((tier) => tier.amount))
    return { ...price(kind, amount, unit), ...(tiers.length > 1 && { tiers }) }
  }
  const seats = given.seat_tiers?.tiers.map((tier) => ({ upTo: tier.max_seats ?? null, amount: tier.price_per_seat }))
  const units = given.tiers?.tiers.map((tier) => ({ upTo: tier.bound ?? null, amount: Number(tier.unit_amount) || 0 }))
  if (type === 'free' || (type === 'fixed' && price_amount === 0)) return price('free', 0)
  if (type === 'fixed' && price_amount) return price('fixed', price_amount)
  if (type === 'custom') return price('custom', minimum_amount || null)
  if (type === 'seat_based' && seats?.length) return byTier('seat', seats)
  if (type === 'unit_based' && units?.length) return byTier('unit', units)
  if (type === 'metered_tiers' && meter && units?.length) return byTier('metered', units, meter.name)
  if (type === 'metered_unit' && meter) return price('metered', Number(unit_amount) || 0, meter.name)
  return price('other')
}

/** What buyers see of a product. */
export const shownProduct = (product: Answer): Product => ({
  name: product.name,
  description: product.description ?? null,
  interval: product.recurring_interval ?? null,
  intervalCount: product.recurring_interval_count ?? 1,
  trial: product.trial_interval ? { interval: product.trial_interval, count: product.trial_interval_count ?? 1 } : null,
  isArchived: product.is_archived,
  prices: product.prices.filter((price) => !price.is_archived && price.source !== 'ad_hoc').map(priceOf),
  benefits: product.benefits.map(({ id, type, description }) => ({ id, type, description })),
})

/** The time of the provider's change. */
export const changedAt = ({ modified_at, created_at }: Pick<Answer, 'modified_at' | 'created_at'>): Date =>
  new Date(modified_at ?? created_at)
