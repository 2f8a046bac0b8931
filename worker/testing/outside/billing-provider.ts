import type { models } from '@polar-sh/sdk/2026-10'
import { type Account, Refusal } from './billing-customers.ts'
import { type CheckoutInput, type NewCustomer, nextId } from './billing-entities.ts'
import { Sales } from './billing-sales.ts'
import { inTrouble, type Trouble } from './trouble.ts'

/**
 * A billing provider that speaks the API of the SDK, as far as we use it: it takes customers, checkouts and usage, sells
 * two things, refuses what the real one refuses, and tells what happens by signed webhooks.
 */

interface UsageInput {
  name: string
  external_customer_id: string
  external_id?: string
  metadata?: Record<string, unknown>
}

/** One request that arrived. */
export interface Received {
  method: string
  path: string
  query: Record<string, string>
  token: string
  body: unknown
}

export const providerToken = 'polar_oat_fake'

export class BillingProvider extends Sales {
  /** Every request that arrived, in order. */
  readonly requests: Received[] = []
  /** Every usage event that was counted, by its id. */
  readonly usage = new Map<string, UsageInput>()
  private readonly sessions = new Map<string, string>()
  private readonly troubles: { trouble: Trouble; times: number; lost: boolean }[] = []

  constructor(origin = 'http://billing.test') {
    super(origin)
  }

  /**
   * Puts it out of order for the next requests, or until `recover`.
   * @param lost whether it does what it is asked, and only its answer is lost
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
      if (trouble.lost) this.answer(received)
      return inTrouble(trouble.trouble, signal)
    }
    try {
      const answer = this.answer(received)
      return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      const detail =
        thrown.status === 422 ? [{ loc: ['body'], msg: thrown.message, type: 'value_error' }] : thrown.message
      return Response.json({ error: thrown.message, detail }, { status: thrown.status })
    }
  }

  private answer({ method, path, query, token, body }: Received): unknown {
    if (path.startsWith('/v1/customer-portal/')) return this.portal(path, token, query)
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
    switch (call) {
      case 'GET /v1/customers/':
        return page([...this.customers()].filter(({ email }) => !query.email || email === query.email))
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

  private portal(path: string, token: string, query: Record<string, string>): unknown {
    const account = this.accountOfSession(token)
    if (!account) throw new Refusal(401, 'invalid_token')
    const { grants, subscriptions, orders, meters } = account
    switch (path) {
      case '/v1/customer-portal/benefit-grants/':
        return page(grants, query)
      case '/v1/customer-portal/subscriptions/':
        return page(
          subscriptions.filter(({ status }) => !query.active || String(status === 'active') === query.active),
          query,
        )
      case '/v1/customer-portal/orders/':
        return page(
          orders.filter(
            ({ product }) =>
              !query.product_billing_type || product?.is_recurring === (query.product_billing_type === 'recurring'),
          ),
          query,
        )
      case '/v1/customer-portal/meters/':
        return page(meters, query)
      default:
        throw new Refusal(404, 'Not Found')
    }
  }

  /** Whose session a token of the portal is. */
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
      if (account?.meters.length) this.tell('customer.state_changed', this.state(account))
    }
    return { inserted, duplicates: events.length - inserted }
  }
}

const page = <T>(items: T[], { page = '1', limit = '10' }: Record<string, string> = {}) => ({
  items: items.slice((Number(page) - 1) * Number(limit), Number(page) * Number(limit)),
  pagination: { total_count: items.length, max_page: Math.max(1, Math.ceil(items.length / Number(limit))) },
})
