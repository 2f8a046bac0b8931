import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/users/users.table.ts'

/**
 * What the provider's webhooks have told of customers who are people of ours, for when it is down and for whoever asks
 * often. Of others nothing is kept.
 */
export const billingCustomers = sqliteTable(
  'billing_customers',
  {
    /** The provider's. */
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As customer/state shows it. */
    data: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** When the provider last changed the customer, as far as we know. */
    asOf: integer('as_of', { mode: 'timestamp_ms' }).notNull(),
    /** The moment of the last whole state: nothing older than that is news. 0: there was none. */
    stateAsOf: integer('state_as_of').notNull(),
    deleted: integer({ mode: 'boolean' }).notNull(),
    receivedAt: integer('received_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('billing_customers_user').on(table.userId)],
)

export const entitlementKinds = ['subscription', 'benefit', 'meter'] as const
export type EntitlementKind = (typeof entitlementKinds)[number]

/** Subscriptions, granted benefits and meters, also those that have ended: an older event must not bring them back. */
export const billingEntitlements = sqliteTable(
  'billing_entitlements',
  {
    kind: text({ enum: entitlementKinds }).notNull(),
    id: text().notNull(),
    customerId: text('customer_id')
      .notNull()
      .references(() => billingCustomers.id, { onDelete: 'cascade' }),
    active: integer({ mode: 'boolean' }).notNull(),
    /** As customer/state shows it. */
    data: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    asOf: integer('as_of', { mode: 'timestamp_ms' }).notNull(),
    receivedAt: integer('received_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.id] }),
    index('billing_entitlements_customer').on(table.customerId),
  ],
)

export type BillingCustomer = typeof billingCustomers.$inferSelect
export type Entitlement = typeof billingEntitlements.$inferSelect
