import type { models } from '@polar-sh/sdk/2026-10'
import { Customers, Refusal } from './billing-customers.ts'
import {
  type CheckoutInput,
  newCheckout,
  newGrant,
  newMeter,
  newOrder,
  newSubscription,
  offerOf,
} from './billing-entities.ts'

/** What the fake billing provider sells: two things, by a checkout that somebody pays. */
export class Sales extends Customers {
  readonly origin: string
  readonly checkouts = new Map<string, models.Checkout>()

  constructor(origin: string) {
    super()
    this.origin = origin
  }

  protected check(input: CheckoutInput): models.Checkout {
    if (input.products.length === 0 || !input.products.every(offerOf)) throw new Refusal(422, 'Product does not exist.')
    const known = [...this.customers()].find(
      ({ external_id }) => external_id && external_id === input.external_customer_id,
    )
    const checkout = newCheckout(new Date(), this.origin, input, known?.id ?? null)
    this.checkouts.set(checkout.id, checkout)
    this.tell('checkout.created', checkout)
    return checkout
  }

  /** A person pays. @param email of a buyer who is not a customer yet */
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
}
