import { and, eq, ne, not, or, sql } from 'drizzle-orm'
import { accounts } from '../../identity/accounts/accounts.table.ts'
import { sessions } from '../../identity/sessions/sessions.table.ts'
import { users } from '../../identity/users/users.table.ts'
import type { Database } from '../../platform/database.ts'
import type { Condition } from '../../platform/statements.ts'

/** Holds while a session is that of a guest, and of somebody else than a user. */
export const isGuestsSession = (token: string, userId: string): Condition =>
  sql`exists (select 1 from ${sessions} join ${users} on ${eq(users.id, sessions.userId)} where ${and(
    eq(sessions.token, token),
    ne(sessions.userId, userId),
    eq(users.isAnonymous, true),
  )})`

/** Holds while a user has no way in. @param kept each holds while a feature keeps one */
export const hasNoWayIn = (userId: string, kept: readonly Condition[]): Condition =>
  not(or(sql`exists (select 1 from ${accounts} where ${eq(accounts.userId, userId)})`, ...kept)!)

/** Whether a condition on a user holds. */
export async function holds(db: Database, userId: string, condition: Condition): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), condition))
  return rows.length > 0
}
