import * as of129 from 'better-auth-billing'
import * as newest from 'better-auth-newest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillingServer, startBillingServer } from '../../testing/outside/billing-server.ts'
import { publishedClientFetch } from '../../testing/published-client.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let billing: BillingServer
beforeAll(async () => {
  billing = await startBillingServer(() => server.url, { deliversItself: false })
  server = await startServer({ config: { billing: billing.configuration } })
})
afterAll(async () => {
  await server?.close()
  await billing?.close()
})

/** The response fields of the published billing plug-in that the test reads. */
interface Told {
  url: string
  redirect: boolean
  activeSubscriptions: { productId: string; createdAt: Date }[]
  result: { items: Record<string, unknown>[]; pagination: { totalCount: number; maxPage: number } }
  inserted: number
}
type Call = (input?: object) => Promise<{ data: Told | null; error: { status: number } | null }>

/** The published clients with the published billing plug-in, both unmodified. Each needs a separate SDK. */
const published = {
  '1.2.9 with plug-in 1.0.1': (options: Options) =>
    of129.createAuthClient({ ...options, plugins: [of129.polarClient()] }),
  'newest with plug-in 1.8.4': (options: Options) =>
    newest.createAuthClient({ ...options, plugins: [newest.polarClient()] }),
}
type Version = keyof typeof published
interface Options {
  baseURL: string
  fetchOptions: { customFetchImpl: typeof fetch }
}

function device(version: Version) {
  const client = published[version]({
    baseURL: server.url,
    fetchOptions: { customFetchImpl: publishedClientFetch(server.url) },
  })
  return client as unknown as {
    signUp: { email: Call }
    checkout: Call
    customer: Record<'portal' | 'state', Call> & Record<'benefits' | 'subscriptions' | 'orders', { list: Call }>
    usage: { meters: { list: Call }; ingest: Call }
  }
}

async function ok(answer: ReturnType<Call>): Promise<Told> {
  const { data, error } = await answer
  expect(error).toBeNull()
  return data!
}

const versions = Object.keys(published) as Version[]

describe.each(versions)('the published client, %s', (version) => {
  it('drives checkout, lists, state, usage, portal', async () => {
    const { signUp, checkout, customer, usage } = device(version)
    const place = versions.indexOf(version) + 1
    await signUp.email({ name: 'Bea', email: `bea${place}@example.com`, password: 'password1234' })
    await expect.poll(() => billing.provider.accounts.size).toBe(place)
    // On a server the client does not follow the redirect.
    const bought = await ok(checkout({ slug: 'pro', metadata: { from: 'test' } }))
    expect(bought.redirect).toBe(true)
    const paid = await fetch(bought.url, { method: 'POST', redirect: 'manual' })
    expect(paid.headers.get('location')).toMatch(`${server.url}/account/billing?checkout_id=`)
    await billing.deliver()
    const page = { query: { page: 1, limit: 10 } }
    const subscriptions = await ok(customer.subscriptions.list({ query: { page: 1, limit: 10, active: true } }))
    expect(subscriptions.result).toMatchObject({ items: [{ status: 'active' }], pagination: { totalCount: 1 } })
    expect((await ok(customer.orders.list(page))).result.items).toMatchObject([{ paid: true, totalAmount: 1900 }])
    expect((await ok(customer.benefits.list(page))).result.items).toMatchObject([{ isGranted: true }])
    const state = await ok(customer.state())
    expect(state.activeSubscriptions).toMatchObject([{ productId: 'prod_pro', createdAt: expect.any(Date) }])
    expect(await ok(usage.ingest({ event: 'api-call', metadata: { n: 1 } }))).toEqual({ inserted: 1 })
    await expect.poll(() => billing.provider.usage.size).toBe(place)
    expect((await ok(usage.meters.list(page))).result.items).toMatchObject([{ consumedUnits: 1, balance: 999 }])
    expect((await ok(customer.portal())).url).toContain('/portal?customer_session_token=')
  })

  it('is refused without a session', async () => {
    const { customer, usage } = device(version)
    expect((await customer.state()).error?.status).toBe(401)
    expect((await customer.portal()).error?.status).toBe(401)
    expect((await usage.ingest({ event: 'x', metadata: {} })).error?.status).toBe(401)
  })
})
