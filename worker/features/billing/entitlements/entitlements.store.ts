import { and, desc, eq, exists, gte, isNotNull, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { users } from '../../../identity/model/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { type Condition, excluded, insertWhere, named, type Statement } from '../../../platform/statements.ts'
import {
  type BillingCustomer,
  billingCustomers,
  billingEntitlements,
  type Entitlement,
  type EntitlementKind,
} from './entitlements.table.ts'

/** Queries about entitlements. Writes are statements of the batch that receives a webhook. */

const newer = (column: SQLiteColumn) => sql`max(${column}, ${excluded(column)})`
const ifNewer = (column: SQLiteColumn) =>
  sql`case when ${excluded(billingCustomers.asOf)} >= ${billingCustomers.asOf} then ${excluded(column)} else ${column} end`

/** Holds while a user has bought something, according to webhooks. @param customersBuy every customer is a buyer */
export const hasBought = (userId: SQL, customersBuy: boolean): Condition =>
  sql`exists (select 1 from ${billingCustomers} left join ${billingEntitlements} on ${and(
    eq(billingEntitlements.customerId, billingCustomers.id),
    ne(billingEntitlements.kind, 'meter'),
  )} where ${and(eq(billingCustomers.userId, userId), customersBuy ? undefined : isNotNull(billingEntitlements.id))})`

/** Stores a customer whose external id is a user. The newer values win. */
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

/** Empties a customer's row unless a newer event contradicts. It stays, so that an older event cannot restore it. */
export const forgetCustomer = (db: Database, id: string, userId: string | null, asOf: Date): Statement[] => {
  const { userId: was } = billingCustomers
  const another = userId === null ? undefined : ne(was, userId)
  const gone = and(eq(billingCustomers.id, id), another, lte(billingCustomers.asOf, asOf))
  return [
    db
      .delete(billingEntitlements)
      .where(
        and(
          eq(billingEntitlements.customerId, id),
          exists(db.select({ one: sql`1` }).from(billingCustomers).where(gone)),
        ),
      ),
    db.update(billingCustomers).set({ deleted: true, data: {}, stateAsOf: 0, asOf }).where(gone),
  ]
}

/** The customer was deleted. The row remains, so that an older event does not restore it. */
export const endCustomer = (db: Database, id: string, asOf: Date) =>
  db
    .update(billingCustomers)
    .set({ deleted: true, asOf: sql`max(${billingCustomers.asOf}, ${asOf.getTime()})` })
    .where(eq(billingCustomers.id, id))

/** Stores an entitlement and whether it is active, unless a newer event is stored. */
export const upsertEntitlement = (db: Database, entitlement: Entitlement) =>
  insertWhere(
    db,
    billingEntitlements,
    entitlement,
    sql`exists (select 1 from ${billingCustomers} where ${and(
      eq(billingCustomers.id, entitlement.customerId),
      eq(billingCustomers.deleted, false),
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

/** Ends all entitlements that a whole state does not name. @param named `kind:id` of each */
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

/** The customer of a user with their active entitlements; null without one. One round trip. */
export async function findEntitlements(db: Database, userId: string): Promise<KnownEntitlements | null> {
  const rows = await db
    .select({ customer: named(billingCustomers, 'customer'), entitlement: named(billingEntitlements, 'entitlement') })
    .from(billingCustomers)
    .leftJoin(
      billingEntitlements,
      and(eq(billingEntitlements.customerId, billingCustomers.id), eq(billingEntitlements.active, true)),
    )
    .where(and(eq(billingCustomers.userId, userId), eq(billingCustomers.deleted, false)))
    // The newest customer counts: the provider gives an external id to one customer at a time.
    .orderBy(desc(billingCustomers.asOf), billingCustomers.id, billingEntitlements.kind, billingEntitlements.id)
  const [first] = rows
  if (!first) return null
  const own = rows.filter(({ customer }) => customer.id === first.customer.id)
  return {
    customer: first.customer,
    entitlements: own.flatMap(({ entitlement }) => (entitlement?.id ? [entitlement as Entitlement] : [])),
  }
}
