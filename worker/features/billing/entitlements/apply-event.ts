import type { Scope } from '../../../identity/scope.ts'
import type { Statement } from '../../../platform/statements.ts'
import type { WebhookEvent } from '../events/events.ts'
import { camelCase } from '../provider/camel-case.ts'
import * as store from './entitlements.store.ts'
import type { EntitlementKind } from './entitlements.table.ts'

/** Events arrive late, twice and in any order: the newest of a subscription or benefit counts. */

interface Row {
  id: string
  created_at: string
  modified_at: string | null
}
interface CustomerRow extends Row {
  external_id?: string | null
  deleted_at?: string | null
}

/** The time of the provider's change. */
const changedAt = ({ modified_at, created_at }: Row) => new Date(modified_at ?? created_at)

/** What an event changes in the stored customers. @param signedAt the time of an event that has none */
export function entitlementStatements(scope: Scope, event: WebhookEvent, signedAt: Date): Statement[] {
  const { db } = scope
  const now = scope.now()
  switch (event.type) {
    case 'customer.created':
    case 'customer.updated':
      return customerStatements(scope, event.data)
    case 'customer.deleted': {
      const { data } = event
      const at = changedAt(data)
      // Also stored for an unknown customer, because a late event must find the deletion.
      const known = data.external_id ? customerStatements(scope, { ...data, deleted_at: at.toISOString() }) : []
      return [...known, store.endCustomer(db, data.id, at)]
    }
    case 'customer.state_changed': {
      const { active_subscriptions, granted_benefits, active_meters, ...customer } = event.data
      const asOf = momentOf(event) ?? signedAt
      const parts: [EntitlementKind, Row[]][] = [
        ['subscription', active_subscriptions],
        ['benefit', granted_benefits],
        ['meter', active_meters],
      ]
      const names = parts.flatMap(([kind, rows]) => rows.map(({ id }) => `${kind}:${id}`))
      return [
        ...customerStatements(scope, customer, asOf),
        ...parts.flatMap(([kind, rows]) =>
          rows.map((row) => entitlement(scope, kind, customer.id, row, { active: true, asOf })),
        ),
        store.endAllBut(db, customer.id, names, asOf, now),
      ]
    }
    case 'benefit_grant.created':
    case 'benefit_grant.cycled':
    case 'benefit_grant.updated':
    case 'benefit_grant.revoked': {
      const { customer, customer_id, is_granted: active, ...grant } = event.data
      const row = { ...grant, benefit_type: grant.benefit.type }
      return [...customerStatements(scope, customer), entitlement(scope, 'benefit', customer_id, row, { active })]
    }
    case 'subscription.created':
    case 'subscription.active':
    case 'subscription.updated':
    case 'subscription.canceled':
    case 'subscription.uncanceled':
    case 'subscription.revoked': {
      const { customer, customer_id, ...subscription } = event.data
      const active = subscription.status === 'active' || subscription.status === 'trialing'
      return [
        ...customerStatements(scope, customer),
        entitlement(scope, 'subscription', customer_id, subscription, { active }),
      ]
    }
    default:
      return []
  }
}

/** The time of an event, if its envelope has one. */
function momentOf(event: { timestamp?: unknown }): Date | null {
  const moment = new Date(typeof event.timestamp === 'string' ? event.timestamp : Number.NaN)
  return Number.isNaN(moment.getTime()) ? null : moment
}

function customerStatements(scope: Scope, customer: CustomerRow, stateAsOf?: Date): Statement[] {
  const { id, external_id: userId } = customer
  const forget = store.forgetCustomer(scope.db, id, userId ?? null, changedAt(customer))
  if (!userId) return forget
  return [
    ...forget,
    store.upsertCustomer(scope.db, {
      id,
      userId,
      data: camelCase(customer) as Record<string, unknown>,
      asOf: changedAt(customer),
      stateAsOf: stateAsOf?.getTime() ?? 0,
      deleted: Boolean(customer.deleted_at),
      receivedAt: scope.now(),
    }),
  ]
}

/** The fields of an event that customer/state shows. */
const shown: Record<EntitlementKind, readonly string[]> = {
  subscription: [
    'id created_at modified_at custom_field_data metadata status amount currency recurring_interval',
    'current_period_start current_period_end trial_start trial_end cancel_at_period_end canceled_at started_at ends_at',
    'product_id discount_id seats units meters',
  ].flatMap((names) => names.split(' ')),
  benefit: 'id created_at modified_at granted_at benefit_id benefit_type benefit_metadata properties'.split(' '),
  meter: 'id created_at modified_at meter_id consumed_units credited_units balance'.split(' '),
}

function entitlement(
  scope: Scope,
  kind: EntitlementKind,
  customerId: string,
  row: Row,
  { active, asOf = changedAt(row) }: { active: boolean; asOf?: Date },
): Statement {
  const data = Object.fromEntries(
    shown[kind].filter((name) => name in row).map((name) => [name, row[name as keyof Row]]),
  )
  return store.upsertEntitlement(scope.db, {
    kind,
    id: row.id,
    customerId,
    active,
    data: camelCase(data) as Record<string, unknown>,
    asOf,
    receivedAt: scope.now(),
  })
}
