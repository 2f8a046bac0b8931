import { eq, sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { jobs } from '../../../identity/jobs/jobs.table.ts'
import { users } from '../../../identity/model/users.table.ts'
import { personalRows } from '../../../platform/personal-rows.ts'

/** Customers who are users, from the provider's webhooks, for outages of the provider and frequent reads. */
export const billingCustomers = sqliteTable(
  'billing_customers',
  {
    /** The id at the provider. */
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As in customer/state. */
    data: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** The last known change at the provider. */
    asOf: integer('as_of', { mode: 'timestamp_ms' }).notNull(),
    /** The time of the last whole state, which replaces all older events. 0: none yet. */
    stateAsOf: integer('state_as_of').notNull(),
    deleted: integer({ mode: 'boolean' }).notNull(),
    receivedAt: integer('received_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('billing_customers_user').on(table.userId)],
)

export const entitlementKinds = ['subscription', 'benefit', 'meter'] as const
export type EntitlementKind = (typeof entitlementKinds)[number]

/** Subscriptions, granted benefits and meters, including ended ones, because an older event must not restore them. */
export const billingEntitlements = sqliteTable(
  'billing_entitlements',
  {
    kind: text({ enum: entitlementKinds }).notNull(),
    id: text().notNull(),
    customerId: text('customer_id')
      .notNull()
      .references(() => billingCustomers.id, { onDelete: 'cascade' }),
    active: integer({ mode: 'boolean' }).notNull(),
    /** As in customer/state. */
    data: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    asOf: integer('as_of', { mode: 'timestamp_ms' }).notNull(),
    receivedAt: integer('received_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.id] }),
    index('billing_entitlements_customer').on(table.customerId),
  ],
)

export const billingPersonalData = {
  billingCustomers: personalRows(billingCustomers, billingCustomers.userId),
  billingEntitlements: personalRows(
    billingEntitlements,
    (id) =>
      sql`${billingEntitlements.customerId} in (select ${billingCustomers.id} from ${billingCustomers} where ${eq(billingCustomers.userId, id)})`,
  ),
  billingUsageEvents: personalRows(
    jobs,
    (id) => sql`case ${jobs.kind} when 'billing-usage' then ${jobs.payload} ->> 'userId' end = ${id}`,
  ),
}

export type BillingCustomer = typeof billingCustomers.$inferSelect
export type Entitlement = typeof billingEntitlements.$inferSelect
