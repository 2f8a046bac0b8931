import type { models } from '@polar-sh/sdk/2026-10'
import {
  type CheckoutInput,
  newCheckout,
  newCustomer,
  newGrant,
  newMeter,
  newOrder,
  newSubscription,
  nextId,
  offerOf,
  type Subscription,
} from './billing-entities.ts'
import { inTrouble, type Trouble } from './trouble.ts'

/**
 * A billing provider that speaks the API of the SDK, as far as we use it: it takes customers, checkouts and usage, sells
 * two things, refuses what the real one refuses, and tells what happens by signed webhooks.
 */

interface Account {
  customer: models.CustomerIndividual
  subscriptions: Subscription[]
  orders: models.CustomerOrder[]
  grants: models.CustomerBenefitGrantCustom[]
  meters: models.CustomerCustomerMeter[]
}

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

/** A webhook, ready to be sent. */
export interface SignedWebhook {
  headers: Record<string, string>
  body: string
}

export const providerToken = 'polar_oat_fake'
export const providerSecret = 'polar_whs_fake'

class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export class BillingProvider {
  readonly origin: string
  /** Every request that arrived, in order. */
  readonly requests: Received[] = []
  /** Every usage event that was counted, by its id. */
  readonly usage = new Map<string, UsageInput>()
  readonly accounts = new Map<string, Account>()
  readonly checkouts = new Map<string, models.Checkout>()
  /** What happened, in order: the webhooks that the provider has to tell. */
  readonly events: { type: string; timestamp: string; data: unknown }[] = []
  private readonly sessions = new Map<string, string>()
  private readonly troubles: { trouble: Trouble; times: number; lost: boolean }[] = []

  constructor(origin = 'http://billing.test') {
    this.origin = origin
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
        return this.create(body as Parameters<typeof newCustomer>[1])
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

  private *customers() {
    for (const { customer } of this.accounts.values()) yield customer
  }

  accountOf(externalId: string): Account {
    const found = [...this.accounts.values()].find(({ customer }) => customer.external_id === externalId)
    if (!found) throw new Refusal(404, 'Not found')
    return found
  }

  /** Whose session a token of the portal is. */
  accountOfSession(token: string): Account | undefined {
    return this.accounts.get(this.sessions.get(token) ?? '')
  }

  private mustBeFree(field: 'email' | 'external_id', value: string | null | undefined, but?: string): void {
    for (const customer of this.customers()) {
      if (value && customer.id !== but && customer[field] === value) {
        throw new Refusal(422, `A customer with this ${field} already exists.`)
      }
    }
  }

  /** Makes a customer, as a merchant does by hand or the API for them. */
  create(given: Parameters<typeof newCustomer>[1]): models.CustomerIndividual {
    this.mustBeFree('email', given.email)
    this.mustBeFree('external_id', given.external_id)
    const customer = newCustomer(new Date(), given)
    this.accounts.set(customer.id, { customer, subscriptions: [], orders: [], grants: [], meters: [] })
    this.tell('customer.created', customer)
    return customer
  }

  private change(account: Account | undefined, changes: Partial<models.CustomerIndividual>): models.CustomerIndividual {
    if (!account) throw new Refusal(404, 'Not found')
    const { customer } = account
    this.mustBeFree('email', changes.email, customer.id)
    if (changes.external_id && customer.external_id && changes.external_id !== customer.external_id) {
      throw new Refusal(422, 'The external id cannot be changed.')
    }
    this.mustBeFree('external_id', changes.external_id, customer.id)
    Object.assign(customer, changes, { modified_at: new Date().toISOString() })
    this.tell('customer.updated', customer)
    return customer
  }

  private remove(account: Account): undefined {
    this.accounts.delete(account.customer.id)
    const moment = new Date().toISOString()
    this.tell('customer.deleted', { ...account.customer, modified_at: moment, deleted_at: moment })
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

  private check(input: CheckoutInput): models.Checkout {
    if (input.products.length === 0 || !input.products.every(offerOf)) throw new Refusal(422, 'Product does not exist.')
    const known = [...this.customers()].find(
      ({ external_id }) => external_id && external_id === input.external_customer_id,
    )
    const checkout = newCheckout(new Date(), this.origin, input, known?.id ?? null)
    this.checkouts.set(checkout.id, checkout)
    this.tell('checkout.created', checkout)
    return checkout
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

  /** A person pays. @param email of a buyer who is no customer yet */
  pay(checkoutId: string, email = 'buyer@example.com'): models.Checkout {
    const checkout = this.checkouts.get(checkoutId)
    const offer = offerOf(checkout?.product_id ?? '')
    if (!checkout || !offer || checkout.status !== 'open') throw new Refusal(404, 'No such checkout')
    const now = new Date()
    checkout.customer_id ??= this.create({ email, external_id: checkout.external_customer_id }).id
    const account = this.accounts.get(checkout.customer_id)!
    const { customer } = account
    const subscription = offer.interval ? newSubscription(now, offer, customer.id, checkout) : null
    const order = newOrder(now, offer, customer.id, { subscription, checkoutId })
    const grant = newGrant(now, offer, customer, { subscriptionId: subscription?.id ?? null, orderId: order.id })
    Object.assign(checkout, {
      status: 'succeeded',
      modified_at: now.toISOString(),
      subscription_id: subscription?.id ?? null,
    })
    this.tell('checkout.updated', checkout)
    account.orders.unshift(order)
    if (subscription) {
      account.subscriptions.unshift(subscription)
      this.tell('subscription.created', this.told(account, subscription))
      this.tell('subscription.active', this.told(account, subscription))
    }
    if (offer.meter) account.meters.push(newMeter(now, customer.id, offer.meter))
    account.grants.unshift(grant)
    this.tell('order.paid', { ...this.told(account, order), metadata: {}, discount: null })
    this.tell('benefit_grant.created', this.toldGrant(account, grant))
    this.tell('customer.state_changed', this.state(account))
    return checkout
  }

  /** A person cancels in the portal: at once, with all that came with it. */
  cancel(subscriptionId: string): void {
    const account = [...this.accounts.values()].find(({ subscriptions }) =>
      subscriptions.some(({ id }) => id === subscriptionId),
    )
    const subscription = account?.subscriptions.find(({ id }) => id === subscriptionId)
    if (!account || !subscription) throw new Refusal(404, 'No such subscription')
    const moment = new Date().toISOString()
    Object.assign(subscription, {
      status: 'canceled',
      modified_at: moment,
      canceled_at: moment,
      ended_at: moment,
      ends_at: moment,
      customer_cancellation_reason: 'unused',
    })
    this.tell('subscription.canceled', this.told(account, subscription))
    this.tell('subscription.revoked', this.told(account, subscription))
    for (const grant of account.grants.filter(({ subscription_id }) => subscription_id === subscriptionId)) {
      Object.assign(grant, { is_granted: false, is_revoked: true, revoked_at: moment, modified_at: moment })
      this.tell('benefit_grant.revoked', this.toldGrant(account, grant))
    }
    account.meters = []
    this.tell('customer.state_changed', this.state(account))
  }

  /** As webhooks tell it: with the whole customer. */
  private told<T extends object>({ customer }: Account, entity: T) {
    return { ...entity, customer, discount: null }
  }

  private toldGrant(account: Account, grant: models.CustomerBenefitGrantCustom) {
    const { organization: _, ...benefit } = grant.benefit
    return { ...this.told(account, grant), benefit: { ...benefit, metadata: {} } }
  }

  state({ customer, subscriptions, grants, meters }: Account): models.CustomerStateIndividual {
    return {
      ...customer,
      active_subscriptions: subscriptions
        .filter(({ status }) => status === 'active')
        .map((subscription) => ({
          ...subscription,
          status: 'active' as models.CustomerStateSubscription['status'],
          seats: null,
          meters: [],
        })),
      granted_benefits: grants
        .filter(({ is_granted }) => is_granted)
        .map(({ id, created_at, modified_at, granted_at, benefit_id, benefit, properties }) => ({
          id,
          created_at,
          modified_at,
          granted_at: granted_at!,
          benefit_id,
          benefit_type: benefit.type,
          benefit_metadata: {},
          properties,
        })),
      active_meters: meters.map(({ meter: _, customer_id: __, ...meter }) => meter),
    }
  }

  private tell(type: string, data: unknown): void {
    this.events.push({ type, timestamp: new Date().toISOString(), data: structuredClone(data) })
  }
}

const page = <T>(items: T[], { page = '1', limit = '10' }: Record<string, string> = {}) => ({
  items: items.slice((Number(page) - 1) * Number(limit), Number(page) * Number(limit)),
  pagination: { total_count: items.length, max_page: Math.max(1, Math.ceil(items.length / Number(limit))) },
})

/** Signs a webhook as the provider does (Standard Webhooks): the key is the secret's text. */
export async function signWebhook(
  event: unknown,
  { id = `msg_${nextId()}`, at = new Date(), secret = providerSecret } = {},
): Promise<SignedWebhook> {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const encoder = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(`${id}.${timestamp}.${body}`)))
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
    },
  }
}
