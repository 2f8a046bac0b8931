import type { models } from '@polar-sh/sdk/2026-10'
import { type NewCustomer, newCustomer, type Subscription } from './billing-entities.ts'

export interface Account {
  customer: models.CustomerIndividual
  subscriptions: Subscription[]
  orders: models.CustomerOrder[]
  grants: models.CustomerBenefitGrantCustom[]
  meters: models.CustomerCustomerMeter[]
}

/** The error that the real provider returns for the same request, with its status. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The customers of the fake billing provider with their purchases and events. */
export class Customers {
  readonly accounts = new Map<string, Account>()
  /** The events in order. The provider sends a webhook for each. */
  readonly events: { type: string; timestamp: string; data: unknown }[] = []

  protected *customers() {
    for (const { customer } of this.accounts.values()) yield customer
  }

  accountOf(externalId: string): Account {
    const found = [...this.accounts.values()].find(({ customer }) => customer.external_id === externalId)
    if (!found) throw new Refusal(404, 'Not found')
    return found
  }

  protected mustBeFree(field: 'email' | 'external_id', value: string | null | undefined, but?: string): void {
    for (const customer of this.customers()) {
      if (value && customer.id !== but && customer[field] === value) {
        throw new Refusal(422, `A customer with this ${field} already exists.`)
      }
    }
  }

  /** Creates a customer, as a merchant or the API does. */
  create(given: NewCustomer): models.CustomerIndividual {
    this.mustBeFree('email', given.email)
    this.mustBeFree('external_id', given.external_id)
    const customer = newCustomer(new Date(), given)
    this.accounts.set(customer.id, { customer, subscriptions: [], orders: [], grants: [], meters: [] })
    this.sendEvent('customer.created', customer)
    return customer
  }

  protected change(
    account: Account | undefined,
    changes: Partial<models.CustomerIndividual>,
  ): models.CustomerIndividual {
    if (!account) throw new Refusal(404, 'Not found')
    const { customer } = account
    this.mustBeFree('email', changes.email, customer.id)
    if (changes.external_id && customer.external_id && changes.external_id !== customer.external_id) {
      throw new Refusal(422, 'The external id cannot be changed.')
    }
    this.mustBeFree('external_id', changes.external_id, customer.id)
    Object.assign(customer, changes, { modified_at: new Date().toISOString() })
    this.sendEvent('customer.updated', customer)
    return customer
  }

  protected remove(account: Account): undefined {
    this.accounts.delete(account.customer.id)
    const moment = new Date().toISOString()
    this.sendEvent('customer.deleted', { ...account.customer, modified_at: moment, deleted_at: moment })
  }

  /** The form in webhooks, with the whole customer. */
  protected told<T extends object>({ customer }: Account, entity: T) {
    return { ...entity, customer, discount: null }
  }

  protected toldGrant(account: Account, grant: models.CustomerBenefitGrantCustom) {
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

  protected sendEvent(type: string, data: unknown): void {
    this.events.push({ type, timestamp: new Date().toISOString(), data: structuredClone(data) })
  }
}
