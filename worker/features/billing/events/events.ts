import type * as z from 'zod'
import * as entities from './entities.ts'

/** The provider's webhook events: the name of the entity, and its schema. */
export const eventSchemas = {
  'customer.created': ['Customer', entities.customer],
  'customer.updated': ['Customer', entities.customer],
  'customer.deleted': ['Customer', entities.customer],
  'customer.state_changed': ['CustomerState', entities.customerStateEntity],
  'benefit.created': ['Benefit', entities.benefit],
  'benefit.updated': ['Benefit', entities.benefit],
  'benefit_grant.created': ['BenefitGrant', entities.benefitGrant],
  'benefit_grant.cycled': ['BenefitGrant', entities.benefitGrant],
  'benefit_grant.updated': ['BenefitGrant', entities.benefitGrant],
  'benefit_grant.revoked': ['BenefitGrant', entities.benefitGrant],
  'checkout.created': ['Checkout', entities.checkout],
  'checkout.updated': ['Checkout', entities.checkout],
  'order.created': ['Order', entities.order],
  'order.paid': ['Order', entities.order],
  'order.updated': ['Order', entities.order],
  'order.refunded': ['Order', entities.order],
  'organization.updated': ['Organization', entities.organization],
  'product.created': ['Product', entities.product],
  'product.updated': ['Product', entities.product],
  'refund.created': ['Refund', entities.refund],
  'refund.updated': ['Refund', entities.refund],
  'subscription.created': ['Subscription', entities.subscription],
  'subscription.active': ['Subscription', entities.subscription],
  'subscription.updated': ['Subscription', entities.subscription],
  'subscription.canceled': ['Subscription', entities.subscription],
  'subscription.uncanceled': ['Subscription', entities.subscription],
  'subscription.revoked': ['Subscription', entities.subscription],
} as const

export type BillingEventType = keyof typeof eventSchemas

export const isEventType = (type: unknown): type is BillingEventType =>
  typeof type === 'string' && Object.hasOwn(eventSchemas, type)

type Schemas = Record<string, readonly [name: string, schema: z.ZodType]>
type NamesOf<S extends Schemas> = { [T in keyof S]: S[T][0] }
type EntitiesOf<S extends Schemas> = { [N in S[keyof S][0]]: z.output<Extract<S[keyof S], readonly [N, unknown]>[1]> }

type EventEntities = NamesOf<typeof eventSchemas>
type Entities = EntitiesOf<typeof eventSchemas>

/** An event with its validated entity; names are in snake_case. */
export type WebhookEvent<T extends BillingEventType = BillingEventType> = {
  [K in T]: { type: K; timestamp: string; data: Entities[EventEntities[K]] }
}[T]

/** Thrown for an event whose entity does not match its type. */
export class UnreadableEvent extends Error {}

/** An event with its validated entity. @throws UnreadableEvent with the invalid fields as its cause */
export function parseEvent(type: BillingEventType, event: object): WebhookEvent {
  const [name, schema] = eventSchemas[type]
  const { success, data, error } = schema.safeParse('data' in event ? event.data : undefined)
  if (success) return { ...event, data } as WebhookEvent
  const places = error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new UnreadableEvent(`Failed to parse '${name}' from JSON`, { cause: new Error(places.join('; ')) })
}
