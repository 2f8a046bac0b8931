import { afterEach, describe, expect, it, vi } from 'vitest'
import { breakDown, deliverAll, installProvider, troubles, withBilling } from '../../testing/billing.ts'
import { type Device, TestApp } from '../../testing/harness.ts'
import { company, join, someone } from '../../testing/organizations.ts'
import type { BillingProvider } from '../../testing/outside/billing-provider.ts'
import { alice, bob, signUp } from '../../testing/people.ts'
import { idOf } from '../../testing/states.ts'

afterEach(() => vi.restoreAllMocks())

const outbox = withBilling({ onSignUp: 'outbox' })

async function aliceAtTheProvider(changes = outbox) {
  const provider = installProvider()
  const app = new TestApp(changes)
  const device = await signUp(app, alice)
  return { provider, app, device }
}

/** Buys a product by slug and pays. */
async function buy(provider: BillingProvider, device: Device, body: object = { slug: 'pro' }) {
  const { body: answer } = await device.post('/checkout', body)
  return provider.pay(answer.url.split('/').at(-1))
}

describe('billing that is not configured', () => {
  it('404 everywhere', async () => {
    const device = await signUp(new TestApp({ rateLimit: { enabled: false } }), alice)
    for (const path of ['/customer/portal', '/customer/state', '/customer/orders/list', '/usage/meters/list']) {
      expect((await device.get(path)).status).toBe(404)
    }
    for (const path of ['/checkout', '/usage/ingest', '/polar/webhooks']) {
      expect((await device.post(path)).status).toBe(404)
    }
  })

  it('does not start without an access token', () => {
    expect(() => new TestApp(withBilling({ accessToken: null }))).toThrow('POLAR_ACCESS_TOKEN')
    expect(() => new TestApp(withBilling({ accessToken: null }), { POLAR_ACCESS_TOKEN: 'polar_oat_env' })).not.toThrow()
  })
})

describe('POST /checkout', () => {
  it('200: by slug, for the caller, with the success address on our own origin', async () => {
    const { provider, device } = await aliceAtTheProvider()
    const { status, body } = await device.post('/checkout', { slug: 'pro' })
    expect({ status, redirect: body.redirect }).toEqual({ status: 200, redirect: true })
    expect(body.url).toMatch(/^http:\/\/billing\.test\/checkout\//)
    expect(provider.requests.at(-1)!.body).toEqual({
      products: ['prod_pro'],
      external_customer_id: await idOf(alice.email),
      success_url: 'http://localhost:8787/bought?checkout_id={CHECKOUT_ID}',
    })
  })

  it('200: by one or several product ids, with metadata and custom fields', async () => {
    const { provider, device } = await aliceAtTheProvider()
    const more = { metadata: { a: 'b', n: 1, yes: true }, customFieldData: { f: 1 } }
    expect((await device.post('/checkout', { products: ['prod_pro', 'prod_book'], ...more })).status).toBe(200)
    expect(provider.requests.at(-1)!.body).toMatchObject({
      products: ['prod_pro', 'prod_book'],
      metadata: more.metadata,
      custom_field_data: more.customFieldData,
    })
    await device.post('/checkout', { products: 'prod_book' })
    expect(provider.requests.at(-1)!.body).toMatchObject({ products: ['prod_book'] })
  })

  it('the body may be empty: the provider decides about an order without products', async () => {
    const { provider, device } = await aliceAtTheProvider()
    const { status, body } = await device.post('/checkout', {})
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'CHECKOUT_CREATION_FAILED' })
    expect(provider.requests.at(-1)!.body).toMatchObject({ products: [] })
  })

  it('200 for a visitor, without a user; 401 where authenticatedUsersOnly', async () => {
    const provider = installProvider()
    expect((await new TestApp(outbox).device().post('/checkout', { slug: 'pro' })).status).toBe(200)
    expect(provider.requests.at(-1)!.body).not.toHaveProperty('external_customer_id')
    const strict = new TestApp(withBilling({ authenticatedUsersOnly: true }))
    const { status, body } = await strict.device().post('/checkout', { slug: 'pro' })
    expect({ status, message: body.message }).toEqual({ status: 401, message: 'You must be logged in to checkout' })
  })

  it('400 PRODUCT_NOT_FOUND for a slug that is not configured', async () => {
    const { device } = await aliceAtTheProvider()
    const { status, body } = await device.post('/checkout', { slug: 'nope' })
    expect({ status, body }).toEqual({ status: 400, body: { code: 'PRODUCT_NOT_FOUND', message: 'Product not found' } })
  })

  it.each([
    [{ slug: 'pro', metadata: { a: { b: 1 } } }],
    [{ slug: 'pro', metadata: { a: null } }],
    [{ slug: 'pro', customFieldData: ['x'] }],
    [{ slug: 7 }],
    [{ products: [7] }],
    [{ slug: 'pro', metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) }],
  ])('400 VALIDATION_ERROR %#', async (body) => {
    const { device } = await aliceAtTheProvider()
    const answer = await device.post('/checkout', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  it('a reference is the caller, or an organization that they manage', async () => {
    const provider = installProvider()
    const app = new TestApp(outbox)
    const acme = await company(app, 'acme')
    const admin = await someone(app, 'admin')
    const member = await someone(app, 'member')
    await join(acme, admin, 'admin')
    await join(acme, member)
    for (const { device } of [acme.owner, admin]) {
      expect((await device.post('/checkout', { slug: 'pro', referenceId: acme.id })).status).toBe(200)
      expect(provider.requests.at(-1)!.body).toMatchObject({ metadata: { referenceId: acme.id } })
    }
    const own = await member.device.post('/checkout', { slug: 'pro', referenceId: member.id })
    expect(own.status).toBe(200)
    for (const referenceId of [acme.id, admin.id, 'nothing', acme.ownerMember]) {
      const { status, body } = await member.device.post('/checkout', { slug: 'pro', referenceId })
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'REFERENCE_NOT_ALLOWED' })
    }
    const visitor = await app.device().post('/checkout', { slug: 'pro', referenceId: acme.id })
    expect(visitor.status).toBe(401)
  })

  it('metadata cannot carry a reference past that', async () => {
    const { provider, device } = await aliceAtTheProvider()
    await device.post('/checkout', { slug: 'pro', metadata: { referenceId: 'org_foreign', a: 'b' } })
    expect(provider.requests.at(-1)!.body).toMatchObject({ metadata: { a: 'b' } })
    expect((provider.requests.at(-1)!.body as { metadata: object }).metadata).not.toHaveProperty('referenceId')
    const own = await idOf(alice.email)
    await device.post('/checkout', { slug: 'pro', referenceId: own, metadata: { referenceId: 'org_foreign' } })
    expect(provider.requests.at(-1)!.body).toMatchObject({ metadata: { referenceId: own } })
  })
})

describe('GET /customer/portal', () => {
  it('200: the portal, by a session at the provider of the caller alone', async () => {
    const { provider, device } = await aliceAtTheProvider()
    const { status, body } = await device.get('/customer/portal')
    expect({ status, redirect: body.redirect }).toEqual({ status: 200, redirect: true })
    expect(body.url).toMatch(/^http:\/\/billing\.test\/portal\?customer_session_token=/)
    expect(provider.requests.at(-1)!.body).toEqual({ external_customer_id: await idOf(alice.email) })
  })
})

describe('the lists', () => {
  it('200: purchases in camelCase, page by page', async () => {
    const { provider, device } = await aliceAtTheProvider()
    await buy(provider, device)
    await buy(provider, device, { slug: 'book', metadata: {} })
    const get = async (path: string, query = {}) => (await device.get(path, { query })).body.result
    const subscriptions = await get('/customer/subscriptions/list')
    expect(subscriptions.items[0]).toMatchObject({ status: 'active', product: { name: 'Pro', isRecurring: true } })
    expect(subscriptions.pagination).toEqual({ totalCount: 1, maxPage: 1 })
    expect((await get('/customer/benefits/list')).items).toHaveLength(2)
    expect((await get('/customer/benefits/list', { page: '2', limit: '1' })).items).toHaveLength(1)
    expect((await get('/customer/orders/list')).pagination.totalCount).toBe(2)
    const bought = await get('/customer/orders/list', { productBillingType: 'one_time' })
    expect(bought.items.map((order: { product: { name: string } }) => order.product.name)).toEqual(['The handbook'])
    const meters = await get('/usage/meters/list', { page: '1', limit: '10' })
    expect(meters.items[0]).toMatchObject({ consumedUnits: 0, creditedUnits: 1000, meter: { name: 'API calls' } })
    const reads = provider.requests.filter(({ path }) => path.startsWith('/v1/customer-portal/'))
    expect(reads.every(({ token }) => token.startsWith('polar_cst_'))).toBe(true)
  })

  it.each([
    ['/customer/benefits/list', 'benefit-grants', {}],
    ['/customer/subscriptions/list', 'subscriptions', { active: 'true' }],
    ['/customer/orders/list', 'orders', { productBillingType: 'recurring' }],
    ['/usage/meters/list', 'meters', {}],
  ])('%s hands its query on', async (path, name, more) => {
    const { provider, device } = await aliceAtTheProvider()
    await device.get(path, { query: { page: '2', limit: '7', ...more } })
    const { path: asked, query } = provider.requests.at(-1)!
    const { productBillingType: product_billing_type, ...filters } = more as Record<string, string>
    expect(asked).toBe(`/v1/customer-portal/${name}/`)
    expect(query).toMatchObject({
      page: '2',
      limit: '7',
      ...filters,
      ...(product_billing_type && { product_billing_type }),
    })
  })

  it('200 and empty for a user who is not a customer at the provider', async () => {
    const { provider, device } = await aliceAtTheProvider(withBilling({ createCustomerOnSignUp: false }))
    for (const path of ['/customer/subscriptions/list', '/customer/orders/list', '/usage/meters/list']) {
      expect((await device.get(path)).body.result.items).toEqual([])
    }
    expect(provider.accounts.size).toBe(0)
    expect((await device.get('/customer/portal')).body.code).toBe('CUSTOMER_PORTAL_CREATION_FAILED')
  })

  it('active selects the subscriptions', async () => {
    const { provider, device } = await aliceAtTheProvider()
    const { subscription_id } = await buy(provider, device)
    provider.cancel(subscription_id!)
    const total = async (active: string) =>
      (await device.get('/customer/subscriptions/list', { query: { active } })).body.result.pagination.totalCount
    expect({ active: await total('true'), ended: await total('false') }).toEqual({ active: 0, ended: 1 })
  })

  it('a user cannot see the data of another user', async () => {
    const { provider, app, device } = await aliceAtTheProvider()
    await buy(provider, device)
    const other = await signUp(app, bob)
    expect((await other.get('/customer/subscriptions/list')).body.result.items).toEqual([])
    expect((await other.get('/customer/orders/list')).body.result.items).toEqual([])
    expect((await other.get('/customer/state')).body.activeSubscriptions).toEqual([])
  })

  it('referenceId: purchases of an organization, for the members who manage it', async () => {
    const provider = installProvider()
    const app = new TestApp(outbox)
    const acme = await company(app, 'acme')
    const member = await someone(app, 'member')
    await join(acme, member)
    provider.create({ email: acme.owner.email, external_id: acme.owner.id })
    await buy(provider, acme.owner.device, { slug: 'pro', referenceId: acme.id })
    const query = { referenceId: acme.id, page: '1', limit: '5', active: 'true' }
    const { body } = await acme.owner.device.get('/customer/subscriptions/list', { query })
    const { path, query: asked } = provider.requests.at(-1)!
    expect({ path, asked }).toMatchObject({
      path: '/v1/subscriptions/',
      asked: { 'metadata[referenceId]': acme.id, page: '1', limit: '5', active: 'true' },
    })
    expect(body.result.items[0]).toMatchObject({ status: 'active', metadata: { referenceId: acme.id } })
    const refused = await member.device.get('/customer/subscriptions/list', { query })
    expect(refused).toMatchObject({ status: 403, body: { code: 'REFERENCE_NOT_ALLOWED' } })
    const stranger = await someone(app, 'stranger')
    expect((await stranger.device.get('/customer/subscriptions/list', { query })).status).toBe(403)
  })

  it.each([
    ['/customer/benefits/list', { page: '0' }],
    ['/customer/orders/list', { limit: '101' }],
    ['/customer/orders/list', { productBillingType: 'weekly' }],
    ['/customer/subscriptions/list', { active: 'perhaps' }],
    ['/usage/meters/list', { page: 'x' }],
  ])('400 %s %j', async (path, query) => {
    const { device } = await aliceAtTheProvider()
    expect((await device.get(path, { query })).body.code).toBe('VALIDATION_ERROR')
  })
})

describe('without a session', () => {
  it.each([
    '/customer/portal',
    '/customer/state',
    '/customer/benefits/list',
    '/customer/subscriptions/list',
    '/customer/orders/list',
    '/usage/meters/list',
  ])('401 %s', async (path) => {
    installProvider()
    expect((await new TestApp(outbox).device().get(path)).status).toBe(401)
  })

  it('401 /usage/ingest', async () => {
    installProvider()
    const answer = await new TestApp(outbox).device().post('/usage/ingest', { event: 'x', metadata: {} })
    expect(answer.status).toBe(401)
  })
})

const failures: [string, string, string][] = [
  ['/customer/portal', 'CUSTOMER_PORTAL_CREATION_FAILED', 'Customer portal creation failed'],
  ['/customer/state', 'SUBSCRIPTIONS_LIST_FAILED', 'Subscriptions list failed'],
  ['/customer/benefits/list', 'BENEFITS_LIST_FAILED', 'Benefits list failed'],
  ['/customer/subscriptions/list', 'POLAR_SUBSCRIPTIONS_LIST_FAILED', 'Polar subscriptions list failed'],
  ['/customer/orders/list', 'ORDERS_LIST_FAILED', 'Orders list failed'],
  ['/usage/meters/list', 'METERS_LIST_FAILED', 'Meters list failed'],
]

describe.each(troubles)('the provider %s', (trouble) => {
  it.each(failures)('500 %s %s', async (path, code, message) => {
    const { provider, device } = await aliceAtTheProvider()
    breakDown(provider, trouble)
    const { status, body } = await device.get(path)
    expect({ status, body }).toEqual({ status: 500, body: { code, message } })
  })

  it('500 for checkout, usage and a list by reference', async () => {
    const { provider, device } = await aliceAtTheProvider()
    breakDown(provider, trouble)
    expect((await device.post('/checkout', { slug: 'pro' })).body.message).toBe('Checkout creation failed')
    const usage = await device.post('/usage/ingest', { event: 'x', metadata: {} })
    expect(usage).toMatchObject({ status: 500, body: { message: 'Ingestion failed' } })
    const query = { referenceId: await idOf(alice.email) }
    const { body } = await device.get('/customer/subscriptions/list', { query })
    expect(body).toEqual({
      code: 'SUBSCRIPTIONS_LIST_WITH_REFERENCEID_FAILED',
      message: 'Subscriptions list with referenceId failed',
    })
  })

  it('customer/state: the state from webhooks, with its age', async () => {
    const { provider, app, device } = await aliceAtTheProvider()
    await buy(provider, device)
    await deliverAll(app, provider)
    const fresh = (await device.get('/customer/state')).body
    expect(fresh).not.toHaveProperty('asOf')
    breakDown(provider, trouble)
    const { status, body, headers } = await device.get('/customer/state')
    expect(status).toBe(200)
    expect(Date.parse(body.asOf)).toBeGreaterThan(0)
    expect(Number(headers.get('age'))).toBeGreaterThanOrEqual(0)
    expect(
      body.activeSubscriptions.map(({ id, productId }: { id: string; productId: string }) => [id, productId]),
    ).toEqual(fresh.activeSubscriptions.map(({ id, productId }: { id: string; productId: string }) => [id, productId]))
    expect(body.activeMeters).toEqual(fresh.activeMeters)
    expect(body.grantedBenefits).toEqual(fresh.grantedBenefits)
    expect({ email: body.email, externalId: body.externalId }).toEqual({
      email: alice.email,
      externalId: fresh.externalId,
    })
  })
})
