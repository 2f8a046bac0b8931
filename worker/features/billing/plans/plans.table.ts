import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Product } from './product.ts'

/** The configured products as the provider sells them, from its API and its webhooks. */
export const billingProducts = sqliteTable('billing_products', {
  /** The id at the provider. */
  id: text().primaryKey(),
  /** null: the provider does not know the product. */
  data: text({ mode: 'json' }).$type<Product>(),
  /** The product contains every change at the provider until this time. */
  asOf: integer('as_of', { mode: 'timestamp_ms' }).notNull(),
  /** When the product was read from the provider, or received. 0: it must be read again. */
  readAt: integer('read_at', { mode: 'timestamp_ms' }).notNull(),
})

export type StoredProduct = typeof billingProducts.$inferSelect
