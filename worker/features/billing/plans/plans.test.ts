import { afterEach, describe, expect, it, vi } from 'vitest'
import { breakDown, deliverAll, installProvider, sendEvent, troubles, withBilling } from '../../../testing/billing.ts'
import { TestApp } from '../../../testing/harness.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { count } from '../../../testing/rows.ts'
import { idOf } from '../../../testing/states.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const hour = 3_600_000
const later = (milliseconds: number) => vi.useFakeTimers({ now: Date.now() + milliseconds, toFake: ['Date'] })

const products = [
  { productId: 'prod_pro', slug: 'pro', recommended: true },
  { productId: 'prod_book', slug: 'book', name: 'Our handbook', description: 'Three hundred pages' },
  { productId: 'prod_gone', slug: 'gone' },
]

const begin = async (changes = {}) => {
  const provider = installProvider()
  const app = new TestApp(withBilling({ products, ...changes }))
  const device = await signUp(app, alice)
  const reads = () => provider.requests.filter(({ path }) => path === '/v1/products/').length
  return { provider, app, device, reads, plans: () => device.get('/customer/plans/list') }
}

describe('GET /customer/plans/list', () => {
  it('401 without a session', async () => {
    const { app, reads } = await begin()
    expect((await app.device().get('/customer/plans/list')).status).toBe(401)
    expect(reads()).toBe(0)
  })

  it('200: the configured products with price, period and benefits of the provider, read once', async () => {
    const { provider, reads, plans } = await begin()
    const { status, body } = await plans()
    expect({ status, asOf: body.asOf }).toEqual({ status: 200, asOf: undefined })
    expect(body.plans).toMatchObject([
      {
        slug: 'pro',
        productId: 'prod_pro',
        name: 'Pro',
        description: 'For people who build things',
        interval: 'month',
        intervalCount: 1,
        recommended: true,
        isArchived: false,
        prices: [{ kind: 'fixed', currency: 'usd', amount: 1900 }],
      },
      {
        slug: 'book',
        name: 'Our handbook',
        description: 'Three hundred pages',
        interval: null,
        recommended: false,
        prices: [{ kind: 'fixed', currency: 'usd', amount: 2900 }],
      },
      { slug: 'gone', name: 'gone', interval: null, prices: [], benefits: [] },
    ])
    expect(body.plans[0].benefits.map(({ description }: { description: string }) => description)).toEqual([
      'Help within a day',
      '1,000 API calls a month',
      'As many projects as you like',
    ])
    const [asked] = provider.requests.filter(({ path }) => path === '/v1/products/')
    expect(asked).toMatchObject({ method: 'GET', token: 'polar_oat_fake' })
    expect((await plans()).body).toEqual(body)
    expect(reads()).toBe(1)
  })

  it('is read again after billing.productsLifetime', async () => {
    const { reads, plans } = await begin({ productsLifetime: 600 })
    await plans()
    later(hour / 5)
    await plans()
    expect(reads()).toBe(2)
  })

  it('shows a change as soon as its webhook has arrived; an older one changes nothing', async () => {
    const { provider, app, reads, plans } = await begin()
    const before = (await plans()).body.plans[0]
    later(1000)
    const pro = provider.products[0]!
    provider.changeProduct('prod_pro', {
      name: 'Pro 2',
      prices: [{ ...pro.prices[0]!, price_amount: 2100 } as (typeof pro.prices)[number]],
    })
    const [old] = structuredClone(provider.products)
    await deliverAll(app, provider)
    const { name, prices } = (await plans()).body.plans[0]
    expect({ name, amount: prices[0].amount }).toEqual({ name: 'Pro 2', amount: 2100 })
    await sendEvent(app, {
      type: 'product.updated',
      timestamp: new Date().toISOString(),
      data: { ...old, name: 'Pro 1', modified_at: '2026-01-02T00:00:00Z' },
    })
    expect((await plans()).body.plans[0].name).toBe('Pro 2')
    expect(before.name).toBe('Pro')
    expect(reads()).toBe(1)
  })

  it('a product that is no longer sold says so; one that is not configured is not stored', async () => {
    const { provider, app, plans } = await begin({ products: [{ productId: 'prod_book', slug: 'book' }] })
    await plans()
    later(1000)
    provider.changeProduct('prod_book', { is_archived: true })
    provider.changeProduct('prod_pro', { name: 'Another' })
    await deliverAll(app, provider)
    expect((await plans()).body.plans).toMatchObject([{ slug: 'book', isArchived: true }])
    expect(await count('billing_products')).toBe(1)
  })

  it('a changed benefit lets the products be read again', async () => {
    const { provider, app, reads, plans } = await begin()
    await plans()
    const [benefit] = provider.products[0]!.benefits
    await sendEvent(app, { type: 'benefit.updated', timestamp: new Date().toISOString(), data: benefit })
    await plans()
    expect(reads()).toBe(2)
  })

  it('a product that left the configuration is deleted with the next reading', async () => {
    const { plans, device } = await begin()
    await plans()
    expect(await count('billing_products')).toBe(3)
    const app = new TestApp(withBilling({ products: [{ productId: 'prod_pro_year', slug: 'year' }] }))
    const sameDevice = app.device()
    for (const [name, value] of device.jar) sameDevice.jar.set(name, value)
    const { body } = await sameDevice.get('/customer/plans/list')
    expect(body.plans).toMatchObject([{ slug: 'year', interval: 'year', name: 'Pro' }])
    expect(await count('billing_products')).toBe(1)
  })

  it.each(troubles)(
    '200 when the provider %s: what is stored, with its time; without anything no prices',
    async (trouble) => {
      vi.spyOn(console, 'warn').mockImplementation(() => {})
      const { provider, plans } = await begin()
      breakDown(provider, trouble)
      const nothing = await plans()
      expect({ status: nothing.status, asOf: nothing.body.asOf }).toEqual({ status: 200, asOf: undefined })
      expect(nothing.body.plans).toMatchObject([
        { name: 'pro', prices: [] },
        { name: 'Our handbook' },
        { name: 'gone' },
      ])
      provider.recover()
      await plans()
      const read = Date.now()
      later(2 * hour)
      breakDown(provider, trouble)
      const { status, body } = await plans()
      expect({ status, prices: body.plans[0].prices.length }).toEqual({ status: 200, prices: 1 })
      expect(Math.abs(Date.parse(body.asOf) - read)).toBeLessThan(60_000)
    },
  )

  it('describes each kind of price', async () => {
    const { provider, plans } = await begin({ products: [{ productId: 'prod_pro', slug: 'pro' }] })
    const price = { ...provider.products[0]!.prices[0]!, price_amount: undefined } as object
    const meter = { id: 'm', name: 'API calls' }
    const seatTiers = [
      { min_seats: 1, max_seats: 10, price_per_seat: 700 },
      { min_seats: 11, max_seats: null, price_per_seat: 500 },
    ]
    const unitTiers = [{ bound: 100, unit_amount: '1.5' }, { unit_amount: '1' }]
    Object.assign(provider.products[0]!, {
      recurring_interval_count: 3,
      trial_interval: 'day',
      trial_interval_count: 14,
      prices: [
        { ...price, amount_type: 'fixed', price_amount: 0 },
        { ...price, amount_type: 'free', price_currency: undefined },
        { ...price, amount_type: 'custom', price_currency: 'eur', minimum_amount: 500, maximum_amount: null },
        { ...price, amount_type: 'custom', minimum_amount: 0 },
        { ...price, amount_type: 'seat_based', seat_tiers: { tiers: [{ min_seats: 1, price_per_seat: 700 }] } },
        { ...price, amount_type: 'seat_based', seat_tiers: { tiers: seatTiers } },
        { ...price, amount_type: 'metered_unit', unit_amount: '0.0125', meter },
        { ...price, amount_type: 'unit_based', tiers: { type: 'volume', tiers: [] } },
        { ...price, amount_type: 'unit_based', tiers: { type: 'volume', tiers: unitTiers } },
        { ...price, amount_type: 'metered_tiers', tiers: { type: 'graduated', tiers: unitTiers }, meter },
        { ...price, amount_type: 'fixed', price_amount: 1, is_archived: true },
        { ...price, amount_type: 'fixed', price_amount: 2, source: 'ad_hoc' },
      ],
    })
    const [plan] = (await plans()).body.plans
    expect(plan).toMatchObject({ interval: 'month', intervalCount: 3, trial: { interval: 'day', count: 14 } })
    expect(plan.prices).toEqual([
      { kind: 'free', currency: 'usd', amount: 0, unit: null },
      { kind: 'free', currency: 'usd', amount: 0, unit: null },
      { kind: 'custom', currency: 'eur', amount: 500, unit: null },
      { kind: 'custom', currency: 'usd', amount: null, unit: null },
      { kind: 'seat', currency: 'usd', amount: 700, unit: null },
      {
        kind: 'seat',
        currency: 'usd',
        amount: 500,
        tiers: [
          { upTo: 10, amount: 700 },
          { upTo: null, amount: 500 },
        ],
        unit: null,
      },
      { kind: 'metered', currency: 'usd', amount: 0.0125, unit: 'API calls' },
      { kind: 'other', currency: 'usd', amount: null, unit: null },
      {
        kind: 'unit',
        currency: 'usd',
        amount: 1,
        tiers: [
          { upTo: 100, amount: 1.5 },
          { upTo: null, amount: 1 },
        ],
        unit: null,
      },
      {
        kind: 'metered',
        currency: 'usd',
        amount: 1,
        tiers: [
          { upTo: 100, amount: 1.5 },
          { upTo: null, amount: 1 },
        ],
        unit: 'API calls',
      },
    ])
  })

  it('POST /checkout passes the currency that was shown', async () => {
    const { provider, device } = await begin()
    expect((await device.post('/checkout', { slug: 'pro', currency: 'eur' })).status).toBe(200)
    expect(provider.requests.at(-1)!.body).toMatchObject({ products: ['prod_pro'], currency: 'eur' })
    expect((await device.post('/checkout', { slug: 'pro', currency: 'Euro' })).status).toBe(400)
  })
})

describe('POST /customer/orders/document', () => {
  const bought = async () => {
    const { provider, device, app } = await begin()
    const checkout = (await device.post('/checkout', { slug: 'pro' })).body.url.split('/').at(-1)
    provider.pay(checkout)
    const [order] = provider.accountOf(await idOf(alice.email)).orders
    const ask = (document: string, orderId = order!.id) =>
      device.post('/customer/orders/document', { orderId, document })
    return { provider, app, order: order!, ask }
  }
  const complete = { billing_name: 'Alice', billing_address: { country: 'AT' } as never }

  it('401 without a session, 400 for an id with a path', async () => {
    const { app, ask } = await bought()
    expect((await app.device().post('/customer/orders/document', { orderId: 'a', document: 'invoice' })).status).toBe(
      401,
    )
    expect((await ask('invoice', '../customers')).status).toBe(400)
  })

  it('200: null while the provider makes the invoice, then its address', async () => {
    const { order, ask, provider } = await bought()
    Object.assign(order, complete)
    expect((await ask('invoice')).body).toEqual({ url: null })
    expect((await ask('invoice')).body).toEqual({ url: `http://billing.test/files/${order.invoice_number}.pdf` })
    const made = provider.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/invoice'))
    expect(made).toHaveLength(1)
  })

  it('200: the receipt of a paid order', async () => {
    const { order, ask } = await bought()
    expect((await ask('receipt')).status).toBe(409)
    order.receipt_number = 'R-1'
    expect((await ask('receipt')).body).toEqual({ url: 'http://billing.test/files/R-1.pdf' })
  })

  it('what the provider refuses has a code: no name or address, not paid, of another customer', async () => {
    const { order, ask } = await bought()
    const code = async (answer: ReturnType<typeof ask>) => [(await answer).status, (await answer).body.code]
    expect(await code(ask('invoice'))).toEqual([422, 'BILLING_DETAILS_MISSING'])
    Object.assign(order, { ...complete, paid: false })
    expect(await code(ask('invoice'))).toEqual([409, 'ORDER_HAS_NO_INVOICE'])
    expect(await code(ask('invoice', 'another'))).toEqual([404, 'ORDER_NOT_FOUND'])
  })

  it.each(troubles)('500 when the provider %s', async (trouble) => {
    const { provider, ask } = await bought()
    breakDown(provider, trouble)
    const { status, body } = await ask('invoice')
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'INVOICE_FAILED' })
  })
})

describe('GET /usage/meters/history', () => {
  it("200: the caller's usage on each of the last 30 days", async () => {
    const { provider, device } = await begin()
    for (const n of [1, 2]) await device.post('/usage/ingest', { event: 'api-call', metadata: { n } })
    const { status, body } = await device.get('/usage/meters/history?meterId=meter_calls')
    const today = new Date().toISOString().slice(0, 10)
    expect({ status, days: body.days.length, total: body.total, last: body.days.at(-1) }).toEqual({
      status: 200,
      days: 30,
      total: 2,
      last: { day: today, units: 2 },
    })
    expect(provider.requests.at(-1)).toMatchObject({
      method: 'GET',
      path: '/v1/meters/meter_calls/quantities',
      query: { interval: 'day', timezone: 'UTC', external_customer_id: await idOf(alice.email) },
    })
  })

  it('500 when the provider fails, 400 without a meter, 401 without a session', async () => {
    const { provider, device, app } = await begin()
    breakDown(provider, 'answers 500')
    const { status, body } = await device.get('/usage/meters/history?meterId=meter_calls')
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'METERS_LIST_FAILED' })
    expect((await device.get('/usage/meters/history')).status).toBe(400)
    expect((await app.device().get('/usage/meters/history?meterId=m')).status).toBe(401)
  })
})
