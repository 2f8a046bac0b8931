import { isNotNull } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The audit records of a party on a day (UTC), see `budgetStatement`. */
export const auditBudgets = sqliteTable(
  'audit_budgets',
  {
    /** `<type of actor>:<id>`, or `organization:<id>`. */
    party: text().notNull(),
    /** The number of the day since 1970. */
    day: integer().notNull(),
    /** Effects that needed a record. */
    effects: integer().notNull(),
    /** Records that were left out since the last one that counts them. */
    leftOut: integer('left_out').notNull().default(0),
    /** The time of the first of these; null: none. */
    leftOutSince: integer('left_out_since', { mode: 'timestamp_ms' }),
  },
  (table) => [
    primaryKey({ columns: [table.party, table.day] }),
    index('audit_budgets_day').on(table.day),
    index('audit_budgets_left_out').on(table.leftOutSince).where(isNotNull(table.leftOutSince)),
  ],
)
