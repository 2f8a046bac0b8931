import { and, eq, gte, lte, ne, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/users/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { excluded, insertWhere, named } from '../../../platform/statements.ts'
import {
  type BillingCustomer,
  billingCustomers,
  billingEntitlements,
  type Entitlement,
  type EntitlementKind,
} from './entitlements.table.ts'

/** Queries about entitlements. Those that write are statements of the batch that takes in a webhook. */

const newer = (column: SQLiteColumn) => sql`max(${column}, ${excluded(column)})`
const ifNewer = (column: SQLiteColumn) =>
  sql`case when ${excluded(billingCustomers.asOf)} >= ${billingCustomers.asOf} then ${excluded(column)} else ${column} end`

/** Writes a customer down whose external id is a user of ours; of one who is known, what is newer than what we have. */
export const upsertCustomer = (db: Database, customer: BillingCustomer) =>
  insertWhere(
    db,
    billingCustomers,
    customer,
    sql`exists (select 1 from ${users} where ${eq(users.id, customer.userId)})`,
  ).onConflictDoUpdate({
    target: billingCustomers.id,
    set: {
      userId: ifNewer(billingCustomers.userId),
      data: ifNewer(billingCustomers.data),
      deleted: ifNewer(billingCustomers.deleted),
      asOf: newer(billingCustomers.asOf),
      stateAsOf: newer(billingCustomers.stateAsOf),
      receivedAt: excluded(billingCustomers.receivedAt),
    },
  })

/** The customer is somebody else by now, or nobody, unless a newer event has said who they are. */
export const forgetCustomer = (db: Database, id: string, userId: string | null, asOf: Date) =>
  db
    .delete(billingCustomers)
    .where(
      and(
        eq(billingCustomers.id, id),
        userId === null ? undefined : ne(billingCustomers.userId, userId),
        lte(billingCustomers.asOf, asOf),
      ),
    )

/** The customer was deleted. The row stays, so that an older event does not bring them back. */
export const endCustomer = (db: Database, id: string, asOf: Date) =>
  db
    .update(billingCustomers)
    .set({ deleted: true, asOf: sql`max(${billingCustomers.asOf}, ${asOf.getTime()})` })
    .where(eq(billingCustomers.id, id))

/** Writes down what a customer has, or has no more, unless something newer is known. */
export const upsertEntitlement = (db: Database, entitlement: Entitlement) =>
  insertWhere(
    db,
    billingEntitlements,
    entitlement,
    sql`exists (select 1 from ${billingCustomers} where ${and(
      eq(billingCustomers.id, entitlement.customerId),
      lte(billingCustomers.stateAsOf, entitlement.asOf.getTime()),
    )})`,
  ).onConflictDoUpdate({
    target: [billingEntitlements.kind, billingEntitlements.id],
    set: {
      active: excluded(billingEntitlements.active),
      data: excluded(billingEntitlements.data),
      asOf: excluded(billingEntitlements.asOf),
      receivedAt: excluded(billingEntitlements.receivedAt),
    },
    setWhere: and(
      gte(excluded(billingEntitlements.asOf), billingEntitlements.asOf),
      eq(excluded(billingEntitlements.customerId), billingEntitlements.customerId),
    )!,
  })

/** Ends all that a whole state does not name. @param named `kind:id` of each */
export const endAllBut = (db: Database, customerId: string, names: readonly string[], asOf: Date, receivedAt: Date) =>
  db
    .update(billingEntitlements)
    .set({ active: false, asOf, receivedAt })
    .where(
      and(
        eq(billingEntitlements.customerId, customerId),
        lte(billingEntitlements.asOf, asOf),
        sql`${billingEntitlements.kind} || ':' || ${billingEntitlements.id} not in (select value from json_each(${JSON.stringify(names)}))`,
      ),
    )

export interface KnownEntitlements {
  customer: BillingCustomer
  entitlements: { kind: EntitlementKind; data: Record<string, unknown> }[]
}

/** What a user has as a customer, null when none is known. One round trip. */
export async function findEntitlements(db: Database, userId: string): Promise<KnownEntitlements | null> {
  const rows = await db
    .select({ customer: named(billingCustomers, 'customer'), entitlement: named(billingEntitlements, 'entitlement') })
    .from(billingCustomers)
    .leftJoin(
      billingEntitlements,
      and(eq(billingEntitlements.customerId, billingCustomers.id), eq(billingEntitlements.active, true)),
    )
    .where(and(eq(billingCustomers.userId, userId), eq(billingCustomers.deleted, false)))
    .orderBy(billingCustomers.id, billingEntitlements.kind, billingEntitlements.id)
  const [first] = rows
  if (!first) return null
  const own = rows.filter(({ customer }) => customer.id === first.customer.id)
  return {
    customer: first.customer,
    entitlements: own.flatMap(({ entitlement }) => (entitlement?.id ? [entitlement as Entitlement] : [])),
  }
}
