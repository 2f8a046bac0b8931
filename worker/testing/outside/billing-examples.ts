import type { BillingEventType } from '../../features/billing/events/events.ts'
import { newCheckout, newCustomer, newGrant, newOrder, newSubscription } from './billing-entities.ts'
import { offers, productOf } from './billing-offers.ts'

/** An example of each event of the billing provider. */

const now = new Date('2026-05-01T12:00:00Z')
const dated = { created_at: now.toISOString(), modified_at: null }
const offer = offers[0]!
const customer = newCustomer(now, { email: 'buyer@example.com', name: 'Buyer' })
const checkout = newCheckout(now, 'http://billing.test', { products: [offer.id] }, customer.id)
const subscription = { ...newSubscription(now, offer, customer.id, checkout), customer, discount: null }
const bought = newOrder(now, offer, customer.id, { subscription: null, checkoutId: checkout.id })
const order = { ...bought, customer, metadata: {}, discount: null }
const { organization: _, ...benefit } = newGrant(now, offer, customer, {
  subscriptionId: null,
  orderId: order.id,
}).benefit
const grant = {
  ...newGrant(now, offer, customer, { subscriptionId: subscription.id, orderId: order.id }),
  customer,
  benefit: { ...benefit, metadata: {} },
}
const state = { ...customer, active_subscriptions: [], granted_benefits: [], active_meters: [] }
const { organization: seller, ...product } = {
  ...productOf(now, offer),
  metadata: {},
  is_deletable: true,
  attached_custom_fields: [],
}
const organization = {
  ...seller,
  email: null,
  website: null,
  socials: [{ platform: 'github', url: 'https://github.com/seller' }],
  details_submitted_at: null,
  feature_settings: null,
  subscription_settings: { allow_multiple_subscriptions: false },
}
const refund = {
  ...dated,
  id: 'refund_1',
  metadata: {},
  status: 'succeeded',
  reason: 'customer_request',
  amount: 1900,
  tax_amount: 0,
  currency: 'usd',
  organization_id: seller.id,
  order_id: order.id,
  subscription_id: null,
  customer_id: customer.id,
  revoke_benefits: true,
  dispute: null,
}
const wholeBenefit = { ...benefit, metadata: {} }

export const examples: Record<BillingEventType, object> = {
  'customer.created': customer,
  'customer.updated': customer,
  'customer.deleted': { ...customer, deleted_at: now.toISOString() },
  'customer.state_changed': state,
  'benefit.created': wholeBenefit,
  'benefit.updated': wholeBenefit,
  'benefit_grant.created': grant,
  'benefit_grant.cycled': grant,
  'benefit_grant.updated': grant,
  'benefit_grant.revoked': { ...grant, is_granted: false, is_revoked: true, revoked_at: now.toISOString() },
  'checkout.created': checkout,
  'checkout.updated': { ...checkout, status: 'succeeded' },
  'order.created': order,
  'order.paid': order,
  'order.updated': order,
  'order.refunded': { ...order, status: 'refunded', refunded_amount: order.net_amount },
  'organization.updated': organization,
  'product.created': product,
  'product.updated': product,
  'refund.created': refund,
  'refund.updated': refund,
  'subscription.created': { ...subscription, status: 'incomplete' },
  'subscription.active': subscription,
  'subscription.updated': { ...subscription, status: 'past_due' },
  'subscription.canceled': { ...subscription, status: 'canceled' },
  'subscription.uncanceled': subscription,
  'subscription.revoked': { ...subscription, status: 'canceled' },
}
