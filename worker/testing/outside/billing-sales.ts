import type { models } from '@polar-sh/sdk/2026-10'
import { Customers, Refusal } from './billing-customers.ts'
import { type CheckoutInput, newCheckout, newGrant, newMeter, newOrder, newSubscription } from './billing-entities.ts'
import { offerOf, offers, soldProduct } from './billing-offers.ts'

/** The sales of the fake billing provider: two products, by a checkout that the user pays. */
export class Sales extends Customers {
  readonly origin: string
  readonly checkouts = new Map<string, models.Checkout>()
  readonly products = offers.map((offer) => soldProduct(new Date('2026-01-01T12:00:00Z'), offer))

  constructor(origin: string) {
    super()
    this.origin = origin
  }

  protected check(input: CheckoutInput): models.Checkout {
    if (input.products.length === 0 || !input.products.every(offerOf)) throw new Refusal(422, 'Product does not exist.')
    const known = this.customerWith(input.external_customer_id)
    const checkout = newCheckout(new Date(), this.origin, input, known?.id ?? null)
    this.checkouts.set(checkout.id, checkout)
    this.sendEvent('checkout.created', checkout)
    return checkout
  }

  private customerWith(externalId: string | null | undefined) {
    return [...this.customers()].find(({ external_id }) => external_id && external_id === externalId)
  }

  /** Pays a checkout as a user. @param email of a buyer who is not a customer yet */
  pay(checkoutId: string, email = 'buyer@example.com'): models.Checkout {
    const checkout = this.checkouts.get(checkoutId)
    const offer = offerOf(checkout?.product_id ?? '')
    if (!checkout || !offer || checkout.status !== 'open') throw new Refusal(404, 'No such checkout')
    const now = new Date()
    // The job of the sign-up may have created the customer after the checkout.
    checkout.customer_id ??= this.customerWith(checkout.external_customer_id)?.id ?? null
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
    this.sendEvent('checkout.updated', checkout)
    account.orders.unshift(order)
    if (subscription) {
      account.subscriptions.unshift(subscription)
      this.sendEvent('subscription.created', this.told(account, subscription))
      this.sendEvent('subscription.active', this.told(account, subscription))
    }
    if (offer.meter) account.meters.push(newMeter(now, customer.id, offer.meter))
    account.grants.unshift(grant)
    this.sendEvent('order.paid', { ...this.told(account, order), metadata: {}, discount: null })
    this.sendEvent('benefit_grant.created', this.toldGrant(account, grant))
    this.sendEvent('customer.state_changed', this.state(account))
    return checkout
  }

  /** Changes a product as the seller does. */
  changeProduct(id: string, changes: Partial<models.Product>): void {
    const product = this.products.find((one) => one.id === id)
    if (!product) throw new Refusal(404, 'Not found')
    Object.assign(product, changes, { modified_at: new Date().toISOString() })
    this.sendEvent('product.updated', product)
  }

  /** Cancels a subscription in the portal at once, with all its benefits. */
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
    this.sendEvent('subscription.canceled', this.told(account, subscription))
    this.sendEvent('subscription.revoked', this.told(account, subscription))
    for (const grant of account.grants.filter(({ subscription_id }) => subscription_id === subscriptionId)) {
      Object.assign(grant, { is_granted: false, is_revoked: true, revoked_at: moment, modified_at: moment })
      this.sendEvent('benefit_grant.revoked', this.toldGrant(account, grant))
    }
    account.meters = []
    this.sendEvent('customer.state_changed', this.state(account))
  }
}
