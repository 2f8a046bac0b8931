import type { models } from '@polar-sh/sdk/2026-10'
import { type Account, Refusal } from './billing-customers.ts'
import type { CheckoutInput, NewCustomer } from './billing-entities.ts'
import { nextId, offers } from './billing-offers.ts'
import { Sales } from './billing-sales.ts'
import { inTrouble, type Trouble } from './trouble.ts'

/**
 * A billing provider with the API of the SDK, limited to the parts that we use. It has customers, checkouts and usage,
 * sells two products, rejects what the real provider rejects, and sends signed webhooks.
 */

interface UsageInput {
  name: string
  external_customer_id: string
  external_id?: string
  timestamp?: string
  metadata?: Record<string, unknown>
}

/** A received request. */
export interface Received {
  method: string
  path: string
  query: Record<string, string>
  token: string
  body: unknown
}

export const providerToken = 'polar_oat_fake'

export class BillingProvider extends Sales {
  /** All received requests, in order. */
  readonly requests: Received[] = []
  /** All counted usage events by id. */
  readonly usage = new Map<string, UsageInput>()
  private readonly sessions = new Map<string, string>()
  private readonly troubles: { trouble: Trouble; times: number; lost: boolean }[] = []

  constructor(origin = 'http://billing.test') {
    super(origin)
  }

  /**
   * Puts the provider out of order for the next requests, or until `recover`.
   * @param lost whether the request has its effect and only its response is lost
   */
  fail(trouble: Trouble, times = Number.POSITIVE_INFINITY, lost = false): void {
    this.troubles.push({ trouble, times, lost })
  }

  recover(): void {
    this.troubles.length = 0
  }

  /** Answers a request to its API. */
  async receive(request: Request, signal?: AbortSignal | null): Promise<Response> {
    const url = new URL(request.url)
    const text = await request.text()
    const received: Received = {
      method: request.method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      token: (request.headers.get('authorization') ?? '').replace('Bearer ', ''),
      body: text ? JSON.parse(text) : undefined,
    }
    this.requests.push(received)
    const [trouble] = this.troubles
    if (trouble) {
      if (--trouble.times === 0) this.troubles.shift()
      if (trouble.lost) this.answer(received, request.url)
      return inTrouble(trouble.trouble, signal)
    }
    try {
      const answer = this.answer(received, request.url)
      return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      const detail =
        thrown.status === 422 ? [{ loc: ['body'], msg: thrown.message, type: 'value_error' }] : thrown.message
      return Response.json({ error: thrown.message, detail }, { status: thrown.status })
    }
  }

  private answer({ method, path, query, token, body }: Received, url: string): unknown {
    if (path.startsWith('/v1/customer-portal/')) return this.portal(`${method} ${path}`, token, query)
    if (token !== providerToken) throw new Refusal(401, 'invalid_token')
    const call = `${method} ${path}`
    const [, external, rest] = /^\/v1\/customers\/external\/([^/]+)(\/state)?$/.exec(path) ?? []
    if (external !== undefined) {
      const account = this.accountOf(decodeURIComponent(external))
      if (rest) return this.state(account)
      if (method === 'GET') return account.customer
      if (method === 'DELETE') return this.remove(account)
      return this.change(account, body as Partial<models.CustomerIndividual>)
    }
    const [, byId] = /^\/v1\/customers\/([^/]+)$/.exec(path) ?? []
    if (byId !== undefined) return this.change(this.accounts.get(byId), body as Partial<models.CustomerIndividual>)
    const [, meter] = /^\/v1\/meters\/([^/]+)\/quantities$/.exec(path) ?? []
    if (method === 'GET' && meter !== undefined) return this.quantities(meter, query)
    switch (call) {
      case 'GET /v1/customers/':
        return page([...this.customers()].filter(({ email }) => !query.email || email === query.email))
      case 'GET /v1/products/': {
        const ids = new URL(url).searchParams.getAll('id')
        return page(
          this.products.filter(({ id }) => ids.length === 0 || ids.includes(id)),
          query,
        )
      }
      case 'POST /v1/customers/':
        return this.create(body as NewCustomer)
      case 'POST /v1/customer-sessions/':
        return this.openSession((body as { external_customer_id: string }).external_customer_id)
      case 'POST /v1/checkouts/':
        return this.check(body as CheckoutInput)
      case 'POST /v1/events/ingest':
        return this.ingest((body as { events: UsageInput[] }).events)
      case 'GET /v1/subscriptions/':
        return page(
          [...this.accounts.values()]
            .flatMap(({ subscriptions }) => subscriptions)
            .filter(({ metadata }) => metadata.referenceId === query['metadata[referenceId]']),
        )
      default:
        throw new Refusal(404, 'Not Found')
    }
  }

  private portal(call: string, token: string, query: Record<string, string>): unknown {
    const account = this.accountOfSession(token)
    if (!account) throw new Refusal(401, 'invalid_token')
    const { grants, subscriptions, orders, meters } = account
    const [, method, orderId, document] =
      /^(GET|POST) \/v1\/customer-portal\/orders\/([^/]+)(?:\/(invoice|receipt))?$/.exec(call) ?? []
    if (orderId) return this.order(account, method!, orderId, document)
    switch (call) {
      case 'GET /v1/customer-portal/benefit-grants/':
        return page(grants, query)
      case 'GET /v1/customer-portal/subscriptions/':
        return page(
          subscriptions.filter(({ status }) => !query.active || String(status === 'active') === query.active),
          query,
        )
      case 'GET /v1/customer-portal/orders/':
        return page(
          orders.filter(
            ({ product }) =>
              !query.product_billing_type || product?.is_recurring === (query.product_billing_type === 'recurring'),
          ),
          query,
        )
      case 'GET /v1/customer-portal/meters/':
        return page(meters, query)
      default:
        throw new Refusal(404, 'Not Found')
    }
  }

  /** An order and its documents. The invoice exists some time after its generation was requested. */
  private order({ orders }: Account, method: string, id: string, document: string | undefined): unknown {
    const order = orders.find((one) => one.id === id)
    if (!order) throw new Refusal(404, 'Not found')
    const { invoice_number, receipt_number, billing_name, billing_address } = order
    if (!document) return order
    if (document === 'receipt') {
      if (!receipt_number) throw new Refusal(404, 'Not found')
      return { url: `${this.origin}/files/${receipt_number}.pdf` }
    }
    if (method === 'POST') {
      if (!order.paid) throw new Refusal(409, 'Order is not eligible for invoice generation.')
      if (!billing_name || !billing_address) throw new Refusal(422, 'Order is missing billing name or address.')
      order.is_invoice_generated = true
      return null
    }
    if (!order.is_invoice_generated) throw new Refusal(404, 'Not found')
    return { url: `${this.origin}/files/${invoice_number}.pdf` }
  }

  /** The units of each day; one per counted event. */
  private quantities(meter: string, query: Record<string, string>): models.MeterQuantities {
    if (!offers.some((offer) => offer.meter?.id === meter)) throw new Refusal(404, 'Meter not found.')
    const { start_timestamp: start = '', end_timestamp: end = '', interval, external_customer_id: customer } = query
    if (!start || !end || interval !== 'day') throw new Refusal(422, 'Field required')
    const days: models.MeterQuantity[] = []
    for (let at = Date.parse(start); at <= Date.parse(end); at += 86_400_000) {
      const day = new Date(at).toISOString().slice(0, 10)
      const counted = [...this.usage.values()].filter(
        (event) => event.external_customer_id === customer && (event.timestamp ?? '').startsWith(day),
      )
      days.push({ timestamp: new Date(at).toISOString(), quantity: counted.length })
    }
    return { quantities: days, total: days.reduce((sum, { quantity }) => sum + quantity, 0) }
  }

  /** The customer of a portal session's token. */
  accountOfSession(token: string): Account | undefined {
    return this.accounts.get(this.sessions.get(token) ?? '')
  }

  private openSession(externalId: string): models.CustomerSession {
    const { customer } = this.accountOf(externalId)
    const token = `polar_cst_${nextId()}`
    this.sessions.set(token, customer.id)
    return {
      id: nextId(),
      created_at: new Date().toISOString(),
      modified_at: null,
      token,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      return_url: null,
      customer_portal_url: `${this.origin}/portal?customer_session_token=${token}`,
      customer_id: customer.id,
      customer,
    }
  }

  private ingest(events: UsageInput[]): models.EventsIngestResponse {
    if (events.some(({ name }) => name === 'refused')) throw new Refusal(422, 'An event is not valid.')
    let inserted = 0
    for (const event of events) {
      const id = event.external_id ?? nextId()
      if (this.usage.has(id)) continue
      this.usage.set(id, event)
      inserted++
      const account = [...this.accounts.values()].find(
        ({ customer }) => customer.external_id === event.external_customer_id,
      )
      for (const meter of account?.meters ?? []) {
        meter.consumed_units++
        meter.balance = meter.credited_units - meter.consumed_units
        meter.modified_at = new Date().toISOString()
      }
      if (account?.meters.length) this.sendEvent('customer.state_changed', this.state(account))
    }
    return { inserted, duplicates: events.length - inserted }
  }
}

const page = <T>(items: T[], { page = '1', limit = '10' }: Record<string, string> = {}) => ({
  items: items.slice((Number(page) - 1) * Number(limit), Number(page) * Number(limit)),
  pagination: { total_count: items.length, max_page: Math.max(1, Math.ceil(items.length / Number(limit))) },
})
