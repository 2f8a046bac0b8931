import * as z from 'zod'

/** The fields of the provider's responses that Gatehouse uses. All other fields are passed on unchanged. */

export const anything = z.unknown()

export const customerAnswer = z.looseObject({
  id: z.string(),
  email: z.string().nullish(),
  name: z.string().nullish(),
  external_id: z.string().nullish(),
})

export const customersAnswer = z.looseObject({ items: z.array(customerAnswer) })

export const sessionAnswer = z.looseObject({ token: z.string(), customer_portal_url: z.url() })

export const checkoutAnswer = z.looseObject({ url: z.url() })

export const listAnswer = z.looseObject({
  items: z.array(z.looseObject({ id: z.string() })),
  pagination: z.looseObject({ total_count: z.int(), max_page: z.int() }),
})

export const stateAnswer = z.looseObject({
  id: z.string(),
  active_subscriptions: z.array(z.looseObject({ id: z.string() })),
  granted_benefits: z.array(z.looseObject({ id: z.string() })),
  active_meters: z.array(z.looseObject({ id: z.string() })),
})

export const orderAnswer = z.looseObject({
  id: z.string(),
  is_invoice_generated: z.boolean(),
  receipt_number: z.string().nullish(),
})

export const documentAnswer = z.object({ url: z.url({ protocol: /^https?$/ }) })

export const quantitiesAnswer = z.looseObject({
  quantities: z.array(z.looseObject({ timestamp: z.iso.datetime({ offset: true }), quantity: z.number() })).max(100),
  total: z.number(),
})

export const ingestAnswer = z.looseObject({ inserted: z.int() })
