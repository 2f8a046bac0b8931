import { exists, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../../platform/database.ts'
import type { Condition } from '../../../platform/statements.ts'
import { invitations } from '../membership/invitations.table.ts'

/** Conditions about invitations, as parts of the statements that write. */

/** Another look at the table, inside of statements about it. */
export const other = alias(invitations, 'other')

/** Holds while there is an invitation like that. */
export const invitationExists = (db: Database, condition: Condition | undefined): Condition =>
  exists(db.select({ one: sql`1` }).from(other).where(condition))

/** What the conditions are at this place of a batch: each comes out as 1 or 0. */
export const tell = <K extends string>(db: Database, conditions: Record<K, Condition>) =>
  db
    .select(
      Object.fromEntries(
        Object.entries<Condition>(conditions).map(([key, condition]) => [key, sql<number>`(${condition})`.as(key)]),
      ) as Record<K, SQL.Aliased<number>>,
    )
    .from(sql`(select 1)`)
