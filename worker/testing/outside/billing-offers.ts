import type { models } from '@polar-sh/sdk/2026-10'

/** The products of the fake billing provider, in the types of its SDK. */

let made = 0
/** Ids in the provider's form, unique and ascending. */
export const nextId = () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`

export const seller = '00000000-0000-4000-8000-00000000000a'

export const dated = (now: Date) => ({ created_at: now.toISOString(), modified_at: null as string | null })

export interface Offer {
  id: string
  name: string
  description: string
  /** Minor units of the currency. */
  amount: number
  interval: 'month' | 'year' | null
  benefit: string
  /** The descriptions of further benefits, which the product lists. */
  more?: string[]
  /** The name of the meter, and the included units per period of the plan. */
  meter?: { id: string; name: string; units: number }
}

/** The products. The event `api-call` counts on the meter of `pro`. */
export const offers: Offer[] = [
  {
    id: 'prod_pro',
    name: 'Pro',
    description: 'For people who build things',
    amount: 1900,
    interval: 'month',
    benefit: 'Help within a day',
    more: ['1,000 API calls a month', 'As many projects as you like'],
    meter: { id: 'meter_calls', name: 'API calls', units: 1000 },
  },
  {
    id: 'prod_pro_year',
    name: 'Pro',
    description: 'For people who build things',
    amount: 19000,
    interval: 'year',
    benefit: 'Help within a day',
    more: ['1,000 API calls a month', 'As many projects as you like'],
    meter: { id: 'meter_calls', name: 'API calls', units: 1000 },
  },
  {
    id: 'prod_book',
    name: 'The handbook',
    description: 'To keep',
    amount: 2900,
    interval: null,
    benefit: 'The handbook as a PDF',
  },
]

export const offerOf = (id: string): Offer | undefined => offers.find((offer) => offer.id === id)

export const organization = (now: Date): models.CustomerOrganization => ({
  id: seller,
  ...dated(now),
  name: 'Seller',
  slug: 'seller',
  avatar_url: null,
  proration_behavior: 'prorate',
  allow_customer_updates: true,
  customer_portal_settings: {} as models.CustomerOrganization['customer_portal_settings'],
})

export const price = (now: Date, offer: Offer): models.ProductPriceFixed => ({
  id: `price_${offer.id}`,
  ...dated(now),
  source: 'catalog',
  amount_type: 'fixed',
  price_currency: 'usd',
  tax_behavior: null,
  is_archived: false,
  product_id: offer.id,
  price_amount: offer.amount,
})

export const productOf = (now: Date, offer: Offer): models.CustomerSubscriptionProduct => ({
  id: offer.id,
  ...dated(now),
  trial_interval: null,
  trial_interval_count: null,
  name: offer.name,
  description: offer.description,
  visibility: 'public',
  recurring_interval: offer.interval,
  recurring_interval_count: offer.interval && 1,
  meter_interval: null,
  meter_interval_count: null,
  is_recurring: offer.interval !== null,
  is_archived: false,
  organization_id: seller,
  prices: [price(now, offer)],
  benefits: [],
  medias: [],
  organization: organization(now),
})

/** The form in the API and in webhooks. */
export function soldProduct(now: Date, offer: Offer): models.Product {
  const { organization: _, ...product } = productOf(now, offer)
  const benefits = [offer.benefit, ...(offer.more ?? [])].map((description, at) => ({
    id: at === 0 ? `benefit_${offer.id}` : `benefit_${offer.id}_${at}`,
    ...dated(now),
    type: 'custom' as const,
    description,
    selectable: true,
    deletable: true,
    is_deleted: false,
    organization_id: seller,
    metadata: {},
    visibility: 'public' as models.BenefitCustom['visibility'],
    visibility_configurable: true,
    properties: { note: 'Thank you' },
  }))
  return {
    ...product,
    metadata: {},
    is_deletable: false,
    prices: [price(now, offer)],
    benefits,
    attached_custom_fields: [],
  }
}
