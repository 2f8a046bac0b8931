import { gte, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database.ts'
import { excluded, type Statement } from '../../../platform/statements.ts'
import { billingProducts, type StoredProduct } from './plans.table.ts'

/** The products of the provider's largest page; the configured ones are fewer, except after a change of them. */
export const maxProducts = 100

export const listProducts = (db: Database) => db.select().from(billingProducts).limit(maxProducts)

/** Stores a product, unless a newer change of it is stored. */
export const upsertProduct = (db: Database, product: StoredProduct): Statement =>
  db
    .insert(billingProducts)
    .values(product)
    .onConflictDoUpdate({
      target: billingProducts.id,
      set: {
        data: excluded(billingProducts.data),
        asOf: excluded(billingProducts.asOf),
        readAt: excluded(billingProducts.readAt),
      },
      setWhere: gte(excluded(billingProducts.asOf), billingProducts.asOf),
    })

/** All products must be read from the provider again. */
export const outdateProducts = (db: Database): Statement => db.update(billingProducts).set({ readAt: new Date(0) })

/** Deletes the products that are no longer configured. */
export const deleteOtherProducts = (db: Database, ids: readonly string[]): Statement =>
  db
    .delete(billingProducts)
    .where(sql`${billingProducts.id} not in (select value from json_each(${JSON.stringify(ids)}))`)
