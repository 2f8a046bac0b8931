import type { models } from '@polar-sh/sdk/2026-10'
import { newGrant, newMeter, newOrder, newSubscription } from './billing-entities.ts'
import { offers } from './billing-offers.ts'
import type { BillingProvider } from './billing-provider.ts'

/** One customer with everything that the billing screen can show, for tests and for the design of the screen. */

const states = ['incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid'] as const
const ended: readonly string[] = ['incomplete_expired', 'canceled']

/** The properties of each kind of benefit in addition to its description. */
const benefits = {
  custom: ['Help within a day', { note: 'Write to us' }, {}],
  discord: ['A channel for builders', { guild_token: 'token' }, { account_id: '1', guild_id: '2', role_id: '3' }],
  github_repository: [
    'The sources',
    { repository_owner: 'seller', repository_name: 'sources' },
    { account_id: '1', repository_owner: 'seller', repository_name: 'sources', permission: 'pull' },
  ],
  downloadables: ['The templates', { active_files: ['file_1'] }, { files: ['file_1'] }],
  license_keys: [
    'A key for two machines',
    { prefix: 'PRO', expires: null, activations: { limit: 2, enable_customer_admin: true }, limit_usage: null },
    { license_key_id: 'key_1', display_key: '****-AB12' },
  ],
  meter_credit: ['1,000 calls a month', { units: 1000, rollover: false, meter_id: 'meter_calls' }, {}],
} as const

/** State and refunded amount of the order (minor units). */
const orders = [
  ['paid', 0],
  ['pending', 0],
  ['partially_refunded', 500],
  ['refunded', 1900],
] as const

/** Used and included units. */
const meters = [
  ['API calls', 250, 1000],
  ['Storage', 1200, 1000],
  ['Exports', 42, 0],
] as const

/** Gives a customer a subscription in each state, a benefit of each kind, orders with refunds, and meters. */
export function giveEverything(provider: BillingProvider, externalId: string): void {
  const account = provider.accountOf(externalId)
  const { customer } = account
  const now = new Date()
  const offer = offers[0]!
  account.subscriptions = states.map((status) => {
    const made = newSubscription(now, offer, customer.id, { id: 'checkout', metadata: {} })
    const end = ended.includes(status) ? { ended_at: now.toISOString(), ends_at: now.toISOString() } : {}
    return { ...made, ...end, status, product: { ...made.product, name: `Pro (${status})` } }
  })
  account.orders = orders.map(([status, refunded_amount]) => {
    const made = newOrder(now, offer, customer.id, { subscription: null, checkoutId: 'checkout' })
    return {
      ...made,
      ...(status !== 'pending' && { receipt_number: `RECEIPT-${made.invoice_number}` }),
      billing_name: 'Eve',
      billing_address: { country: 'AT' } as models.CustomerOrder['billing_address'],
      status,
      paid: status !== 'pending',
      refunded_amount,
    }
  })
  account.grants = Object.entries(benefits).map(([type, [description, properties, granted]]) => {
    const made = newGrant(now, offer, customer, { subscriptionId: null, orderId: 'order' })
    const grant = { ...made, properties: granted, benefit: { ...made.benefit, type, description, properties } }
    return grant as unknown as models.CustomerBenefitGrantCustom
  })
  account.meters = meters.map(([name, used, included]) => {
    const made = newMeter(now, customer.id, { id: `meter_${name}`, name, units: included })
    return { ...made, consumed_units: used, balance: included - used }
  })
}
